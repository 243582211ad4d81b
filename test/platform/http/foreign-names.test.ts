import { afterAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { GrantList } from '#requests/grants/contract';
import { routes, type RouteContract, type RouteId } from '#platform/http/contract/openapi';
import { auditEntry } from '#audit/entries/rules/entry';
import { newApiKey } from '#access/tokens/rules';
import { newId } from '#platform/crypto/random';
import { applyPolicies } from '#policies/verbs/apply';
import { saveDraft } from '#policies/verbs/draft';
import { stopCalls } from '#requests/stops/verbs';
import { createToken, prepareToken } from '#access/tokens/verbs/admin-tokens';
import { addRole, type NewRole } from '#people/roles/verbs';
import { delegate } from '#people/delegations/verbs';
import { addWorkload, newWorkload } from '#access/workloads/verbs';
import { addGroup, changeMembers } from '#people/groups/verbs';
import { addSpace, moveToSpace } from '#people/spaces/verbs';
import { idPattern, idPrefixes, type IdKind, type SpaceId } from '#platform/model/id';
import { spaceRoles } from '#people/roles/contract';
import { openTableDigests } from '../../support/databases/table-contents.ts';
import { drawFrom } from '../../support/draw.ts';
import { json } from '../../support/json.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, openMember, type Browser } from '../../support/nodes/console.ts';
import { sequenceAll } from '../../support/nodes/log.ts';
import { oktaUser, scimAt, scimProvider } from '../../support/nodes/scim.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { addTotpRow } from '../../support/nodes/totp-row.ts';
import { startWorkloadIssuer } from '../../support/nodes/workload-issuer.ts';
import { addPassedCall } from '../../support/requests/passed-call.ts';
import { valueFrom } from '../../support/requests/from-schema.ts';
import { nameThings } from '../../support/requests/route-path.ts';
import { drawn, isNight } from '../../support/runs.ts';

/** Each is sent twice: with what belongs to someone else, and with what is not there. */
const pairs = { drawn: 2_200, byDay: 200 };
const batchSize = 25;
/** Of routes that have no stranger here: their callers hold nothing of their own. */
const otherAuth: RouteContract['auth'][] = ['none', 'token', 'signature', 'connector', 'operator'];

interface Stranger {
  name: string;
  headers: Record<string, string>;
  /** The routes at which none of the foreign things are theirs. */
  calls(route: RouteContract): boolean;
  /** The node that lets them in no further; the first one, if absent. */
  url?: string;
}

const kinds = Object.keys(idPrefixes) as IdKind[];

/** What they permit is about everyone, so that no one sees a space by it. Who tends requests looks after delegations and shared lists as well. */
const rolesOfOwn: NewRole[] = [
  { name: 'voter', permissions: ['decide'] },
  { name: 'webhook-keeper', permissions: ['change-webhooks'] },
  { name: 'eraser', permissions: ['hold-content'] },
  { name: 'tender', permissions: ['decide', 'tend-requests'] },
];
const policy = (name: string, tool: string, more = '') =>
  `policy: ${name}\nmatch: { tool: ${tool} }\nrequire: { stages: [{ name: One, approvers: { group: Zebras } }]${more} }\n`;

const slack = { token: 'xoxb-0000-test', signingSecret: '0'.repeat(32), apiUrl: 'http://127.0.0.1:9/' };
const issuer = await startWorkloadIssuer((iss) => {
  const iat = Math.floor(Date.now() / 1000) - 5;
  return { iss, aud: 'assentry', sub: 'care', iat, exp: iat + 3_500 };
});
const workloadIssuers = [{ issuer: issuer.url, longestLife: 3_600 }];
const signInProviders = [scimProvider('okta'), scimProvider('other')];
// No timer becomes due while the requests are sent.
let clock = Date.now();
const now = () => clock;
const server = await startTestServer({ slack, signInProviders, workloadIssuers, now });
/** A node on the same database, where everyone needs a second factor. */
const strict = await startTestServer({ slack, databaseUrl: server.databaseUrl, secondFactor: 'required', now });
const { engine, url } = server;
const spaceOf = async (name: string, groupName: string, serverName: string) => {
  const space = await addSpace(engine, 'operator', name);
  const group = await addGroup(engine, 'operator', { name: groupName });
  const asking = askingAt(url, await server.newServerKey(serverName));
  const { servers } = await engine.directory.read();
  const { id } = servers.find((candidate) => candidate.name === serverName)!;
  await moveToSpace(engine, 'operator', { space, group });
  await moveToSpace(engine, 'operator', { space, server: id });
  const kid = (await engine.servers.keys()).find(({ server: of }) => of.name === serverName)?.kid ?? '';
  return { space, group, asking, server: id, kid };
};
const zebra = await spaceOf('Zebra space', 'Zebras', 'zebra-server');
const care = await spaceOf('Care', 'Carers', 'care-server');
const member = (space: SpaceId, role: (typeof spaceRoles)[number]): Promise<Browser> =>
  openMember(server, { space, role }, 'approver', 'password');
const vera = await member(zebra.space, 'space-admin');
await changeMembers(engine, 'operator', zebra.group, { add: [vera.user.id] });
const shared = askingAt(url, await server.newServerKey());
const things = await nameThings(server, shared, await shared.open());
const granting = ', grant: { longest: 8h, budget: { argument: amount, total: 1000 } }';
/** Global policies, which everyone reads. */
const everyones: string[] = [
  policy('herders-ask', '"transfer_*"'),
  policy('herders-grant', 'zebra_granting', granting),
];
await applyPolicies(engine, everyones);
const requester = { subject: 'zebra-person', verified: true };
const opened = await zebra.asking.open({ message: 'Pay the zebra herder in Lhasa?', requester });
const ended = await zebra.asking.open({ requester });
await zebra.asking.call('POST', `/v1/elicitations/${ended.id}/cancel`, {});
const granted = await zebra.asking.open({ tool: { name: 'zebra_granting' }, requester });
await vera.vote(granted, { allowFor: 3_600_000 });
const { grants } = await json<GrantList>(vera.call('GET', '/api/grants'));
await vera.call('POST', `/api/elicitations/${opened.id}/inquiry`, { digest: opened.digest, message: 'Zebra why?' });
await saveDraft(engine, vera.user, {
  document: 'policy: zebra-draft\nmatch: { tool: nothing }\ndeny: { reason: No. }\n',
  space: zebra.space,
});
const stop = await stopCalls(engine, vera.user, { server: 'zebra-server', tool: 'zebra_tool', reason: 'A test.' });
const posed = await zebra.asking.open({ tool: { name: 'zebra_asks' }, audience: 'requester', requester });
const binding = { principal: requester, method: 'tools/call', tool: 'zebra_asks', argumentsDigest: '0'.repeat(64) };
const { state } = await json<{ state: string }>(
  zebra.asking.call('POST', '/v1/states', { toolCall: posed.toolCall, binding }),
);
const passed = await addPassedCall(server, { id: zebra.server, name: 'zebra-server' }, '{"place":"Lhasa"}');
const passkey = await addPasskey(vera);
const [okta, other] = [await server.scim.createToken('okta'), await server.scim.createToken('other')];
const zoe = (await scimAt(url, okta.token).call('POST', '/Users', oktaUser('zoe'))).body.id;
const admin = await openBrowser(server, 'admin', 'password');
const { token, record } = prepareToken(admin.user, {
  name: 'Zebra token',
  permissions: ['change-webhooks'],
  networks: [],
  expiresAt: engine.now() + 86_400_000,
});
await createToken(engine, admin.user, record);
const mine = await care.asking.open({ tool: { name: 'caring' } });
const bound = { issuer: issuer.url, audience: 'assentry', subject: 'care', claims: {} };
await addWorkload(engine, 'operator', newWorkload(care.server, bound));
const workload = { authorization: `Bearer ${await issuer.sign()}` };
const owner = await openBrowser(server, 'approver', 'password');
await server.setOwner('care-server', owner.user.email);
const standIn = await openBrowser(server, 'approver', 'password');
await delegate(engine, owner.user, { toId: standIn.user.id, endsAt: engine.now() + 86_400_000 });
const signedOut = await openBrowser(server, 'admin');
await signedOut.call('DELETE', '/api/session');
const [unfinished, enrolled] = [
  await openBrowser(strict, 'admin', 'password'),
  await openBrowser(strict, 'admin', 'password'),
];
await addTotpRow(engine, enrolled.user.id);
const asPerson = ({ cookie }: Browser) => ({ cookie, origin: url });
const forPeople: Stranger['calls'] = ({ auth }) => auth.startsWith('session');
const person = async (name: string, browser: Browser | Promise<Browser>): Promise<Stranger> => ({
  name,
  headers: asPerson(await browser),
  calls: forPeople,
});
const isPersonal = ({ path }: RouteContract) => /^\/api\/(account|views|notifications\/devices)/.test(path);
const ofOwnRole = async ({ name, permissions }: NewRole): Promise<Stranger> => {
  await addRole(engine, 'operator', { name, permissions });
  const browser = await openBrowser(server, name, 'password');
  return {
    name: `a ${name}`,
    headers: asPerson(browser),
    calls: (route) =>
      forPeople(route) &&
      !permissions.includes(route.permission ?? '') &&
      !(permissions.includes('tend-requests') && /^\/api\/(delegations|views)/.test(route.path)),
  };
};
const strangers: Stranger[] = [
  { name: 'another server', headers: { authorization: `Bearer ${care.asking.key}` }, calls: (r) => r.auth === 'key' },
  await person('an approver', openBrowser(server, 'approver', 'password')),
  ...(await Promise.all(spaceRoles.map((role) => person(`a ${role} of another space`, member(care.space, role))))),
  await person('the owner of another server', owner),
  await person('who stands in for them', standIn),
  ...(await Promise.all(rolesOfOwn.map(ofOwnRole))),
  { name: 'an administrator', headers: asPerson(admin), calls: isPersonal },
  { name: 'an administrator who signed out', headers: asPerson(signedOut), calls: forPeople },
  ...[unfinished, enrolled].map((browser, at): Stranger => ({
    name: `an administrator whose second factor is ${at === 0 ? 'missing' : 'not proven'}`,
    headers: { cookie: browser.cookie, origin: strict.url },
    calls: (route) => forPeople(route) && route.isOpenAt === undefined,
    url: strict.url,
  })),
  { name: 'a workload of another server', headers: workload, calls: ({ auth }) => auth === 'key' },
  { name: 'a workload for an administrator', headers: workload, calls: forPeople },
  {
    name: 'a provider for an administrator or a server',
    headers: { authorization: `Bearer ${other.token}` },
    calls: (route) => forPeople(route) || route.auth === 'key',
  },
  {
    name: 'a token with another permission',
    headers: { authorization: `Bearer ${token}` },
    calls: ({ auth, permission }) =>
      auth === 'session-or-token' && permission !== null && permission !== 'change-webhooks',
  },
  { name: 'another provider', headers: { authorization: `Bearer ${other.token}` }, calls: (r) => r.auth === 'scim' },
  {
    name: 'a cookie that holds a key',
    headers: { cookie: `assentry=${zebra.asking.key}`, origin: url },
    calls: forPeople,
  },
  { name: 'a key for an administrator', headers: { authorization: `Bearer ${care.asking.key}` }, calls: forPeople },
  { name: 'a cookie for a server', headers: asPerson(vera), calls: (r) => r.auth === 'key' || r.auth === 'scim' },
];
/** What belongs to others, by the kind of id or the name of the field. */
const foreign: Partial<Record<string, string[]>> = {
  elicitation: [opened.id, ended.id, granted.id],
  toolCall: [opened.toolCall, granted.toolCall],
  entry: [passed],
  server: [zebra.server, 'zebra-server'],
  user: [vera.user.id, things.user, zoe],
  group: [zebra.group, 'Zebras'],
  delegation: [things.delegation],
  grant: grants.filter(({ elicitation }) => elicitation === granted.id).map(({ id }) => id),
  stop: [stop.id],
  hold: [things.hold],
  webhook: [things.webhook],
  device: [things.device],
  session: [things.session],
  passkey: [passkey],
  credential: [things.credential, things.connection, things.secret],
  savedView: [things.savedView],
  space: [zebra.space],
  change: [things.change],
  role: [things.role],
  kid: [zebra.kid, record.kid],
  name: ['zebra-draft'],
  policy: ['zebra-draft'],
  tool: ['zebra_tool'],
  requester: ['zebra-person'],
  digest: [opened.digest, granted.digest],
  state: [state],
};
/** The same of the strangers themselves. */
const own: Partial<Record<string, string[]>> = {
  server: [care.server],
  group: [care.group],
  space: [care.space],
  elicitation: [mine.id],
};
/** Nobody else reads these. */
const secrets: string[] = [
  ...Object.entries(foreign).flatMap(([kind, values = []]) =>
    ['user', 'change', 'role'].includes(kind) ? [] : values,
  ),
  'Lhasa',
  'Zebra',
  'zebra',
];
clock += 1_000; // what ends now is no part of a period until now
await sequenceAll(engine);
expect(Object.entries(foreign).filter(([, values = []]) => values.length === 0 || values.includes(''))).toEqual([]);
const tables = await openTableDigests(server.databaseUrl);
afterAll(async () => {
  await tables.close();
  await strict.stop();
  await server.stop();
  issuer.server.close();
  issuer.server.closeAllConnections();
});

async function addPasskey({ user }: Browser): Promise<string> {
  const [id, entryId, addedAt] = [newId('passkey'), newId('entry'), server.engine.now()];
  const named = { credentialId: 'zebra-passkey', name: 'Zebra key', publicKey: new Uint8Array(77) };
  const rest = {
    aaguid: '00000000-0000-0000-0000-000000000000',
    isBackedUp: false,
    isSyncable: false,
    transports: [],
    issuedBy: null,
  };
  const event = { type: 'user.passkey-added', user: user.id, passkey: id, credential: named.credentialId } as const;
  const entry = auditEntry(entryId, addedAt, { kind: 'user', id: user.id }, event as never);
  const passkey = { id, entryId, userId: user.id, ...named, ...rest, addedAt, removedAt: null };
  expect(await server.engine.passkeys.add(passkey, 0, entry, async () => {})).toBe('added');
  return id;
}

/** What people see of each other, or say of themselves, is in these: a name in them is a wish of their own. */
const ownChanges: RouteId[] = [
  'saveView',
  'delegate',
  'changeNotificationSettings',
  'openElicitation',
  'reportTools',
  'renewPasses',
  'sealRound',
];

const listed = Object.entries<RouteContract>(routes).filter(
  ([id, { events, auth }]) => !events && !otherAuth.includes(auth) && !ownChanges.includes(id as RouteId),
) as [RouteId, RouteContract][];

/** Names in these paths belong to no one. */
const sameForAll = /ResourceTypes|Schemas|reports/;

interface Drawn {
  id: RouteId;
  stranger: Stranger;
  method: string;
  path: string;
  body: string | undefined;
  /** The foreign texts in it, each with one that is not there. */
  absent: Map<string, string>;
}

function drawRequest([id, route]: [RouteId, RouteContract], draw: () => number): Drawn | null {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(draw() * list.length)] as T;
  const stranger = pick(strangers.filter(({ calls }) => calls(route)));
  const absent = new Map<string, string>();
  let isOwn = false;
  const take = (kind: string, isText: (text: string) => boolean, ownShare: number): string | undefined => {
    const mine = own[kind]?.filter(isText) ?? [];
    if (mine.length > 0 && draw() < ownShare) {
      isOwn = true;
      return pick(mine);
    }
    const values = foreign[kind]?.filter(isText) ?? [];
    if (values.length === 0) return undefined;
    const value = pick(values);
    absent.set(value, absent.get(value) ?? absentAs(kind, value));
    return value;
  };
  const textFor = (name: string, pattern: string | undefined, ownShare = 0.2): string | undefined => {
    const kind = kinds.find((kind) => idPattern(kind).source === pattern);
    // Everyone who is signed in reads who there is, so that a question about a person may say that there is no such one.
    if (name === 'person') return pick(foreign.user ?? []);
    if (kind) return take(kind, (text) => idPattern(kind).test(text), ownShare);
    if (pattern === '^[0-9a-f]{64}$') return take('digest', () => true, 0);
    if (name === 'ids') return take('elicitation', () => true, ownShare);
    if (name === 'name') return 'Something';
    return take(name, (text) => !kinds.some((kind) => idPattern(kind).test(text)), 0);
  };
  const names = Object.keys(route.params?.shape ?? {});
  const filled = new Map(
    names.map((name) => {
      const kind = kindInPath(route.path);
      const text =
        name === 'id' && kind ? take(kind, (value) => idPattern(prefixKind(kind)).test(value), 0.15) : undefined;
      const named = name === 'user' ? take('user', () => true, 0) : take(name, () => true, 0);
      return [
        name,
        text ?? named ?? { version: '1', level: 'entries', tile: '000.p/1', provider: 'okta' }[name] ?? 'x',
      ];
    }),
  );
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(filled.get(name) ?? 'x'));
  const drawing = { draw, textFor, optional: 0.4 };
  const query = route.query ? (valueFrom(route.query, { ...drawing, optional: 0.3 }) as Record<string, unknown>) : {};
  const search = new URLSearchParams(
    Object.entries(query)
      .filter(([key]) => !['cursor', 'wait', 'order', 'from', 'to', 'until', 'zone', 'hours'].includes(key))
      .map(([key, value]) => [key, String(value)]),
  ).toString();
  const body = route.body && JSON.stringify(valueFrom(route.body, drawing));
  // Everyone may name people, for what is their own to change.
  const isTheirsToChange = isOwn && [...absent.keys()].every((name) => idPattern('user').test(name));
  if (absent.size === 0 || isTheirsToChange || namesNothing(id, body)) return null;
  const method = route.method.toUpperCase();
  return { id, stranger, method, path: search ? `${path}?${search}` : path, body, absent };
}

