import { afterAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import pg from 'pg';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { AlwaysChoices } from '#policies/contract/documents';
import { declineNeedsComment } from '#requests/voting/contract/votes';
import { ProblemDocument } from '#platform/http/contract/problem';
import { routes, type RouteContract, type RouteId } from '#platform/http/contract/openapi';
import { deliberationExchanges } from '../../requests/deliberation/deliberation-exchanges.ts';
import { usersExchanges } from '../../people/users/users-exchanges.ts';
import { grantExchanges } from '../../requests/deliberation/grant-exchanges.ts';
import { policyExchanges } from '../../policies/versions/policy-exchanges.ts';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { readEvents } from '../../support/nodes/event-source.ts';
import { until } from '../../support/poll.ts';
import { mailsDown } from '../../support/nodes/mailed-link.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { entriesOfLast, routeEntries } from './route-entries.ts';
import { json } from '../../support/json.ts';

const metricsToken = 'a-token-for-operators-of-32-characters';
const server = await startTestServer({ metricsToken, smtp: mailsDown });
const asking = askingAt(server.url, await server.newServerKey());
const browser = await openBrowser(server);
const admin = await openBrowser(server, 'admin');
const log = new pg.Client({ connectionString: server.databaseUrl });
afterAll(async () => {
  await log.end();
  await server.stop();
});
await log.connect();
const document = await json<Document>(asking.call('GET', '/openapi.json'));

interface Operation {
  operationId: string;
  summary: string;
  security: Record<string, unknown[]>[];
  parameters: { name: string; in: string; required?: boolean; schema: unknown }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
}

interface Document {
  openapi: string;
  info: Record<string, unknown>;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, { type: string }> };
}

const listed = Object.entries<RouteContract & { html?: true }>(routes);
const operations = (): [string, string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
  );

describe('the document', () => {
  test('is valid OpenAPI 3.1', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d+$/),
      info: { title: 'Assentry', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    });
    const existings = [
      'openapi',
      'info',
      'paths',
      'components',
      'servers',
      'security',
      'tags',
      'webhooks',
      'externalDocs',
      'jsonSchemaDialect',
    ];
    expect(Object.keys(document).filter((key) => !existings.includes(key))).toEqual([]);
  });

  test('has every route of the table once, and no other', () => {
    const results = operations().map(([path, method, { operationId }]) => `${operationId} ${method} ${path}`);
    expect(results.sort()).toEqual(listed.map(([id, { method, path }]) => `${id} ${method} ${path}`).sort());
  });

  test('declares each parameter of each path, and no other', () => {
    for (const [path, , { parameters }] of operations()) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = parameters.filter((parameter) => parameter.in === 'path');
      expect(declared.map(({ name }) => name)).toEqual(inPath);
      expect(declared.every(({ required }) => required === true)).toBe(true);
      expect(
        parameters.every((parameter) => ['path', 'query', 'header'].includes(parameter.in) && parameter.schema),
      ).toBe(true);
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test.each(['CastVote', 'BulkVote'])('says that a decline needs a comment: %s', (name) => {
    const comment = expect.objectContaining({ description: expect.stringContaining('Needed to decline') });
    expect(document.components.schemas[name]).toMatchObject({
      properties: { comment },
      ...declineNeedsComment,
    });
  });

  test('has no reference that is broken or leads back to itself', () => {
    const references = referencesIn(document);
    expect(references.length).toBeGreaterThan(0);
    expect(references.filter((reference) => !leadsSomewhere(reference))).toEqual([]);
  });

  test('describes every answer, and names existing security schemes', () => {
    for (const [, , { responses, security, summary }] of operations()) {
      expect(summary).toMatch(/\.$/);
      expect(Object.keys(responses)).toContain('default');
      expect(Object.keys(responses).every((status) => status === 'default' || /^[2-5]\d\d$/.test(status))).toBe(true);
      expect(Object.values(responses).every(({ description }) => description.length > 0)).toBe(true);
      for (const name of security.flatMap(Object.keys))
        expect(document.components.securitySchemes).toHaveProperty(name);
    }
  });

  test('names the roles that a route for people needs, and none where everyone who is signed in may', () => {
    const needed = (path: string, method: string) => document.paths[path]?.[method];
    expect(needed('/api/keys', 'post')).toMatchObject({
      security: [{ session: ['admin', 'operator'] }, { adminToken: ['change-keys'] }],
      description:
        'Needs the permission change-keys, everywhere or in the space of what it is about. ' +
        'Outside of a trial, a person must have proven every factor that they have within ten minutes.',
    });
    expect(needed('/api/session', 'get')).toMatchObject({ security: [{ session: [] }] });
  });

  test('keeps properties that are called id', () => {
    expect(document.components.schemas).toMatchObject({
      ElicitationDetail: { properties: { id: { $ref: '#/components/schemas/ElicitationId' } } },
      ElicitationId: { type: 'string' },
    });
  });

  test('has one meaning for each name', () => {
    const meanings = new Map<string, unknown>();
    for (const [, { body, success, events }] of listed) {
      const output = [...Object.values(success), events].flatMap((schema) => schema ?? []);
      const used = [
        ...(body ? [definitionsOf(body, 'input')] : []),
        ...output.map((item) => definitionsOf(item, 'output')),
      ];
      for (const [name, schema] of used.flatMap(Object.entries<unknown>)) {
        expect([name, meanings.get(name) ?? schema]).toEqual([name, schema]);
        meanings.set(name, schema);
      }
    }
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining([...meanings.keys()]));
  });
});

