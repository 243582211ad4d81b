import { afterAll, describe, expect, test } from '@jest/globals';
import { ProblemDocument } from '#platform/http/contract/problem';
import { routes, type RouteContract } from '#platform/http/contract/openapi';
import { malformedSchemas } from '../form/malformed-schemas.ts';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { fillPath, nameThings } from '../../support/requests/route-path.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { expectNoWrites, openRowCounts } from '../../support/databases/table-contents.ts';
import { wrongBodies } from '../../support/requests/wrong-bodies.ts';
import { drawn } from '../../support/runs.ts';

const start = Date.now();
const server = await startTestServer({ now: () => start }); // a window of repeated refusals that ended would write an entry
const asking = askingAt(server.url, await server.newServerKey());
const browser = await openBrowser(server, 'admin');
const opened = await asking.open();
const things = await nameThings(server, asking, opened);
const rows = await openRowCounts(server.databaseUrl);
expectNoWrites(rows);
afterAll(async () => {
  await rows.close();
  await server.stop();
});

/** What is answered in JSON; pages for people and SCIM say it in their own way, and chat is not served without its settings. */
const listed = Object.entries<RouteContract & { html?: true; form?: true }>(routes).filter(
  ([, { html, form, auth }]) => !html && !form && auth !== 'signature' && auth !== 'connector' && auth !== 'scim',
);
const withBody = listed.filter(([, { body }]) => body !== undefined);
let addresses = 0;