/** What is made for a request or a call that comes later belongs to no one yet. */
const namesNothing = (id: RouteId, body: string | undefined): boolean =>
  (id === 'mintToken' && !body?.includes('eli_')) || (id === 'beginMemo' && !body?.includes('"toolCall"'));

const inPath: [RegExp, string][] = [
  [/tool-calls/, 'toolCall'],
  [/changes/, 'change'],
  [/views/, 'savedView'],
  [/devices/, 'device'],
  [/passed-calls/, 'entry'],
  [/connections|secrets/, 'credential'],
  [/elicitations|audit\/requests/, 'elicitation'],
  [/scim\/v2\/Users/, 'user'],
  [/scim\/v2\/Groups/, 'group'],
  ...kinds.map((kind): [RegExp, string] => [new RegExp(`/${kind}s/`), kind]),
];
const kindInPath = (path: string): string | undefined => inPath.find(([pattern]) => pattern.test(path))?.[1];
/** A change is asked for as a request. */
const prefixKind = (kind: string): IdKind => (kind === 'change' ? 'elicitation' : (kind as IdKind));

function absentAs(kind: string, value: string): string {
  const idKind = kinds.find((candidate) => idPattern(candidate).test(value));
  if (idKind) return newId(idKind);
  if (kind === 'digest') return randomBytes(32).toString('hex');
  if (kind === 'kid') return newApiKey().kid;
  if (kind === 'state') return `${value.slice(0, -4)}AAAA`;
  return `absent${value.slice(6)}`;
}

