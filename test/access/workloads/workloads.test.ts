import { afterAll, describe, expect, test } from '@jest/globals';
import { base64url, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { createClient } from '#sdk/client/client';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { WorkloadList } from '#access/workloads/contract';
import type { WaitingChange } from '#people/changes/contract';
import type { ServerId } from '#platform/model/id';
import { ownServer, testServer } from '#platform/model/names';
import { addWorkload, newWorkload } from '#access/workloads/verbs';
import { addSpace, moveToSpace } from '#people/spaces/verbs';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { openBrowser, openMember } from '../../support/nodes/console.ts';
import { startWorkloadIssuer } from '../../support/nodes/workload-issuer.ts';
import { raceInDirectory } from '../../support/nodes/race-in-directory.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

let clock = Date.now();
const audience = 'https://assentry.example.com';
const subject = 'system:serviceaccount:payments:refunds';

const seconds = () => Math.floor(clock / 1000);
const usual = (iss: string): JWTPayload => ({
  iss,
  aud: audience,
  sub: subject,
  iat: seconds() - 5,
  exp: seconds() + 600,
  namespace: 'payments',
});

let payments = '';
let ledger = '';

const terms = (parts: object) => ({ issuer: issuer.url, audience, subject, ...parts });

const issuer = await startWorkloadIssuer(usual);
const workloadIssuers = [
  { issuer: issuer.url, longestLife: 3_600 },
  { issuer: 'http://127.0.0.1:9', longestLife: 3_600 },
];
/** Workloads that ask by tokens of their issuer, in place of a key. */
const two = await startTwoNodes({ environment: 'production', workloadIssuers, now: () => clock });
afterAll(async () => {
  issuer.server.close();
  issuer.server.closeAllConnections();
  await two.stop();
});
const [node] = two.nodes;
const [ada, ben] = [await openBrowser(node, 'admin', 'password'), await openBrowser(node, 'admin', 'password')];
await node.newServerKey('ledger');
const { servers } = await node.engine.directory.read();
[payments, ledger] = ['payments', 'ledger'].map((name) => servers.find((server) => server.name === name)?.id ?? '') as [
  string,
  string,
];
await bind(payments, {});

async function bind(server: string, parts: object): Promise<void> {
  const response = await ada.call('POST', `/api/servers/${server}/workloads`, terms(parts));
  expect(response.status).toBe(202);
  const { request } = await json<WaitingChange>(response);
  const { digest } = await ben.show(request);
  expect((await ben.vote({ id: request, digest }, { opened: [''] })).status).toBe(200);
}

async function kidOf(parts: object): Promise<string> {
  const { workloads } = await json<WorkloadList>(ada.call('GET', '/api/workloads'));
  return (
    workloads.find((entry) => Object.entries(parts).every(([key, value]) => entry[key as 'kid'] === value))?.kid ?? ''
  );
}

const identify = (token: string, node: 0 | 1 = 0) =>
  fetch(`${two.nodes[node].url}/v1/identity`, { headers: { authorization: `Bearer ${token}` } });

/** How many refusals for this reason are in the log. */
let flushes = 0;
async function countOf(why: string): Promise<number> {
  flushes += 1; // each closes the window of the one before
  const until = clock + flushes * 3_600_000;
  await Promise.all(two.nodes.map(({ engine }) => engine.access.flush(until)));
  const counts = await two.query(
    `SELECT (entry ->> 'count')::int FROM audit_log WHERE type = 'access.refused' AND entry ->> 'what' = $1`,
    [why],
  );
  return counts.reduce<number>((sum, count) => sum + Number(count), 0);
}

describe('a token that fits', () => {
  test('is taken as a key of its server at every node, and the log names the workload', async () => {
    for (const node of [0, 1] as const) {
      const answer = await identify(await issuer.sign(), node);
      expect([answer.status, await answer.json()]).toMatchObject([200, { name: 'payments' }]);
    }
    const opened = await askingAt(two.nodes[1].url, await issuer.sign()).open();
    const [entry] = await two.query(
      `SELECT entry FROM audit_log WHERE type = 'elicitation.opened' AND elicitation_id = $1`,
      [opened.id],
    );
    const actor = { kind: 'server', id: payments, workload: await kidOf({ subject }) };
    expect(entry).toMatchObject({ actor });
    await askingAt(two.nodes[1].url, await issuer.sign()).call('POST', `/v1/elicitations/${opened.id}/cancel`, {});
    const [cancelled] = await two.query(`SELECT entry FROM audit_log WHERE type = 'elicitation.cancelled'`);
    expect(cancelled).toMatchObject({ actor });
    const { workloads } = await json<WorkloadList>(ada.call('GET', '/api/workloads'));
    expect(workloads[0]).toMatchObject({ server: { name: 'payments' }, lastUsedAt: expect.any(Number) });
  });

  test('may have one of several audiences, and be of any workload that a pattern names', async () => {
    await bind(ledger, { subject: 'repo:acme/ledger:ref:refs/heads/*', claims: { repository: 'acme/ledger' } });
    const claims = { sub: 'repo:acme/ledger:ref:refs/heads/main', aud: ['other', audience], repository: 'acme/ledger' };
    expect(await (await identify(await issuer.sign(claims))).json()).toMatchObject({ name: 'ledger' });
    for (const wrong of [
      { ...claims, sub: 'repo:acme/ledger:ref:refs/heads/a/b' },
      { ...claims, sub: 'repo:acme/ledger:ref:refs/heads/' },
      { ...claims, sub: 'repo:acme/other:ref:refs/heads/main' },
      { ...claims, repository: 'evil/ledger' },
      { ...claims, repository: ['acme/ledger'] },
      { sub: claims.sub },
    ])
      expect([wrong, (await identify(await issuer.sign(wrong))).status]).toEqual([wrong, 401]);
  });
});

const wrongTokens: [string, string, () => Promise<string>][] = [
  [
    'of an issuer that no one has named',
    'workload-issuer-unknown',
    () => issuer.sign({ iss: 'https://evil.example.com' }),
  ],
  ['for another audience', 'workload-not-bound', () => issuer.sign({ aud: 'https://other.example.com' })],
  ['of another subject', 'workload-not-bound', () => issuer.sign({ sub: 'system:serviceaccount:payments:other' })],
  ['that has expired', 'workload-token-wrong', () => issuer.sign({ exp: seconds() - 11, iat: seconds() - 60 })],
  ['that is not valid yet', 'workload-token-wrong', () => issuer.sign({ nbf: seconds() + 60 })],
  ['that was issued later than now', 'workload-token-wrong', () => issuer.sign({ iat: seconds() + 60 })],
  ['that is valid for longer than allowed', 'workload-token-wrong', () => issuer.sign({ exp: seconds() + 3_700 })],
  ['without an end', 'workload-token-wrong', () => issuer.sign({ exp: undefined })],
  ['without an audience', 'workload-token-wrong', () => issuer.sign({ aud: undefined })],
  ['without a subject', 'workload-token-wrong', () => issuer.sign({ sub: undefined })],
  ['whose subject is a list', 'workload-token-wrong', () => issuer.sign({ sub: [subject] as unknown as string })],
  ['whose audience is a list in a list', 'workload-not-bound', () => issuer.sign({ aud: [[audience]] })],
  ['whose audience is an object', 'workload-not-bound', () => issuer.sign({ aud: { 0: audience } })],
  ['with times as texts', 'workload-token-wrong', () => issuer.sign({ exp: String(seconds() + 600) })],
  ['with an end that is beyond every number', 'workload-token-wrong', () => issuer.sign({ exp: 1e300 })],
  ['that is bound to a key of its sender', 'workload-token-wrong', () => issuer.sign({ cnf: { jkt: 'x' } })],
  ['of another kind', 'workload-token-wrong', () => issuer.sign({}, { typ: 'logout+jwt' })],
  ['under a key that is not published', 'workload-token-wrong', () => issuer.sign({}, { kid: 'unknown' })],
  [
    'signed by someone else',
    'workload-token-wrong',
    () => new SignJWT(usual(issuer.url)).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(issuer.other.privateKey),
  ],
  [
    'signed with the public key as a secret',
    'workload-token-wrong',
    () =>
      new SignJWT(usual(issuer.url))
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .sign(new TextEncoder().encode(issuer.publicPem)),
  ],
  ['without a signature', 'workload-token-wrong', async () => new UnsecuredJWT(usual(issuer.url)).encode()],
  [
    'with an empty signature',
    'workload-token-wrong',
    async () => `${(await issuer.sign()).split('.').slice(0, 2).join('.')}.`,
  ],
  [
    'with other claims than were signed',
    'workload-token-wrong',
    async () => {
      const [head, , signature] = (await issuer.sign()).split('.');
      return `${head}.${base64url.encode(JSON.stringify({ ...usual(issuer.url), admin: true }))}.${signature}`;
    },
  ],
  [
    'of an issuer that does not answer',
    'workload-issuer-unavailable',
    () => issuer.sign({ iss: 'http://127.0.0.1:9' }),
  ],
];

describe('a token', () => {
  test.each(wrongTokens)('%s is refused with one word, and the log says %s', async (_what, why, make) => {
    const before = await countOf(why);
    const answer = await identify(await make());
    const { title, detail, code, ...problem } = (await answer.json()) as Record<string, string>;
    expect([answer.status, code, title ?? detail]).toEqual([401, 'unauthenticated', expect.any(String)]);
    expect(JSON.stringify({ title, detail, problem })).not.toMatch(/workload|issuer|audience|expired/);
    expect(await countOf(why)).toBe(before + 1);
  });

  test('opens nothing for people and nothing for programs', async () => {
    for (const path of ['/api/users', '/api/session', '/scim/v2/Users', '/metrics'])
      expect(
        (await fetch(`${two.nodes[0].url}${path}`, { headers: { authorization: `Bearer ${await issuer.sign()}` } }))
          .status,
      ).toBe(401);
  });

  test('that two servers could ask with is refused', async () => {
    await bind(ledger, { subject: 'system:serviceaccount:ledger:*' });
    const kid = await kidOf({ subject: 'system:serviceaccount:ledger:*' });
    // As two bindings that are made at the same moment at two nodes.
    await two.query(`UPDATE workload SET subject = 'system:serviceaccount:payments:*' WHERE kid = $1`, [kid]);
    const before = await countOf('workload-ambiguous');
    expect((await identify(await issuer.sign())).status).toBe(401);
    expect(await countOf('workload-ambiguous')).toBe(before + 1);
    expect((await ben.call('DELETE', `/api/workloads/${kid}`)).status).toBe(204);
    expect((await identify(await issuer.sign())).status).toBe(200);
  });

  test('of a workload of another server reads nothing of this one', async () => {
    const request = await askingAt(two.nodes[0].url, await issuer.sign()).open();
    const other = await issuer.sign({ sub: 'repo:acme/ledger:ref:refs/heads/main', repository: 'acme/ledger' });
    const answer = await fetch(`${two.nodes[0].url}/v1/elicitations/${request.id}`, {
      headers: { authorization: `Bearer ${other}` },
    });
    expect(answer.status).toBe(404);
  });
});

describe('a workload', () => {
  test.each(['system:serviceaccount:payments:refunds', 'system:serviceaccount:payments:*', 'sys*:service*:pay*:ref*'])(
    'of a server is bound to no other one: the administrators of a space do not end it by %s',
    async (pattern) => {
      const { engine } = two.nodes[0];
      const space = await addSpace(engine, 'operator', `Ledger ${pattern.length}`);
      await moveToSpace(engine, 'operator', { server: ledger as ServerId, space });
      const mallory = await openMember(two.nodes[0], { space, role: 'space-admin' }, 'approver', 'password');
      await openMember(two.nodes[0], { space, role: 'space-admin' }, 'approver', 'password');
      const path = `/api/servers/${ledger}/workloads`;
      const answer = await mallory.call('POST', path, terms({ subject: pattern, claims: { namespace: 'payments' } }));
      expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ path: ['subject'] }] }]);
      expect(await (await identify(await issuer.sign())).json()).toMatchObject({ name: 'payments' });
    },
  );

  test.each(['constructor', 'toString', 'hasOwnProperty'])(
    'of which the claim %s is demanded is none without it',
    async (name) => {
      const sub = `system:serviceaccount:odd:${name}`;
      await bind(payments, { subject: sub, claims: { [name]: 'odd' } });
      expect((await identify(await issuer.sign({ sub }))).status).toBe(401);
      expect((await identify(await issuer.sign({ sub, [name]: 'odd' }))).status).toBe(200);
    },
  );

  test.each([
    ['of an issuer that the operator has not named', { issuer: 'https://evil.example.com' }, 'issuer'],
    ['that is everyone', { subject: '*' }, 'subject'],
    ['with a * within a part', { subject: 'repo:a*b:x' }, 'subject'],
    ['without an audience', { audience: '' }, 'audience'],
  ])('is not bound %s', async (_what, parts, at) => {
    const response = await ada.call('POST', `/api/servers/${payments}/workloads`, terms(parts));
    expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ path: [at] }] }]);
  });

  test('of two that overlap, bound to two servers at two nodes at once, one is refused', async () => {
    const [{ engine: first }, { engine: second }] = two.nodes;
    const bindTo = (server: string, pattern: string) =>
      newWorkload(server as ServerId, { ...terms({}), subject: pattern, claims: {} });
    const race = raceInDirectory(
      two,
      () => addWorkload(first, 'operator', bindTo(payments, 'race:a')),
      () => addWorkload(second, 'operator', bindTo(ledger, 'race:*')),
    );
    expect(await race).toEqual(['done', 'INVALID_INPUT']);
  });

  test.each([ownServer, testServer])('never asks as $name: Assentry itself has no credentials', async ({ id }) => {
    const response = await ada.call('POST', `/api/servers/${id}/workloads`, terms({ subject: 'repo:acme/itself' }));
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'not-found' }]);
  });

  test('asks nothing before a second administrator has accepted it, and nothing once it is removed, at any node', async () => {
    const sub = 'system:serviceaccount:later:one';
    const response = await ada.call('POST', `/api/servers/${payments}/workloads`, terms({ subject: sub }));
    expect((await identify(await issuer.sign({ sub }))).status).toBe(401);
    const { request } = await json<WaitingChange>(response);
    const { digest } = await ben.show(request);
    await ben.vote({ id: request, digest }, { opened: [''] });
    const token = await issuer.sign({ sub });
    const asking = askingAt(two.nodes[1].url, token);
    const opened: OpenedElicitation = await asking.open();
    expect(opened.status).toBe('open');
    await ada.call('DELETE', `/api/workloads/${await kidOf({ subject: sub })}`);
    for (const node of [0, 1] as const) expect((await identify(token, node)).status).toBe(401);
    const again = await asking.call('POST', '/v1/elicitations', question);
    expect(again.status).toBe(401);
  });

  test('asks by the client library with a token that is read at each call', async () => {
    let reads = 0;
    const client = createClient({
      url: two.nodes[0].url,
      token: async () => {
        reads += 1;
        return issuer.sign({ jti: `token-${reads}` });
      },
    });
    expect(await client.identify()).toMatchObject({ name: 'payments' });
    expect(await client.identify()).toMatchObject({ name: 'payments' });
    expect(reads).toBe(2);
  });
});