const definitionsOf = (schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }).$defs ?? {};

const referencesIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
};

/** A reference that leads back to itself leads nowhere. */
function leadsSomewhere(reference: string, before: string[] = []): boolean {
  if (!reference.startsWith('#/') || before.includes(reference)) return false;
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
  const { $ref: next } = (target ?? {}) as { $ref?: string };
  return target !== undefined && (next === undefined || leadsSomewhere(next, [...before, reference]));
}

/** What each route answers when all is well, asked in this order. */
const exchanges: Partial<Record<RouteId, () => Promise<Response>>> = {
  openElicitation: () => asking.call('POST', '/v1/elicitations', { ...question, call: 'named' }),
  getElicitation: async () => asking.call('GET', `/v1/elicitations/${(await asking.open()).id}`),
  answerElicitation: async () => onOwn('answer', { action: 'accept', content: { confirmed: true } }),
  cancelElicitation: async () => onOwn('cancel', { cause: 'caller_gone' }),
  markCaller: async () => onOwn('caller', { state: 'gone' }),
  claimToolCall: async () => asking.claim((await decided()).toolCall, 'a'),
  releaseToolCall: async () => {
    const { toolCall } = await decided();
    await asking.claim(toolCall, 'a');
    return asking.call('POST', `/v1/tool-calls/${toolCall}/release`, { attempt: 'a' });
  },
  completeToolCall: async () => {
    const { toolCall } = await decided();
    await asking.claim(toolCall, 'a');
    const end = { attempt: 'a', delivered: false, result: { text: 'done' } };
    return asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, end);
  },
  beginMemo: async () =>
    asking.call('POST', '/v1/memos', { key: 'checkout', toolCall: (await asking.open()).toolCall }),
  keepMemo: async () => {
    const { toolCall } = await asking.open();
    const { id } = await json<{ id: string }>(asking.call('POST', '/v1/memos', { key: 'checkout', toolCall }));
    return asking.call('POST', `/v1/tool-calls/${toolCall}/memos`, { id, key: 'checkout', value: { url: 'x' } });
  },
  mintToken: () => asking.call('POST', '/v1/tokens', { session: 'alice' }),
  recognizePage: () =>
    asking.call('POST', '/v1/pages/recognize', { url: `${server.url}/go/x`, requester: { subject: 'alice' } }),
  signIn: async () => {
    const address = await server.signInAddress(browser.user);
    const link = new URLSearchParams(new URL(address).hash.slice(1)).get('link');
    return browser.call('POST', '/api/session', { link });
  },
  ...deliberationExchanges(() => ({ server, asking, browser, admin })),
  ...usersExchanges(
    () => server,
    () => admin,
  ),
  ...policyExchanges(
    () => server,
    () => admin,
  ),
  ...grantExchanges(() => server),
  whoAmI: () => browser.call('GET', '/api/session'),
  signOut: async () => (await openBrowser(server)).call('DELETE', '/api/session'),
  listInbox: () => browser.call('GET', '/api/elicitations?view=done&limit=3'),
  exportHistory: () => browser.call('GET', '/api/history?risk=low'),
  exportHistoryTable: () => browser.call('GET', '/api/history/csv?risk=medium'),
  showMachine: () => browser.call('GET', '/api/machine'),
  showElicitation: async () => browser.call('GET', `/api/elicitations/${(await decided()).id}`),
  compareApproved: async () => {
    await decided();
    return browser.call('GET', `/api/elicitations/${(await asking.open()).id}/differences`);
  },
  listSignals: async () => browser.call('GET', `/api/signals?ids=${(await asking.open()).id}`),
  showAlways: async () => admin.call('GET', `/api/elicitations/${(await looked()).id}/always`),
  allowAlways: async () => {
    const path = `/api/elicitations/${(await looked()).id}/always`;
    const { choices } = await json<AlwaysChoices>(admin.call('GET', path));
    return admin.call('POST', path, { policy: choices[0]?.policy });
  },
  listDeliveries: async () => browser.call('GET', `/api/elicitations/${(await decided()).id}/deliveries`),
  castVote: async () => onConsole('vote', { action: 'accept', content: { confirmed: true }, comment: 'yes' }),
  castVotes: async () => {
    const { id, digest } = await asking.open();
    return browser.call('POST', '/api/elicitations/votes', { items: [{ id, digest }], action: 'accept' });
  },
  withdrawElicitation: async () => onConsole('cancel', { comment: 'no longer needed' }),
  withdrawUnreadable: async () => {
    const { id } = await asking.open();
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    await client.query('UPDATE elicitation SET data_key = NULL WHERE id = $1', [id]).finally(() => client.end());
    return admin.call('POST', `/api/elicitations/${id}/withdraw-unreadable`);
  },
  revokeApproval: async () => {
    const { id, digest } = await decided();
    return browser.call('POST', `/api/elicitations/${id}/revoke`, { digest });
  },
  sendTestRequest: () => admin.call('POST', '/api/test-request'),
  getToolCall: async () => asking.call('GET', `/v1/tool-calls/${(await asking.open()).toolCall}`),
  getIdentity: () => asking.call('GET', '/v1/identity'),
  reportTools: () => {
    const facts = { annotations: { readOnlyHint: true }, definition: 'ab'.repeat(32) };
    return asking.call('POST', '/v1/tools', { tools: [{ name: 'search', ...facts, changed: 'cd'.repeat(32) }] });
  },
  listStops: () => admin.call('GET', '/api/stops'),
  makeStop: () => admin.call('POST', '/api/stops', stop),
  liftStop: async () => {
    const { id } = await server.stopCalls(stop);
    return admin.call('POST', `/api/stops/${id}/lift`);
  },
  getNotificationSettings: () => browser.call('GET', '/api/notifications/settings'),
  changeNotificationSettings: () => browser.call('PATCH', '/api/notifications/settings', { digest: 'daily' }),
  listWebhooks: () => admin.call('GET', '/api/webhooks'),
  addWebhook: () => admin.call('POST', '/api/webhooks', { url: 'https://192.0.2.1/exchange' }),
  removeWebhook: async () => admin.call('DELETE', `/api/webhooks/${(await webhook()).id}`),
  testWebhook: async () => admin.call('POST', `/api/webhooks/${(await webhook()).id}/test`),
  listNotifications: () => admin.call('GET', '/api/notifications?state=failed'),
  replayNotifications: () => admin.call('POST', '/api/notifications/replay', {}),
  extendElicitation: async () => onConsole('extend', { by: 60_000 }),
  eraseContent: async () => admin.call('POST', `/api/elicitations/${await settled()}/erase`, erasure),
  showErased: async () => {
    const id = await settled();
    await admin.call('POST', `/api/elicitations/${id}/erase`, erasure);
    return browser.call('GET', `/api/elicitations/${id}/erased`);
  },
  placeHold: () => placeHold(),
  listHolds: () => admin.call('GET', '/api/holds'),
  releaseHold: async () => {
    const { id } = await json<{ id: string }>(placeHold());
    return admin.call('POST', `/api/holds/${id}/release`);
  },
  getReceipt: async () => browser.call('GET', `/api/elicitations/${(await decided()).id}/receipt`),
  getOwnReceipt: async () => asking.call('GET', `/v1/elicitations/${(await decided()).id}/receipt`),
  showProof: () => admin.call('GET', '/api/audit/proof'),
  listAuditNames: () => admin.call('GET', '/api/audit/names'),
  verifyReceipt: () => admin.call('POST', '/api/audit/receipts', { receipt: 'none' }),
  showRecord: async () => admin.call('GET', `/api/audit/requests/${(await decided()).id}`),
  searchLog: () => admin.call('GET', '/api/audit/entries?outcome=open'),
  showInsights: () => admin.call('GET', '/api/insights?from=1700000000000&to=1710000000000'),
  runReport: () => admin.call('GET', '/api/audit/reports/approvals?from=0&to=4000000000000'),
  takeReport: () => admin.call('GET', '/api/audit/reports/approvals/csv?from=0&to=4000000000000'),
  getCheckpoint: () => admin.call('GET', '/log/checkpoint'),
  getTile: () => admin.call('GET', '/log/tile/0/000.p/1'),
  openApi: () => asking.call('GET', '/openapi.json'),
  isAlive: () => fetch(`${server.url}/healthz`),
  readMetrics: () => fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } }),
  isReady: () => fetch(`${server.url}/readyz`),
  readSystem: () => admin.call('GET', '/api/system'),
};