/** Each route as often as the others. */
function drawRequests(): Drawn[] {
  const draw = drawFrom(20_261_126);
  const requests: Drawn[] = [];
  for (let at = 0; requests.length < pairs.drawn; at += 1) {
    const request = drawRequest(listed[at % listed.length]!, draw);
    if (request) requests.push(request);
  }
  return requests;
}

interface Answer {
  status: number;
  text: string;
}

async function send({ stranger, method, path, body }: Drawn, replace: (text: string) => string): Promise<Answer> {
  const response = await fetch(`${stranger.url ?? server.url}${replace(path)}`, {
    method,
    headers: { ...stranger.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: replace(body) }),
    redirect: 'manual',
  });
  return { status: response.status, text: await response.text() };
}

/** One answer as its caller can tell it from another: what was named is the same for all. */
const tellable = ({ status, text }: Answer, { absent }: Drawn) =>
  `${status} ${[...absent].flat().reduce((result, name) => result.replaceAll(name, '…'), plain(text))}`;
/** What differs from answer to answer, and is no news of what was named. */
const plain = (text: string): string => text.replaceAll(/"(requestId|errorId|now|at)":("[^"]*"|\d+)/g, '"$1":null');

const describeDrawn = ({ stranger, method, path, body = '' }: Drawn) => `${stranger.name}: ${method} ${path} ${body}`;

test('what belongs to others is not read, not changed, and answered as what is not there', async () => {
  const answers = new Map<RouteId, Set<number>>();
  const sent = new Set<Stranger>();
  let before = await tables.read();
  const requests = drawn('foreign names', drawRequests(), {
    least: pairs.byDay,
    values: ({ id, stranger }) => [id, stranger.name],
  });
  for (let at = 0; at < requests.length; at += batchSize) {
    const batch = requests.slice(at, at + batchSize);
    for (const request of batch) {
      const theirs = await send(request, (text) => text);
      const none = await send(request, (text) =>
        [...request.absent].reduce((result, [from, to]) => result.replaceAll(from, to), text),
      );
      const shown = tellable(theirs, request);
      expect([describeDrawn(request), shown]).toEqual([describeDrawn(request), tellable(none, request)]);
      expect([describeDrawn(request), secrets.filter((secret) => shown.includes(secret))]).toEqual([
        describeDrawn(request),
        [],
      ]);
      sent.add(request.stranger);
      answers.set(request.id, (answers.get(request.id) ?? new Set()).add(theirs.status));
    }
    const after = await tables.read();
    const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
    expect(changed.length > 0 ? [changed, ...batch.map(describeDrawn)] : []).toEqual([]);
    before = after;
  }
  // Else the test would say little: everyone tried, every route that can name something was tried, and most bodies were read.
  expect(strangers.filter((stranger) => !sent.has(stranger)).map(({ name }) => name)).toEqual([]);
  const named = listed.filter(([, { path }]) => /\{(id|kid|name)\}/.test(path) && !sameForAll.test(path));
  expect(named.map(([id]) => id).filter((id) => !answers.has(id))).toEqual([]);
  const unread = [...answers].filter(([, statuses]) => [...statuses].every((status) => status === 400));
  if (isNight) expect(unread.map(([id]) => id)).toEqual([]);
  expect(unread.length).toBeLessThan(answers.size / 4);
});

test('what is listed without a name has nothing that belongs to others', async () => {
  const lists = listed.filter(([, { method, path }]) => method === 'get' && !path.includes('{'));
  expect(lists.length).toBeGreaterThan(30);
  const before = await tables.read();
  const readers = strangers.filter(({ name }) => name !== 'an administrator');
  const requests = lists.flatMap(([id, route]) =>
    readers
      .filter(({ calls }) => calls(route))
      .map((stranger): Drawn => ({
        id,
        stranger,
        method: 'GET',
        path: route.path,
        body: undefined,
        absent: new Map(),
      })),
  );
  const sent = drawn('foreign lists', requests, {
    least: pairs.byDay,
    values: ({ id, stranger }) => [id, stranger.name],
  });
  for (const request of sent) {
    // The log of a request of one's own says who was told of it, and where.
    const receivers = request.path.startsWith('/api/audit') ? [...foreign['webhook']!, ...foreign['device']!] : [];
    const isTold = (secret: string): boolean =>
      receivers.includes(secret) ||
      (request.path.startsWith('/api/policies') && everyones.some((document) => document.includes(secret)));
    const { text } = await send(request, (value) => value);
    const shown = secrets.filter((secret) => !isTold(secret) && text.includes(secret));
    expect([describeDrawn(request), shown]).toEqual([describeDrawn(request), []]);
  }
  expect(await tables.read()).toEqual(before);
});

test("to end a session of someone else's does not make the nodes read all sessions again", async () => {
  const epoch = async () => (await tables.read())['epoch'];
  const [before, { headers }] = [await epoch(), strangers.find(({ name }) => name === 'an approver')!];
  const path = `${server.url}/api/account/sessions/${foreign['session']?.[0]}`;
  expect((await fetch(path, { method: 'DELETE', headers })).status).toBe(404);
  expect(await epoch()).toBe(before);
});
