import { afterAll, describe, expect, test } from '@jest/globals';
import type { BulkVoteResult } from '#requests/voting/contract/votes';
import { challengeLife } from '#access/passkeys/contract/types';
import { framed, withTwoChallenges, type Authenticator } from '../../support/nodes/authenticator.ts';
import { browserAt, openBrowser, type Browser } from '../../support/nodes/console.ts';
import { createMeanwhile } from '../../support/nodes/meanwhile.ts';
import { byPassword } from '#access/passwords/verbs';
import { startSession } from '#access/sign-in/verbs/sessions';
import type { OwnPasskeys } from '#access/passkeys/contract/passkeys';
import { json } from '../../support/json.ts';
import { startNamedHouse } from '../../support/nodes/named-house.ts';

const policyOf = (tool: string, presence: string, approve = 1) =>
  `policy: ${tool}\nmatch: { tool: ${tool} }\nrequire: { stages: [{ name: One, approvers: anyone, approve: ${approve} }, { name: Two, approvers: anyone }], presence: ${presence}, separation: { earlierVoters: false }, grant: { longest: 1h } }`;

let ahead = 0;
let phones: Authenticator[] = [];

const fresh = () => openBrowser(house.nodes[0], 'approver', 'password');

const house = await startNamedHouse({ now: () => Date.now() + ahead });
afterAll(() => house.stop());
const [ada, bob] = [await fresh(), await fresh()];
await fresh();
phones = [(await house.enrol(ada)).device, (await house.enrol(bob)).device];
await house.nodes[0].applyPolicies([
  policyOf('pay', 'passkey'),
  policyOf('pair', 'passkey', 2),
  policyOf('tell', 'fresh-sign-in'),
]);
const ask = (tool = 'pay'): Promise<{ id: string; digest: string }> =>
  house.asking.open({ tool: { name: tool }, arguments: { to: 'DE02' } });
const vote = async (by: Browser, { id, digest }: { id: string; digest: string }, parts: object = {}) => {
  const body = { action: 'accept', content: {}, digest, ...parts };
  const answer = await house.call(by, 'POST', `/api/elicitations/${id}/vote`, body, 1);
  const { code, refusal } = (await answer.json()) as { code?: string; refusal?: { code: string } };
  return [answer.status, code, ...(refusal ? [refusal.code] : [])];
};
const votesOn = (id: string) =>
  house.query(`SELECT entry FROM audit_log WHERE type = 'elicitation.voted' AND elicitation_id = $1`, [id]);
const lastRefusal = async () => {
  for (const { engine } of house.nodes) await engine.access.flush(Date.now() + 86_400_000);
  const [what] = await house.query(`SELECT entry->>'what' FROM audit_log WHERE type = 'access.refused'
    ORDER BY (SELECT seq FROM audit_entry WHERE audit_entry.id = audit_log.id) DESC LIMIT 1`);
  return what;
};