/** As anyone who may call this route; guessing is slowed for each address, so each call has its own. */
function send(route: RouteContract, { path = pathOf(route), body, headers = {} }: Sent = {}): Promise<Response> {
  addresses += 1;
  const from = { 'x-forwarded-for': `10.0.${addresses >> 8}.${addresses & 255}` };
  const existing =
    route.auth === 'key' ? { authorization: `Bearer ${asking.key}` } : { cookie: browser.cookie, origin: server.url };
  return fetch(`${server.url}${path}`, {
    method: route.method.toUpperCase(),
    headers: { ...existing, ...from, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
  });
}

interface Sent {
  path?: string;
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

const pathOf = (route: RouteContract): string => fillPath(route, things);

async function refused(response: Response): Promise<ProblemDocument> {
  const text = await response.text();
  expect([response.status, text]).toEqual([expect.any(Number), expect.stringMatching(/^\{/)]);
  expect(response.headers.get('content-type')).toMatch('application/problem+json');
  const problem = ProblemDocument.parse(JSON.parse(text));
  expect(problem.status).toBe(response.status);
  expect({ ...problem, isOurs: response.status >= 500 }).toMatchObject({ isOurs: false });
  expect(response.status).toBeGreaterThanOrEqual(400);
  return problem;
}

/** A route's path leads wherever its parameters fit, also to another one's fixed path. */
const patternOf = ({ path, isDeep }: RouteContract): RegExp =>
  new RegExp(`^${path.replace(/\{\w+\}$/, isDeep ? '.+' : '$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

const pathsIn = ({ errors = [] }: ProblemDocument): string[] => errors.map(({ path }) => path.join('.'));

describe('a value of another type, or a property too many', () => {
  test.each(withBody)('%s refuses it with its path', async (id, route) => {
    const cases = route.body ? wrongBodies(route.body) : [];
    expect(cases.length).toBeGreaterThan(5);
    for (const { name, body, path } of drawn(id, cases, { least: 4 })) {
      const problem = await refused(await send(route, { body: JSON.stringify(body) }));
      expect([name, problem.code]).toEqual([name, 'INVALID_INPUT']);
      if (path.length > 0) expect(pathsIn(problem)).toContain(path.join('.'));
    }
  });
});

test('what is missing or of another type is named in words', async () => {
  const body = { tool: { name: 7 }, arguments: [], message: '', audience: 'all', supersede: 1, ttl: 1.5 };
  const { errors = [] } = await refused(await send(routes.openElicitation, { body: JSON.stringify(body) }));
  expect(Object.fromEntries(errors.map(({ path, message }) => [path.join('.'), message]))).toEqual({
    'tool.name': 'Must be a string.',
    arguments: 'Must be an object.',
    message: 'Must be at least 1 character long.',
    requester: 'Give a value: this is missing.',
    audience: 'Must be requester or approvers.',
    supersede: 'Must be session or call or none.',
    ttl: 'Must be a whole number.',
  });
  const waiting = await refused(await send(routes.getElicitation, { path: `/v1/elicitations/${opened.id}?wait=30` }));
  expect(waiting.errors).toEqual([{ path: ['wait'], message: 'Must be at most 25.' }]);
});

test('a refusal of the whole body says what to send', async () => {
  const route = routes.openElicitation;
  const statusOf = async (sent: Sent, from: RouteContract = route) => {
    const { detail, errors = [] } = await refused(await send(from, sent));
    return detail ?? errors.map(({ message }) => message).join();
  };
  expect(await statusOf({ body: '' })).toBe('Send a JSON document.');
  expect(await statusOf({ body: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } })).toBe(
    'Send application/json as UTF-8; no other charset is read.',
  );
  expect(await statusOf({ body: JSON.stringify({ a: 'x'.repeat(1024 * 1024) }) })).toBe('Send at most 1048576 bytes.');
  expect(await statusOf({ path: '/v1/elicitations/eli_short' }, routes.getElicitation)).toBe(
    'Give an id from Assentry; it begins with eli_.',
  );
});

const strange: [string, string | Uint8Array<ArrayBuffer>][] = [
  ['nothing', ''],
  ['white space', '  \n'],
  ['a truncated object', '{"action":"accept"'],
  ['a truncated text', '{"action":"acc'],
  ['something after the end', '{} {}'],
  ['a comment', '{/* */}'],
  ['single quotes', "{'a':1}"],
  ['a trailing comma', '{"a":1,}'],
  ['a name twice', '{"digest":"a","digest":"b"}'],
  ['a name twice, once escaped', '{"digest":"a","\\u0064igest":"b"}'],
  ['__proto__', '{"__proto__":{"admin":true}}'],
  ['__proto__ inside', '{"a":{"\\u005f_proto__":1}}'],
  ['a constructor', '{"constructor":{"prototype":{"admin":true}}}'],
  ['an unsafe integer', '{"a":9007199254740993}'],
  ['an integer in disguise', '{"a":1e20}'],
  ['a number without end', '{"a":1e999}'],
  ['a fraction that would be kept as another', '{"a":0.12345678901234567890123}'],
  ['NaN', '{"a":NaN}'],
  ['a leading zero', '{"a":01}'],
  ['a lone surrogate', '{"a":"\\ud800"}'],
  ['a lone surrogate in a name', '{"\\udfff":1}'],
  ['a control character', '{"a":"\u0001"}'],
  ['depth', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['depth within limits of the size', `{"a":${'{"a":'.repeat(40)}1${'}'.repeat(41)}`],
  ['too many members', JSON.stringify({ a: Array(10_001).fill(0) })],
  ['a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, ...Buffer.from('{}')])],
  ['bytes that are no UTF-8', new Uint8Array([...Buffer.from('{"a":"'), 0xff, 0xc0, 0x80, ...Buffer.from('"}')])],
  ['an overlong slash', new Uint8Array([...Buffer.from('{"a":"'), 0xc0, 0xaf, ...Buffer.from('"}')])],
  ['UTF-16', new Uint8Array(Buffer.from('{"a":1}', 'utf16le'))],
];

describe('a body that is not JSON for everyone', () => {
  test.each(withBody)('%s refuses it', async (id, route) => {
    for (const [name, body] of drawn(id, strange, { least: 3 })) {
      const { code } = await refused(await send(route, { body }));
      expect([name, code]).toEqual([name, body.length > 16 * 1024 ? expect.any(String) : 'INVALID_INPUT']);
    }
  });

  test('says where in the body it is', async () => {
    const at = async (body: string) => pathsIn(await refused(await send(routes.openElicitation, { body })));
    expect(await at('{"arguments":{"a":[0,{"b":1,"b":2}]}}')).toEqual(['arguments.a.1.b']);
    expect(await at('{"arguments":{"__proto__":1}}')).toEqual(['arguments.__proto__']);
    expect(await at('{"arguments":{"n":12345678901234567890}}')).toEqual(['arguments.n']);
    expect(await at('{"arguments":{"n":[0.1,0.12345678901234567890123]}}')).toEqual(['arguments.n.1']);
    expect(await at('{"message":"\\ud834"}')).toEqual(['message']);
  });

  test('text that is not UTF-8 is never repaired into another text', async () => {
    const [head = '', tail = ''] = JSON.stringify(question).split('Transfer');
    const body = new Uint8Array([...Buffer.from(head), 0xe2, 0x82, ...Buffer.from(tail)]);
    expect((await refused(await send(routes.openElicitation, { body }))).code).toBe('INVALID_INPUT');
  });
});

describe('a body of another kind', () => {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonp',
    'x',
    '',
  ];
  test.each(withBody)('%s refuses it', async (id, route) => {
    for (const type of drawn(id, types, { least: 1 })) {
      const { code } = await refused(await send(route, { body: '{}', headers: { 'content-type': type } }));
      expect([type, code]).toEqual([type, 'unsupported-media-type']);
    }
    const headers = { 'content-type': 'application/json; charset=utf-16' };
    expect((await refused(await send(route, { body: '{}', headers }))).code).toBe('unsupported-media-type');
    const coded = { 'content-encoding': 'compress' };
    expect((await refused(await send(route, { body: '{}', headers: coded }))).code).toBe('unsupported-media-type');
    const zipped = { 'content-encoding': 'gzip' };
    expect((await refused(await send(route, { body: 'not zipped', headers: zipped }))).code).toBe('INVALID_INPUT');
    expect((await refused(await send(route))).code).toBe('unsupported-media-type');
  });

  const most = {
    key: 1_048_576,
    session: 262_144,
    'session-or-token': 1_048_576,
    token: 262_144,
    none: 16_384,
    signature: 0,
    connector: 0,
    operator: 0,
    scim: 0,
  };
  const bySender = { least: 10, values: ([, { auth }]: (typeof withBody)[number]) => [auth] };
  const sized = drawn('sized', withBody, bySender);
  test.each(sized)('%s reads as much as its sender may send, and not a byte more', async (_id, route) => {
    const bodyOf = (bytes: number): Sent => ({ body: `"${'x'.repeat(bytes - 2)}"` });
    expect((await refused(await send(route, bodyOf(most[route.auth])))).code).toBe('INVALID_INPUT');
    expect((await refused(await send(route, bodyOf(most[route.auth] + 1)))).code).toBe('body-too-large');
  });
});

describe('a schema outside the subset', () => {
  test.each(malformedSchemas())('$name is refused with the place in it', async ({ schema }) => {
    const body = JSON.stringify({ ...question, schema });
    const problem = await refused(await send(routes.openElicitation, { body }));
    if (body.length > 1_048_576) return expect(problem.code).toBe('body-too-large');
    expect(problem.code).toBe('INVALID_INPUT');
    const paths = pathsIn(problem);
    expect(paths).toEqual(paths.map(() => expect.stringMatching(/^schema/)));
    expect(paths).not.toEqual([]);
  });
});

describe('a question', () => {
  const nul = '\u0000';
  test.each<[string, Record<string, unknown>, string]>([
    ['without a message', { message: undefined }, 'message'],
    ['with an empty message', { message: '' }, 'message'],
    ['with a message that is too long', { message: 'x'.repeat(4001) }, 'message'],
    ['without a tool', { tool: undefined }, 'tool'],
    ['with a tool without a name', { tool: {} }, 'tool.name'],
    ['with a tool name PostgreSQL cannot hold', { tool: { name: `a${nul}` } }, 'tool.name'],
    ['with a step PostgreSQL cannot hold', { step: nul }, 'step'],
    ['with an attempt PostgreSQL cannot hold', { attempt: nul }, 'attempt'],
    ['with a digest that is none', { tool: { name: 'a', schemaDigest: 'F'.repeat(64) } }, 'tool.schemaDigest'],
    ['that lives too short', { ttl: 999 }, 'ttl'],
    ['that lives too long', { ttl: 2_592_000_001 }, 'ttl'],
    ['with a tool name that only looks like one', { tool: { name: 'wirе' } }, 'tool.name'],
    ['with a tool name that has a space', { tool: { name: 'wire ' } }, 'tool.name'],
    ['with a subject that only looks like one', { requester: { subject: 'ada ' } }, 'requester.subject'],
    [
      'with an issuer of two spellings',
      { requester: { subject: 'a', issuer: 'https://A.example' } },
      'requester.issuer',
    ],
    [
      'with a url that others read otherwise',
      { mode: 'url', schema: undefined, url: 'https://evil.example\\@good.example/' },
      'url',
    ],
    ['with a url in a form', { url: 'https://example.com' }, 'url'],
    ['with a url that is no address', { mode: 'url', schema: undefined, url: 'example' }, 'url'],
    ['with a url that is a script', { mode: 'url', schema: undefined, url: 'javascript:alert(1)' }, 'url'],
    ['with a url over plain http', { mode: 'url', schema: undefined, url: 'http://example.com' }, 'url'],
    ['with a url that names a user', { mode: 'url', schema: undefined, url: 'https://a:b@example.com' }, 'url'],
    [
      'with a password to fill in',
      { schema: { type: 'object', properties: { password: { type: 'string' } } } },
      'schema.properties.password',
    ],
  ])('%s is refused', async (_name, parts, path) => {
    const problem = await refused(
      await send(routes.openElicitation, { body: JSON.stringify({ ...question, ...parts }) }),
    );
    expect([problem.code, pathsIn(problem)]).toEqual(['INVALID_INPUT', expect.arrayContaining([path])]);
  });

  test.each(['', 'x'.repeat(257), 'ümlaut', 'tab\there'])('with the Idempotency-Key %j is refused', async (key) => {
    const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
    const problem = await refused(await send(routes.openElicitation, { body: JSON.stringify(question), headers }));
    expect([problem.code, pathsIn(problem)]).toEqual(['INVALID_INPUT', ['Idempotency-Key']]);
  });
});

describe('an answer or a vote that does not fit the form', () => {
  test.each<[string, unknown]>([
    ['content.confirmed', { confirmed: 'yes' }],
    ['content.other', { other: 1 }],
    ['content.confirmed', { confirmed: { deep: true } }],
    ['content.confirmed', { confirmed: [1] }],
    ['content', []],
    ['content', 'accept'],
  ])('is refused at %s: %j', async (path, content) => {
    const body = JSON.stringify({ action: 'accept', digest: opened.digest, content });
    const problem = await refused(await send(routes.castVote, { body }));
    expect([problem.code, pathsIn(problem)]).toEqual(['INVALID_INPUT', expect.arrayContaining([path])]);
  });

  test('declined without a reason is refused, with one of blanks too', async () => {
    for (const comment of [undefined, '', '   ']) {
      const body = JSON.stringify({ action: 'decline', digest: opened.digest, comment });
      expect(pathsIn(await refused(await send(routes.castVote, { body })))).toEqual(['comment']);
    }
  });

  test('with the digest of something else changes nothing', async () => {
    const body = JSON.stringify({ action: 'accept', digest: '0'.repeat(64), content: {} });
    expect(await refused(await send(routes.castVote, { body }))).toMatchObject({
      status: 412,
      code: 'digest-mismatch',
    });
  });
});

const badIds = [
  'eli_',
  'X',
  'eli_0',
  `eli_${'A'.repeat(23)}`,
  `ELI_${'A'.repeat(22)}`,
  `key_${'A'.repeat(22)}`,
  `eli_${'A'.repeat(21)}%00`,
  `eli_${'A'.repeat(21)}%27`,
  `eli_${'A'.repeat(22)}%0A`,
  '..%2f..%2fetc%2fpasswd',
  '%F0%9F%98%80',
  "1'%20OR%20'1'='1",
];

describe('a malformed id', () => {
  test.each(listed.filter(([, { params }]) => params !== undefined))('%s refuses it', async (routeId, route) => {
    const body = route.body && '{}';
    for (const id of drawn(routeId, badIds, { least: 2 })) {
      const path = route.path.replace(/\{\w+\}/, id);
      const problem = await refused(await send(route, { path, ...(body && { body }) }));
      expect([id, problem.code]).toEqual([id, expect.stringMatching(/INVALID_INPUT|not-found|token-invalid/)]);
      const names = Object.keys(route.params?.shape ?? {});
      if (problem.code === 'INVALID_INPUT') expect(names).toContain(pathsIn(problem)[0]);
    }
    const malformed = await refused(
      await send(route, { path: route.path.replace(/\{\w+\}/, '%E0%A4%A'), ...(body && { body }) }),
    );
    expect(malformed.status).toBe(400);
  });
});

const cursor = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a query', () => {
  const id = `eli_${'A'.repeat(22)}`;
  test.each([
    ['view=everything', 'view'],
    ['view=mine&view=all', 'view'],
    ['order=random', 'order'],
    ['status=gone', 'status'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['limit=Infinity', 'limit'],
    ['limit[]=1', 'limit[]'],
    ['page=2', 'page'],
    ['__proto__=1', '__proto__'],
    ['server=%00', 'server'],
    ['tool=a%00b', 'tool'],
    [`tool=${'x'.repeat(129)}`, 'tool'],
    ['group=%00', 'group'],
    ['requester=%20', 'requester'],
    [`requester=${'x'.repeat(801)}`, 'requester'],
    ['cursor=', 'cursor'],
    ['cursor=x', 'cursor'],
    ['cursor=%00', 'cursor'],
    [`cursor=${'x'.repeat(513)}`, 'cursor'],
    [`cursor=${cursor(null)}`, 'cursor'],
    [`cursor=${cursor([])}`, 'cursor'],
    [`cursor=${cursor({})}`, 'cursor'],
    [`cursor=${cursor({ rank: 0, at: 1 })}`, 'cursor'],
    [`cursor=${cursor({ rank: 9_007_199_254_740_991, at: 1, id })}`, 'cursor'],
    [`cursor=${cursor({ rank: -1, at: 1, id })}`, 'cursor'],
    [`cursor=${cursor({ rank: 0.5, at: 1, id })}`, 'cursor'],
    [`cursor=${cursor({ rank: 0, at: 1e300, id })}`, 'cursor'],
    [`cursor=${cursor({ rank: 0, at: 1, id: 'a\u0000b' })}`, 'cursor'],
    [`cursor=${cursor({ rank: 0, at: 1, id: "' OR 1=1 --" })}`, 'cursor'],
    [`cursor=${cursor({ rank: '0', at: '1', id })}`, 'cursor'],
  ])('of the inbox with %s is refused', async (query, path) => {
    const problem = await refused(await send(routes.listInbox, { path: `/api/elicitations?${query}` }));
    expect([problem.code, pathsIn(problem)]).toEqual(['INVALID_INPUT', expect.arrayContaining([path])]);
  });

  test.each([
    ['wait=-1', 'wait'],
    ['wait=26', 'wait'],
    ['wait=soon', 'wait'],
    ['wait=1&wait=2', 'wait'],
    ['wait=NaN', 'wait'],
    ['wait=Infinity', 'wait'],
    ['other=1', 'other'],
  ])('for a state with %s is refused', async (query, path) => {
    const problem = await refused(
      await send(routes.getElicitation, { path: `${pathOf(routes.getElicitation)}?${query}` }),
    );
    expect([problem.code, pathsIn(problem)]).toEqual(['INVALID_INPUT', expect.arrayContaining([path])]);
  });
});

describe('an address', () => {
  test.each([
    '/v1',
    '/v1/elicitation',
    '/api/nothing',
    '/api/elicitations/x/y',
    '/%E0%A4%A',
    '/assets/../package.json',
    '/assets/%2e%2e/x',
    '/.env',
  ])('that does not exist is refused: %s', async (path) => {
    expect([400, 404]).toContain((await refused(await fetch(`${server.url}${path}`))).status);
  });

  test.each(listed)('of %s takes no other method', async (id, route) => {
    const methods = Object.values<RouteContract>(routes)
      .filter((contract) => patternOf(contract).test(pathOf(route)))
      .map(({ method }) => method.toUpperCase());
    const others = ['PUT', 'PATCH', 'DELETE', 'POST'].filter((name) => !methods.includes(name));
    for (const method of drawn(id, others, { least: 2 })) {
      const response = await fetch(`${server.url}${pathOf(route)}`, { method });
      const allowed = response.headers.get('allow')?.split(', ').sort();
      expect([method, await refused(response)]).toMatchObject([method, { status: 405, code: 'method-not-allowed' }]);
      expect(allowed).toEqual([...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort());
    }
  });
});
