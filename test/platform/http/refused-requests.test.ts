import { afterAll, describe, expect, test } from '@jest/globals';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { routes, type RouteContract, type RouteId } from '#platform/http/contract/openapi';
import { freshFor } from '#access/sign-in/contract/authentication';
import { idPattern, idPrefixes, type IdKind } from '#platform/model/id';
import type { Permission } from '#people/directory/contract/permission';
import { rolePermissions } from '#people/roles/contract';
import { addRole } from '#people/roles/verbs';
import { openTableDigests } from '../../support/databases/table-contents.ts';
import { drawFrom } from '../../support/draw.ts';
import { json } from '../../support/json.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, signInAnew } from '../../support/nodes/console.ts';
import { scimAt, scimProvider } from '../../support/nodes/scim.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { valueFrom } from '../../support/requests/from-schema.ts';
import { fillPath, nameThings, type NamedThings } from '../../support/requests/route-path.ts';
import { drawn, runs, seedOf } from '../../support/runs.ts';

let now = 1_800_000_000_000;
const calls = 2;
const slack = { token: 'xoxb-0000-test', signingSecret: '0'.repeat(32), apiUrl: 'http://127.0.0.1:9/' };
const metricsToken = 'a-token-for-operators-of-32-characters';
const signInProviders = [scimProvider('okta')];
const options = { slack, metricsToken, signInProviders, now: () => now };
/** In a trial the things are made, and at the other nodes of the same database each act takes a proof. */
const trial = await startTestServer(options);
const { databaseUrl } = trial;
const server = await startTestServer({ ...options, environment: 'production', databaseUrl });
/** A node on the same database that takes a few calls a minute from an address. */
const limited = await startTestServer({
  ...options,
  environment: 'production',
  databaseUrl,
  trustedProxies: ['127.0.0.1'],
  rates: { opened: 1e6, calls, streams: 1e6, inProgress: 1e6, inProgressPerCaller: 1e6 },
});
const asking = askingAt(server.url, await server.newServerKey());
const foreign = askingAt(server.url, await server.newServerKey('foreign'));
const okta = await server.scim.createToken('okta');
const opened = await asking.open();
const things = await nameThings(trial, asking.at(trial.url), opened);
const scimGroup = await scimAt(server.url, okta.token).call('POST', '/Groups', { displayName: 'Provisioned' });
const admin = await openBrowser(server, 'admin');
const gone = await openBrowser(server, 'admin');
await gone.call('DELETE', '/api/session');

/** Someone who may do everything that a role can give, but this. */
async function openWithout(permission: Permission) {
  const permissions = rolePermissions.filter((other) => other !== permission);
  await addRole(server.engine, 'operator', { name: `all-but-${permission}`, permissions });
  return openBrowser(server, `all-but-${permission}`);
}
const permissionsOf = Object.values<RouteContract>(routes).flatMap(({ permission }) => permission ?? []);
const lacking = new Map<Permission, Awaited<ReturnType<typeof openWithout>>>();
for (const permission of new Set(permissionsOf)) lacking.set(permission, await openWithout(permission));
const stale = await signInAnew(server, admin);
now += freshFor;
const fresh = await signInAnew(server, admin);

const tables = await openTableDigests(databaseUrl);
afterAll(async () => {
  await tables.close();
  await limited.stop();
  await server.stop();
  await trial.stop();
});

interface Case {
  id: RouteId;
  route: RouteContract;
  fault: keyof typeof faults;
}

type Headers = Record<string, string>;

interface Fault {
  /** Does it stand before this route? */
  isFor(route: RouteContract): boolean;
  headers(route: RouteContract): Headers;
  /** Status and code of the refusal. */
  refusal(route: RouteContract): [number, string];
}

const forPeople = ({ auth }: RouteContract) => auth.startsWith('session');
const asPerson = ({ cookie }: { cookie: string }): Headers => ({ cookie, origin: server.url });
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

/** Someone who is let in and may do what the route does. */
function entitled(route: RouteContract): Headers {
  if (route.auth === 'key') return bearer(asking.key);
  if (route.auth === 'scim') return bearer(okta.token);
  if (route.auth === 'operator') return bearer(metricsToken);
  return asPerson(fresh);
}