test('an approval counts with the signature of the voter’s device; it is in the log by its digest, and the log is whole', async () => {
  const request = await ask();
  expect(await ada.show(request.id)).toMatchObject({ signing: { isReady: true } });
  expect(await vote(ada, request)).toEqual([403, 'passkey-needed']);
  expect((await house.approve(ada, phones[0]!, request)).status).toBe(200);
  const [entry] = (await votesOn(request.id)) as Record<string, unknown>[];
  expect(entry).toMatchObject({
    device: { passkey: expect.stringMatching(/^pky_/), signature: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  const [signature] = await house.query('SELECT signature FROM vote WHERE elicitation_id = $1', [request.id]);
  expect(JSON.parse(String(signature))).toMatchObject({ assertion: { credentialId: phones[0]!.credentialId } });
  expect(await house.nodes[0].verifyLog({ keys: [], kept: [] })).toMatchObject({ fault: null });
});

test('a decline needs no signature', async () => {
  expect(await vote(bob, await ask(), { action: 'decline', comment: 'no', content: undefined })).toEqual([
    200,
    undefined,
  ]);
});

test('a person without a passkey is told that one is missing', async () => {
  const [carol, request] = [await fresh(), await ask()];
  expect(await carol.show(request.id)).toMatchObject({ signing: { isReady: false } });
  const begun = await house.call(carol, 'POST', `/api/elicitations/${request.id}/vote/begin`, {
    action: 'accept',
    digest: request.digest,
  });
  expect([begun.status, await begun.json()]).toMatchObject([403, { code: 'passkey-needed' }]);
});

const refused = [403, 'passkey-refused'];

test('what a device signed counts once: not again, not for another request, and not by another person', async () => {
  const [request, other] = [await ask('pair'), await ask('pair')];
  const signed = await house.sign(ada, phones[0]!, request);
  expect(await vote(ada, other, signed)).toEqual(refused);
  expect(await lastRefusal()).toBe('passkey-challenge');
  expect(await vote(ada, request, signed)).toEqual(refused); // used up by the attempt
  const next = await house.sign(ada, phones[0]!, request);
  expect(await vote(bob, request, next)).toEqual(refused);
  expect(await vote(ada, request, next)).toEqual([200, undefined]);
  expect((await house.call(ada, 'POST', `/api/elicitations/${request.id}/withdraw-vote`)).status).toBe(200);
  expect(await vote(ada, request, next)).toEqual(refused); // a vote that was withdrawn is not cast again with it
  expect(await vote(ada, other, next)).toEqual(refused);
  expect(await lastRefusal()).toBe('passkey-challenge');
});

test('no one signs with the passkey of another person', async () => {
  const request = await ask();
  const signed = await house.sign(ada, phones[1]!, request);
  expect(await vote(ada, request, signed)).toEqual(refused);
  expect(await lastRefusal()).toBe('passkey-unknown');
});

test.each([
  ['another origin', { origin: 'https://localhost' }, 'passkey-origin'],
  ['another site', { site: 'example.com' }, 'passkey-origin'],
  ['no verification of its person', { isVerified: false }, 'passkey-no-verification'],
  ['its page in a frame of another site', { client: framed }, 'passkey-origin'],
  ['a challenge that other programs may read differently', { client: withTwoChallenges }, 'passkey-malformed'],
])('a signature with %s is refused', async (_, options, what) => {
  const request = await ask();
  const signed = await house.sign(ada, phones[0]!, request, options);
  expect(await vote(ada, request, signed)).toEqual(refused);
  expect(await lastRefusal()).toBe(what);
});

test('a signature for one stage is none for the next, and one to approve is none to decline', async () => {
  const request = await ask();
  const early = await house.sign(bob, phones[1]!, request);
  const decline = await house.sign(bob, phones[1]!, request);
  expect(await vote(bob, request, { ...decline, action: 'decline', comment: 'no', content: undefined })).toEqual(
    refused,
  );
  expect((await house.approve(ada, phones[0]!, request)).status).toBe(200);
  expect(await vote(bob, request, early)).toEqual(refused);
  expect(await lastRefusal()).toBe('passkey-challenge');
});

test('a signature binds the standing approval, too', async () => {
  const request = await ask();
  const signed = await house.sign(ada, phones[0]!, request);
  expect(await vote(ada, request, { ...signed, allowFor: 3_600_000 })).toEqual(refused);
});

test('a signature comes back within five minutes', async () => {
  const request = await ask();
  const signed = await house.sign(ada, phones[0]!, request);
  ahead += challengeLife;
  expect(await vote(ada, request, signed)).toEqual(refused);
});

test('of two votes that race, each signature counts once, and the second still has to be what was signed', async () => {
  const request = await ask('pair');
  const [first, second] = [await house.sign(ada, phones[0]!, request), await house.sign(bob, phones[1]!, request)];
  const answers = await Promise.all([vote(ada, request, first), vote(bob, request, second)]);
  expect(answers).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
  expect(await votesOn(request.id)).toHaveLength(2);
});

describe('a passkey that is removed at another node while the vote that it signed is written', () => {
  const removedMeanwhile = async (by: (own: Browser, device: Authenticator) => Promise<Browser>) => {
    const begun = await fresh();
    const { device } = await house.enrol(begun);
    const own = await house.confirm(begun, device);
    const remover = await by(own, device);
    const request = await ask();
    const parts = {
      action: 'accept',
      content: {},
      digest: request.digest,
      ...(await house.sign(own, device, request)),
    };
    const { passkeys } = await json<OwnPasskeys>(house.call(own, 'GET', '/api/account/passkeys'));
    const meanwhile = createMeanwhile(house);
    meanwhile.next(async () => {
      const removed = await house.call(remover, 'DELETE', `/api/account/passkeys/${passkeys[0]?.id}`, undefined, 1);
      expect(removed.status).toBe(204);
    });
    const answer = await house.call(own, 'POST', `/api/elicitations/${request.id}/vote`, parts);
    meanwhile.end();
    const again = await house.approve(remover, device, request).catch(() => null);
    expect(again?.ok ?? false).toBe(false);
    expect(await house.nodes[0].verifyLog({ keys: [], kept: [] })).toMatchObject({ fault: null });
    return [answer.status, (await votesOn(request.id)).length];
  };

  test('in another browser ends the session of the vote, which does not count', async () => {
    const inAnother = async ({ user }: Browser, device: Authenticator) => {
      const session = await startSession(house.nodes[0].engine, user, byPassword);
      return house.confirm(browserAt(house.publicUrl, user, `assentry=${session?.secret}`), device);
    };
    expect(await removedMeanwhile(inAnother)).toEqual([401, 0]);
  });

  test('in the same session leaves this vote, and the log is whole', async () => {
    expect(await removedMeanwhile(async (own) => own)).toEqual([200, 1]);
  });
});

test('one challenge, sent at two nodes at once, is one vote', async () => {
  const [carol, request] = [await fresh(), await ask('pair')];
  const signed = await house.sign(carol, (await house.enrol(carol)).device, request);
  const body = { action: 'accept', content: {}, digest: request.digest, ...signed };
  const path = `/api/elicitations/${request.id}/vote`;
  const answers = await Promise.all(([0, 1, 0, 1] as const).map((node) => house.call(carol, 'POST', path, body, node)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await votesOn(request.id)).toHaveLength(1);
});

test('a fresh sign-in is one of the last ten minutes', async () => {
  const request = await ask('tell');
  const [carol, dan] = [await fresh(), await openBrowser(house.nodes[0])];
  ahead += 600_000;
  expect(await vote(carol, request)).toEqual([403, 'fresh-sign-in-needed']);
  expect(await vote(dan, request)).toEqual([403, 'fresh-sign-in-needed']);
  expect(await vote(await fresh(), request)).toEqual([200, undefined]);
});

test.each(['pay', 'tell'])(
  'what needs presence (%s) is declined several at once, and approved one by one',
  async (tool) => {
    const items = [await ask(tool), await ask(tool)].map(({ id, digest }) => ({ id, digest }));
    const carol = await fresh();
    const decide = async (parts: object) => {
      const { results } = await json<BulkVoteResult>(
        house.call(carol, 'POST', '/api/elicitations/votes', { items, ...parts }),
      );
      return results.map(({ problem }) => problem?.refusal?.code ?? null);
    };
    expect(await decide({ action: 'accept' })).toEqual(['presence-alone', 'presence-alone']);
    expect(await decide({ action: 'decline', comment: 'no' })).toEqual([null, null]);
  },
);
