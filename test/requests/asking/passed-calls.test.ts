import { afterAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { sha256Hex } from '#platform/crypto/digest';
import { setUser, publish } from '../../support/requests/policies.ts';
import type { PassedCallContent } from '#requests/deliberation/contract/deliberation';
import type { ElicitationId } from '#platform/model/id';
import { eraseOutlived } from '#keeping/content/verbs/erase';
import { dumpDatabase } from '../../support/databases/database-dump.ts';
import { json } from '../../support/json.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { sequenceAll, verify } from '../../support/nodes/log.ts';
import { startTestServer } from '../../support/nodes/server.ts';

// The arguments of calls that policies let pass: sealed, read by those who may read a request's content, and erasable.

let now = Date.parse('2026-08-03T08:00:00Z');
const server = await startTestServer({ now: () => now, sessions: { idle: 1e12, longest: 1e12 } });
const database = new pg.Client({ connectionString: server.databaseUrl });
await database.connect();
afterAll(async () => {
  await database.end();
  await server.stop();
});
const reading = 'policy: reading\nmatch: { annotations: { readOnlyHint: true } }\nkeep: 7d\nallow: { ceiling: low }';
await publish(server, reading, 'policy: lasting\nmatch: { tool: last }\npriority: 5\nallow: { ceiling: low }');
const asking = askingAt(server.url, await server.newServerKey('files'));
const [reviewer, eve] = [await openBrowser(server, 'reviewer'), await openBrowser(server)];

interface Passed {
  args: object;
  subject?: string;
  report?: string;
  policy?: string;
}

const newReport = (): string => randomBytes(16).toString('hex');

const reportAll = (calls: Passed[]) =>
  asking.call('POST', '/v1/passes', {
    passes: calls.map(({ args, subject = 'ada', report = newReport(), policy = 'reading@1' }) => ({
      tool: { name: 'list', annotations: { readOnlyHint: true } },
      requester: { subject, verified: true },
      ran: [
        {
          id: report,
          policy,
          run: 'ab'.repeat(32),
          arguments: JSON.stringify(args).slice(0, 8_192),
          length: JSON.stringify(args).length,
        },
      ],
    })),
  });

const latest = async () => {
  const { rows } = await database.query(
    `SELECT id, audit.entry(body) AS entry FROM audit_entry WHERE type = 'call.passed' ORDER BY seq DESC LIMIT 1`,
  );
  return rows[0] as { id: string; entry: { said: string } };
};

/** A call that passed, by the id of its entry. */
async function pass(args: object, rest: Omit<Passed, 'args'> = {}): Promise<string> {
  expect((await reportAll([{ args, ...rest }])).status).toBe(200);
  return (await latest()).id;
}

const read = (by: Browser, id: string, reason?: string) =>
  by.call('POST', `/api/passed-calls/${id}/read`, reason === undefined ? {} : { reason });
const why = 'A customer has asked who read their file.';
const entriesOf = async (type: string) =>
  (
    await database.query('SELECT audit.entry(body) AS entry FROM audit_entry WHERE type = $1 ORDER BY seq', [type])
  ).rows.map(({ entry }) => entry as Record<string, unknown>);

test('are stored sealed with the entry, which has their digest, and nothing of them is readable in a dump', async () => {
  const id = await pass({ path: '/canary/of/a/passed/call' });
  const { rows } = await database.query('SELECT arguments FROM passed_call WHERE id = $1', [id]);
  expect((await latest()).entry.said).toBe(sha256Hex((rows[0] as { arguments: Buffer }).arguments));
  expect(await dumpDatabase(server.databaseUrl)).not.toContain('canary/of/a/passed');
  await sequenceAll(server.engine);
  expect((await verify(server.engine)).fault).toBeNull();
});

test('are read by who watches over requests, with a reason that is logged, and by no one else', async () => {
  const id = await pass({ path: '/read' });
  expect(await read(reviewer, id)).toMatchObject({ status: 403 });
  expect(await json(read(eve, id, why))).toMatchObject({ code: 'not-found' });
  expect(await json<PassedCallContent>(read(reviewer, id, why))).toMatchObject({
    id,
    server: 'files',
    tool: 'list',
    policy: 'reading@1',
    arguments: '{"path":"/read"}',
    length: 16,
  });
  const [entry, ...others] = (await entriesOf('call.read')).filter(({ call }) => call === id);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ serverName: 'files', tool: 'list', said: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await dumpDatabase(server.databaseUrl)).not.toContain('A customer has asked');
  expect(await json(read(reviewer, 'aud_AAAAAAAAAAAAAAAAAAAAAA', why))).toMatchObject({ code: 'not-found' });
});