const faults = {
  'signed out': {
    isFor: ({ auth }) => ['key', 'scim', 'operator', 'signature'].includes(auth) || auth.startsWith('session'),
    headers: (route) => (forPeople(route) ? asPerson(gone) : { origin: server.url }),
    refusal: () => [401, 'unauthenticated'],
  },
  'the wrong person': {
    isFor: ({ auth, permission, params }) => Boolean(permission) || (auth === 'key' && params !== undefined),
    headers: ({ auth, permission }) => (auth === 'key' ? bearer(foreign.key) : asPerson(lacking.get(permission!)!)),
    refusal: ({ auth }) => (auth === 'key' ? [404, 'not-found'] : [403, 'forbidden']),
  },
  'a proof that is too old': {
    isFor: ({ proof }) => proof === 'fresh' || proof === 'every-factor',
    headers: () => asPerson(stale),
    refusal: () => [403, 'fresh-sign-in-needed'],
  },
  'over the limit': { isFor: () => true, headers: entitled, refusal: () => [429, 'rate-limited'] },
} as const satisfies Record<string, Fault>;

const every = Object.entries<RouteContract>(routes).flatMap(([id, route]) =>
  (Object.keys(faults) as Case['fault'][])
    .filter((fault) => faults[fault].isFor(route))
    .map((fault): Case => ({ id: id as RouteId, route, fault })),
);

const seed = seedOf('bodies');
const draw = drawFrom(seed);
/** All of them by night, a part by day in which each kind of refusal is. */
const tried = drawn('refused requests', every, {
  least: runs(every.length),
  values: ({ fault, route }) => [fault, `${fault} ${route.auth}`],
}).map((each): [string, RouteId, Case] => [each.fault, each.id, each]);

const kinds = Object.keys(idPrefixes) as IdKind[];
const thingOf = (kind: IdKind): string | undefined => things[kind as keyof NamedThings];

/** A body that the route would take, about things that are there. */
const bodyOf = ({ body }: RouteContract): unknown =>
  body &&
  valueFrom(body, {
    draw,
    optional: 0.4,
    textFor(name, pattern) {
      const kind = kinds.find((candidate) => idPattern(candidate).source === pattern);
      if (kind) return thingOf(kind) ?? `${idPrefixes[kind]}_${'A'.repeat(22)}`;
      return pattern === '^[0-9a-f]{64}$' ? opened.digest : undefined;
    },
  });

const pathOf = (route: RouteContract): string =>
  route.path.includes('/scim/v2/Groups/') ? route.path.replace('{id}', scimGroup.body.id) : fillPath(route, things);

function send(url: string, route: RouteContract, headers: Headers): Promise<Response> {
  const body = bodyOf(route);
  return fetch(`${url}${pathOf(route)}`, {
    method: route.method.toUpperCase(),
    redirect: 'manual',
    headers: { ...(body !== undefined && { 'content-type': route.media ?? 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

let hosts = 0;
/** At the node that counts, after this caller has used up their calls, or those that let an approved call end. */
async function sendTooMany(route: RouteContract, caller: Headers): Promise<Response> {
  const address = { 'x-forwarded-for': `100.64.${Math.floor(++hosts / 250)}.${hosts % 250}` };
  const headers = { ...caller, ...(caller['cookie'] && { origin: limited.url }), ...address };
  const [method, path] = route.isOfExecution
    ? ['POST', `/v1/tool-calls/call_${'A'.repeat(22)}/release`]
    : ['GET', cheapPaths[route.auth] ?? '/healthz'];
  for (let at = 0; at < calls; at += 1)
    await fetch(`${limited.url}${path}`, { method, headers: { 'content-type': 'application/json', ...headers } });
  return send(limited.url, route, headers);
}

const cheapPaths: Partial<Record<RouteContract['auth'], string>> = {
  key: '/v1/identity',
  scim: '/scim/v2/ServiceProviderConfig',
  session: '/api/session',
  'session-or-token': '/api/session',
};

describe(`a request that the route would take, from one who may not (seed ${seed})`, () => {
  test.each(tried)('%s: is refused at %s, and nothing is written', async (_fault, id, { route, fault }) => {
    const { headers, refusal }: Fault = faults[fault];
    const before = await tables.read();
    const response =
      fault === 'over the limit'
        ? await sendTooMany(route, headers(route))
        : await send(server.url, route, headers(route));
    const [status, code] = refusal(route);
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
    const answered = isProblem ? (await json<ProblemDocument>(response)).code : (await response.arrayBuffer(), code);
    expect([id, response.status, answered]).toEqual([id, status, code]);
    expect(await tables.read()).toEqual(before);
  });
});
