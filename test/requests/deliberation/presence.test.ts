import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { DelegationList } from '#people/delegations/contract';
import { presenceFor, stricterPresence, type Presence } from '#people/directory/contract/presence';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { browserAt, openBrowser, type Browser } from '../../support/nodes/console.ts';
import { beginAt, signInBy } from '../../support/nodes/federated-sign-in.ts';
import { startHostileProvider, type HostileProvider } from '../../support/nodes/hostile-provider.ts';
import { startNamedHouse, type NamedHouse } from '../../support/nodes/named-house.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

const stages = '[{ name: One, approvers: anyone }]';
const minutes = 60_000;
type Asked = { id: string; digest: string };

const codeOf = async (answer: Promise<Response>): Promise<unknown[]> => {
  const { code, refusal } = await json<{ code?: string; refusal?: object }>(answer);
  return [(await answer).status, code, ...(refusal ? [refusal] : [])];
};

describe('a policy that asks for an acr', () => {
  let acme: HostileProvider;
  let server: TestServer;
  let asking: Asking;
  let clock = Date.now();
  beforeAll(async () => {
    acme = await startHostileProvider('acme', () => clock);
    const newPeople = { role: 'approver', domains: ['example.com'], claims: {}, verifiedBy: 'email_verified' } as const;
    server = await startTestServer({ now: () => clock, signInProviders: [acme.settings({ newPeople })] });
    asking = askingAt(server.url, await server.newServerKey());
    await openBrowser(server);
    await server.applyPolicies([
      `policy: wire\nmatch: { tool: wire }\nrequire: { stages: ${stages}, presence: { acr: phr } }`,
    ]);
  });
  afterAll(async () => {
    await server?.stop();
    await acme?.close();
  });

  const ada = { sub: 'ada', email: 'ada@example.com', email_verified: true };
  const wire = (): Promise<Asked> => asking.open({ tool: { name: 'wire' } });
  const vote = (by: Browser, { id, digest }: Asked, parts: object = { action: 'accept', content: {} }) =>
    by.call('POST', `/api/elicitations/${id}/vote`, { digest, ...parts });
  const needed = [403, 'fresh-sign-in-needed', { code: 'acr-needed', values: { acr: 'phr' } }];

  /** Signs in at the provider, which vouches for this much. */
  async function signedIn(acr: string, cookie?: string): Promise<Browser> {
    const begun = cookie === undefined ? undefined : await beginAt(server.url, 'acme', { cookie, way: '/confirm' });
    const back = await signInBy(acme, server.url, { ...ada, acr }, begun);
    const headers = { cookie: back.cookie ?? '' };
    const { user } = await json<{ user: Browser['user'] }>(fetch(`${server.url}/api/session`, { headers }));
    return browserAt(server.url, user, back.cookie ?? '');
  }

  test('takes an approval after a sign-in of the last ten minutes with it, and no other; the log names it', async () => {
    const other = await signedIn('mfa');
    const request = await wire();
    expect(await codeOf(vote(other, request))).toEqual(needed);
    const proven = await signedIn('phr', other.cookie);
    clock += 11 * minutes;
    expect(await codeOf(vote(proven, request))).toEqual(needed);
    const again = await signedIn('phr', proven.cookie);
    expect((await vote(again, request)).status).toBe(200);
    const { timeline } = await again.show(request.id);
    expect(timeline.length).toBeGreaterThan(1);
    const history = await server.engine.reader.history(request.id as never);
    const entries = history.map((body) => JSON.parse(Buffer.from(body).toString()) as object);
    expect(entries[0]).toMatchObject({ type: 'elicitation.opened', presence: { acr: 'phr' } });
    expect(entries).toContainEqual(expect.objectContaining({ type: 'elicitation.voted', factor: 'oidc', acr: 'phr' }));
  });

  test('takes a decline without it, and a password proves none', async () => {
    const by = await openBrowser(server, 'approver', 'password');
    expect(await codeOf(vote(by, await wire()))).toEqual(needed);
    expect((await vote(by, await wire(), { action: 'decline', comment: 'no' })).status).toBe(200);
  });

  test('asks the provider for it', async () => {
    const { cookie } = await signedIn('mfa');
    const answer = await fetch(`${server.url}/api/sign-in/acme/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url, cookie },
      body: JSON.stringify({ returnTo: '/', acr: 'phr' }),
    });
    const { location } = await json<{ location: string }>(answer);
    const { searchParams } = new URL(location);
    expect([searchParams.get('acr_values'), searchParams.get('prompt')]).toEqual(['phr', 'login']);
  });
});

describe('at high risk in production', () => {
  let ahead = 0;
  let house: NamedHouse;
  beforeAll(async () => {
    const defaults = { requester: 'any', readingTime: 0 } as const;
    house = await startNamedHouse({ environment: 'production', defaults, now: () => Date.now() + ahead });
    await person();
    await house.nodes[0].applyPolicies([
      `policy: silent\nmatch: { tool: silent }\nrequire: { stages: ${stages}, risk: high }`,
      `policy: medium\nmatch: { tool: medium }\nrequire: { stages: ${stages}, risk: medium }`,
      `policy: lenient\nmatch: { tool: lenient }\nrequire: { stages: ${stages}, presence: none, risk: high }`,
    ]);
  });
  afterAll(() => house?.stop());

  const person = () => openBrowser(house.nodes[0], 'approver', 'password');
  const ask = (tool: string): Promise<Asked> =>
    house.asking.open({ tool: { name: tool }, requester: { subject: 'alice', verified: true } });
  const vote = (by: Browser, { id, digest }: Asked) =>
    house.call(by, 'POST', `/api/elicitations/${id}/vote`, { action: 'accept', content: {}, digest }, 1);
  const signingOf = async (by: Browser, { id }: Asked) =>
    (await json<ElicitationDetail>(house.call(by, 'GET', `/api/elicitations/${id}`))).signing;

  test('a person who has a passkey signs their approval, unless a policy says what it needs', async () => {
    const ada = await person();
    const { device } = await house.enrol(ada);
    const request = await ask('silent');
    expect(await signingOf(ada, request)).toEqual({ isReady: true });
    expect(await codeOf(vote(ada, request))).toEqual([403, 'passkey-needed']);
    expect((await house.approve(ada, device, request)).status).toBe(200);
    const lenient = await ask('lenient');
    expect([await signingOf(ada, lenient), (await vote(ada, lenient)).status]).toEqual([null, 200]);
    const medium = await ask('medium');
    expect([await signingOf(ada, medium), (await vote(ada, medium)).status]).toEqual([null, 200]);
  });

  test('a session that was left open, or stolen, lets no ally sign in its person’s seat', async () => {
    const [ada, ally, admin] = [await person(), await person(), await openBrowser(house.nodes[0], 'admin')];
    const delegated = { toId: ally.user.id, endsAt: Date.now() + ahead + 60 * minutes };
    const entrust = (by: Browser) => house.call(by, 'POST', '/api/delegations', delegated);
    expect(await codeOf(entrust(await openBrowser(house.nodes[0], 'approver', 'link')))).toEqual([
      403,
      'fresh-sign-in-needed',
    ]);
    expect((await entrust(ada)).status).toBe(201);
    ahead += 11 * minutes;
    expect(await codeOf(entrust(ada))).toEqual([403, 'fresh-sign-in-needed']);
    const all = await json<DelegationList>(house.call(admin, 'GET', '/api/delegations'));
    expect(all.delegations.filter(({ from }) => from.id === ada.user.id)).toHaveLength(1);
  });

  test('a person who has none approves without', async () => {
    const [bob, request] = [await person(), await ask('silent')];
    expect([await signingOf(bob, request), (await vote(bob, request)).status]).toEqual([null, 200]);
  });
});

const word = (presence: Presence): string => (typeof presence === 'object' ? presence.acr : presence);

describe('what an approval needs', () => {
  const high = { risk: 'high', environment: 'production', hasPasskey: true } as const;
  const silent = { needed: 'none', hasDefault: true } as const;

  test.each([
    ['of who has a passkey, at high risk in production', silent, high, 'passkey'],
    ['under any other name than trial', silent, { ...high, environment: 'staging' }, 'passkey'],
    ['in a trial', silent, { ...high, environment: 'trial' }, 'none'],
    ['at medium risk', silent, { ...high, risk: 'medium' }, 'none'],
    ['of who has no passkey', silent, { ...high, hasPasskey: false }, 'none'],
    ['by a policy that says none', { needed: 'none', hasDefault: false }, high, 'none'],
    ['by one that is silent and one that is not', { needed: 'fresh-sign-in', hasDefault: true }, high, 'passkey'],
  ] as const)('%s', (_what, term, approval, needed) => {
    expect(presenceFor(term, approval)).toBe(needed);
  });

  test('of two is the least that is no weaker than both, in any order', () => {
    const all: Presence[] = ['none', 'fresh-sign-in', { acr: 'a' }, { acr: 'b' }, 'passkey'];
    const rows = all.map((first) => all.map((other) => word(stricterPresence(first, other))));
    expect(rows).toEqual([
      ['none', 'fresh-sign-in', 'a', 'b', 'passkey'],
      ['fresh-sign-in', 'fresh-sign-in', 'a', 'b', 'passkey'],
      ['a', 'a', 'a', 'passkey', 'passkey'],
      ['b', 'b', 'passkey', 'b', 'passkey'],
      ['passkey', 'passkey', 'passkey', 'passkey', 'passkey'],
    ]);
  });
});