const onOwn = async (verb: string, body: unknown) =>
  asking.call('POST', `/v1/elicitations/${(await asking.open({ audience: 'requester' })).id}/${verb}`, body);
async function onConsole(verb: string, body: object): Promise<Response> {
  const { id, digest } = await asking.open();
  return browser.call('POST', `/api/elicitations/${id}/${verb}`, { ...body, digest });
}

const stop = { tool: 'stopped', reason: 'For a test.' };
const webhook = () => server.webhooks.add('https://192.0.2.1/exchange');
const erasure = { of: 'request', ground: 'asked' };
const placeHold = async (): Promise<Response> =>
  admin.call('POST', '/api/holds', { scope: 'request', request: (await asking.open()).id, reason: 'Case 14' });

/** The id of a request whose result was delivered. */
async function settled(): Promise<string> {
  const { id, toolCall } = await decided();
  await asking.claim(toolCall, 'a');
  await asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, { attempt: 'a', delivered: true });
  return id;
}

/** A request that the administrator may read, of a tool of its own. */
async function looked(): Promise<OpenedElicitation> {
  const opened = await asking.open({ tool: { name: 'pay_always' } });
  await admin.call('POST', `/api/elicitations/${opened.id}/look`, { reason: 'It is my turn to review.' });
  return opened;
}