test('are read by their verified requester without a reason, each time as an entry', async () => {
  const frank = await openBrowser(server);
  await setUser(server, frank, { subjects: ['frank'] });
  const id = await pass({ path: '/own' }, { subject: 'frank' });
  expect(await json<PassedCallContent>(read(frank, id))).toMatchObject({ arguments: '{"path":"/own"}' });
  expect((await entriesOf('call.read')).at(-1)).toMatchObject({ call: id, actor: { kind: 'user', id: frank.user.id } });
});

test('say how much of them was cut', async () => {
  const id = await pass({ text: 'x'.repeat(20_000) });
  const content = await json<PassedCallContent>(read(reviewer, id, why));
  expect([content.arguments.length, content.length]).toEqual([8_192, 20_011]);
});

test('are kept once, whatever comes with a second report of the call', async () => {
  const report = newReport();
  const id = await pass({ path: '/first' }, { report });
  await reportAll([
    { args: { path: '/second' }, report },
    { args: { path: '/third' }, report },
  ]);
  expect(await json<PassedCallContent>(read(reviewer, id, why))).toMatchObject({ arguments: '{"path":"/first"}' });
});

test('are there with the entry or neither is', async () => {
  const before = (await entriesOf('call.passed')).length;
  await database.query('ALTER TABLE passed_call ADD CONSTRAINT full_disk CHECK (false) NOT VALID');
  const failed = await reportAll([{ args: { path: '/lost' } }]);
  await database.query('ALTER TABLE passed_call DROP CONSTRAINT full_disk');
  expect(failed.status).toBeGreaterThanOrEqual(500);
  expect(await entriesOf('call.passed')).toHaveLength(before);
});

const isErased = async (id: string): Promise<boolean> => (await read(reviewer, id, why)).status === 410;
const day = 86_400_000;

test('are erased with everything of their requester, and of no one else', async () => {
  const [gone, kept] = [await pass({ path: '/gone' }, { subject: 'gone' }), await pass({ path: '/kept' })];
  const request = await asking.open({ requester: { subject: 'gone', verified: true } });
  await asking.call('POST', `/v1/elicitations/${request.id}/cancel`, {});
  now += 7_200_000;
  await server.eraseContent({ request: request.id as ElicitationId, of: 'requester', ground: 'asked' });
  expect([await isErased(gone), await isErased(kept)]).toEqual([true, false]);
  expect((await entriesOf('call.erased')).at(-1)).toMatchObject({
    serverName: 'files',
    calls: [gone],
    ground: 'asked',
    actor: { kind: 'operator' },
  });
  const { rows } = await database.query('SELECT data_key, length(owner) AS owner FROM passed_call WHERE id = $1', [
    gone,
  ]);
  expect(rows).toEqual([{ data_key: null, owner: 0 }]);
});

test('are not erased while a legal hold keeps their server, and are once it is released', async () => {
  const id = await pass({ path: '/held' }, { subject: 'zoe' });
  const elsewhere = askingAt(server.url, await server.newServerKey('elsewhere'));
  const erase = async () => {
    const { id: request } = await elsewhere.open({ requester: { subject: 'zoe', verified: true } });
    await elsewhere.call('POST', `/v1/elicitations/${request}/cancel`, {});
    now += 7_200_000;
    return server.eraseContent({ request: request as ElicitationId, of: 'requester', ground: 'asked' });
  };
  const hold = { scope: 'server', request: null, server: 'files', reason: 'A court has asked for it.' } as const;
  const { id: placed } = await server.placeHold(hold);
  expect(await erase()).toMatchObject({ erased: 1, held: 0 });
  expect(await isErased(id)).toBe(false);
  await server.releaseHold(placed);
  await erase();
  expect(await isErased(id)).toBe(true);
});

test('are erased when the policy that let them pass keeps content no longer', async () => {
  const [brief, lasting] = [await pass({ path: '/brief' }), await pass({ path: '/last' }, { policy: 'lasting@1' })];
  now += 6 * day;
  await eraseOutlived(server.engine);
  expect([await isErased(brief), await isErased(lasting)]).toEqual([false, false]);
  now += day + 1;
  await eraseOutlived(server.engine);
  expect([await isErased(brief), await isErased(lasting)]).toEqual([true, false]);
  const entries = (await entriesOf('call.erased')).filter(({ ground }) => ground === 'policy');
  expect(entries.flatMap(({ calls }) => calls)).toContain(brief);
  expect(entries.at(-1)).toMatchObject({ actor: { kind: 'policy', policy: 'reading@1' } });
});
