import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { readEntry } from '#audit/entries/rules/entry';
import type { PolicyDetail, ShadowReport, Simulation } from '#policies/contract/documents';
import { rolePermissions } from '#people/roles/contract';
import { addRole } from '#people/roles/verbs';
import { json } from '../../support/json.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { newGroup, publish } from '../../support/requests/policies.ts';

const server = await startTestServer({ environment: 'production' });
const log = new pg.Client({ connectionString: server.databaseUrl });
await log.connect();
afterAll(async () => {
  await log.end();
  await server.stop();
});
await addRole(server.engine, 'operator', {
  name: 'author',
  permissions: rolePermissions.filter((name) => name === 'write-policies'),
});
const asking = askingAt(server.url, await server.newServerKey());
const [author, admin, treasurer] = [
  await openBrowser(server, 'author'),
  await openBrowser(server, 'admin'),
  await openBrowser(server),
];
await newGroup(server, 'treasury', [treasurer]);
await publish(
  server,
  'policy: pay\nmatch: { tool: pay }\nrequire: { requester: any, stages: [{ name: One, approvers: { group: treasury } }] }',
);
const requester = { subject: 'alice' };
const request = await asking.open({ tool: { name: 'pay' }, arguments: { iban: 'DE89' }, requester });

const guess = (text: string): string =>
  `policy: pay\nmatch: { tool: pay }\nrules:\n  - when: request.args.iban.startsWith("${text}")\n    require: { stages: [{ name: Hit, approvers: anyone }] }\n  - require: { stages: [{ name: Miss, approvers: anyone }] }`;
const simulate = (by: typeof author, document: string) =>
  json<Simulation>(by.call('POST', '/api/policies/simulate', { document, last: 20 }));

test('a simulation tells its reader nothing of a request that they may not read', async () => {
  expect((await author.call('GET', `/api/elicitations/${request.id}`)).status).toBe(404);
  const [hit, miss] = [await simulate(author, guess('DE8')), await simulate(author, guess('DE7'))];
  expect(hit).toEqual(miss);
  expect(hit).toMatchObject({ requests: [], totals: { requests: 0, different: 0, decided: 0, withheld: 1 } });
});

test('an administrator simulates with a request after giving a reason to read it, and the log names it', async () => {
  expect(await simulate(admin, guess('DE8'))).toMatchObject({ requests: [], totals: { withheld: 1 } });
  await admin.look(request.id);
  expect(await simulate(admin, guess('DE8'))).toMatchObject({
    requests: [{ elicitation: request.id, draft: { stages: [{ name: 'Hit' }] } }],
  });
  await server.engine.access.flush(Date.now() + 86_400_000);
  const { rows } = await log.query<{ body: Buffer }>(`SELECT body FROM audit_entry WHERE type = 'access.listed'`);
  const simulations = rows
    .map(({ body }) => readEntry(body))
    .filter((entry) => 'what' in entry && entry.what === 'simulation');
  expect(simulations).toContainEqual(
    expect.objectContaining({ actor: { kind: 'user', id: admin.user.id }, about: [request.id] }),
  );
});

test('a version runs in shadow mode only once it is approved, and tells of requests that its reader may read', async () => {
  await author.call('POST', '/api/policies', { document: guess('DE8') });
  await author.call('POST', '/api/policies/pay/versions/2/submit');
  const shadow = () => author.call('POST', '/api/policies/pay/shadow', { version: 2 });
  expect(await (await shadow()).json()).toMatchObject({ code: 'not-now', refusal: { code: 'not-approved' } });
  const { digest } = await json<PolicyDetail>(admin.call('GET', '/api/policies/pay/versions/2'));
  await admin.call('POST', '/api/policies/pay/versions/2/review', { verdict: 'approve', digest });
  expect((await shadow()).status).toBe(200);
  const later = await asking.open({ tool: { name: 'pay' }, arguments: { iban: 'DE89' }, requester });
  const report = async (by: typeof author) => json<ShadowReport>(by.call('GET', '/api/policies/pay/shadow'));
  expect(await report(author)).toEqual({ name: 'pay', total: 0, different: 0, results: [] });
  await admin.look(later.id);
  expect(await report(admin)).toMatchObject({ total: 1, results: [{ elicitation: later.id }] });
});