async function decided(): Promise<OpenedElicitation> {
  const opened = await asking.open();
  const vote = { action: 'accept', content: { confirmed: true }, digest: opened.digest, comment: 'fine' };
  await browser.call('POST', `/api/elicitations/${opened.id}/vote`, vote);
  return opened;
}

describe('real answers are what the contract says, and leave the entries that they should', () => {
  test.each(Object.entries(exchanges))('%s', async (id, exchange) => {
    const { success, file } = routes[id as RouteId] as RouteContract;
    const { response, types } = await entriesOfLast(log, server.url, exchange);
    const text = await response.text();
    const expected = routeEntries[id as RouteId];
    if (typeof expected !== 'string') expect(types).toEqual(expect.arrayContaining(expected));
    expect([Object.keys(success), text]).toEqual([expect.arrayContaining([`${response.status}`]), expect.any(String)]);
    if (file) return expect([response.headers.get('content-type'), text]).toEqual([file, expect.stringMatching(/./)]);
    const schema = success[response.status];
    if (!schema) return expect(text).toBe('');
    const body: unknown = JSON.parse(text);
    // Parsed again, nothing is lost: the contract names everything that is answered.
    expect(schema.parse(body)).toEqual(body);
  });

  test.each([
    ['claimed', { state: 'claimed' }],
    ['running', { state: 'running' }],
    ['completed', { state: 'completed', result: { text: 'done' } }],
  ])('a claim of a call that is %s', async (_state, expected) => {
    const { toolCall } = await decided();
    const claim = async (attempt: string) => (await asking.claim(toolCall, attempt)).json();
    const first = await claim('a');
    const second = await claim('b');
    const complete = { attempt: 'a', delivered: false, result: { text: 'done' } };
    await asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, complete);
    const values = [first, second, await claim('c')];
    for (const item of values) expect(routes.claimToolCall.success[200].parse(item)).toEqual(item);
    expect(values).toContainEqual(expect.objectContaining(expected));
  });

  test('events of both streams', async () => {
    const outcomes = await readEvents(`${server.url}/v1/stream`, { authorization: `Bearer ${asking.key}` });
    const inbox = await readEvents(`${server.url}/api/stream`, { cookie: browser.cookie });
    await until(() => outcomes.events.length > 0 && inbox.events.length > 0);
    await decided();
    await until(() => outcomes.events.length > 1 && inbox.events.length > 2);
    for (const [{ events }, schema] of [
      [outcomes, routes.streamOutcomes.events],
      [inbox, routes.streamInbox.events],
    ] as const) {
      for (const { data } of events.slice(1)) expect(schema.parse(JSON.parse(data))).toEqual(JSON.parse(data));
    }
    outcomes.cut();
    inbox.cut();
  });

  test('problems', async () => {
    for (const response of [
      await fetch(`${server.url}/nothing`),
      await asking.call('POST', '/v1/elicitations', {}),
      await browser.call('GET', '/api/elicitations?limit=0'),
    ]) {
      const body: unknown = await response.json();
      expect(ProblemDocument.parse(body)).toEqual(body);
    }
  });
});
