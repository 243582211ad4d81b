import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { LogPage, Report } from '#audit/search/contract';
import type { Inbox } from '#requests/inbox/contract/inbox';
import { exportEntries } from '#audit/exports/verbs';
import { addSpace, moveToSpace } from '#people/spaces/verbs';
import { applyPolicies } from '#policies/verbs/apply';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { json } from '../../support/json.ts';
import { readExport } from '../../support/audit/read-export.ts';
import { manualStatements } from '../../support/audit/usual-answers.ts';
import { sequenceAll } from '../../support/nodes/log.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';

let server: TestServer;
let asking: Asking;
let ada: Browser;
let reviewer: Browser;
const rule = (name: string, tool: string, terms: string) => `policy: ${name}\nmatch: { tool: ${tool} }\n${terms}\n`;
const stage = 'require: { editable: { amount: { type: number } }, stages: [{ name: One, approvers: anyone }] }';

beforeAll(async () => {
  server = await startTestServer({ now: () => Date.parse('2026-08-03T08:00:00Z') });
  const { engine } = server;
  [ada, reviewer] = [await openBrowser(server), await openBrowser(server, 'reviewer')];
  await openBrowser(server);
  asking = askingAt(server.url, await server.newServerKey('billing'));
  const space = await addSpace(engine, 'operator', 'Payments');
  const { servers } = await engine.directory.read();
  await moveToSpace(engine, 'operator', { space, server: servers.find(({ name }) => name === 'billing')!.id });
  const everywhere = [
    rule('all-pay', 'pay', stage),
    rule('all-read', 'read', 'confirm: {}'),
    rule('all-send', 'send', 'allow: { ceiling: medium }'),
  ];
  await applyPolicies(engine, [...everywhere, rule('alone', 'alone', stage)]);
  const here = [rule('here-pay', 'pay', stage), rule('here-read', 'read', stage), rule('here-send', 'send', stage)];
  await applyPolicies(engine, [...here, rule('never-here', 'pay', `when: "false"\n${stage}`)], { space });
});
afterAll(() => server?.stop());

const declined = ({ digest }: { digest: string }) => ({ action: 'decline', digest, comment: 'Not this one.' });

test('the log names every policy that decided a request, those of the space of its server as well', async () => {
  const opened = await Promise.all(
    ['send', 'pay', 'read', 'alone'].map((tool) => asking.open({ tool: { name: tool } })),
  );
  const [send] = opened;
  const { digest } = await ada.show(send!.id);
  const edit = await ada.call('POST', `/api/elicitations/${send!.id}/edit`, { digest, arguments: { amount: 5 } });
  expect(edit.status).toBe(200);
  await sequenceAll(server.engine);
  const log = await readExport(server.engine);
  const decidedBy = (type: 'elicitation.opened' | 'elicitation.edited', id: string | undefined) =>
    log.flatMap((entry) =>
      entry.type === type && entry.elicitation === id ? [[entry.policy, entry.alsoBy ?? null]] : [],
    );
  expect(opened.flatMap(({ id }) => decidedBy('elicitation.opened', id))).toEqual([
    ['here-send@1', ['all-send@1']],
    ['all-pay@1', ['here-pay@1']],
    ['all-read@1', ['here-read@1']],
    ['alone@1', null],
  ]);
  expect(decidedBy('elicitation.edited', send!.id)).toEqual([['here-send@1', ['all-send@1']]]);
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  const { rows } = await client.query(manualStatements.at(-1)!.sql).finally(() => client.end());
  expect(rows).toHaveLength(4);
  expect(rows).toContainEqual(expect.objectContaining({ policy: 'all-pay@1', also_by: ['here-pay@1'] }));
});

test('a request is found by every policy that decided it, wherever requests and entries are narrowed by a policy', async () => {
  const request = await asking.open({ tool: { name: 'pay' } });
  const refused = await asking.open({ tool: { name: 'pay' } });
  const { digest } = await ada.show(request.id);
  expect((await ada.vote({ id: request.id, digest })).status).toBe(200);
  expect((await ada.call('POST', `/api/elicitations/${refused.id}/vote`, declined(refused))).status).toBe(200);
  await sequenceAll(server.engine);
  const ids: string[] = [request.id, refused.id].toSorted();
  const within = `from=0&to=${server.engine.now() + 60_000}`;
  for (const policy of ['all-pay', 'here-pay']) {
    const { columns, rows } = await json<Report>(
      reviewer.call('GET', `/api/audit/reports/requests?${within}&policy=${policy}`),
    );
    const [place, also] = ['request', 'also_by'].map((name) => columns.findIndex((column) => column.name === name));
    const own = rows.filter((cells) => ids.includes(String(cells[place!])));
    expect(own.map((cells) => cells[also!])).toEqual([['here-pay'], ['here-pay']]);
    const votes = await json<Report>(reviewer.call('GET', `/api/audit/reports/hasty?${within}&policy=${policy}`));
    expect(votes.rows.flat()).toContain(request.id);
    const { entries } = await json<LogPage>(reviewer.call('GET', `/api/audit/entries?policy=${policy}&limit=100`));
    const about = new Set(entries.map(({ entry }) => entry?.['elicitation']));
    expect(ids.filter((id) => about.has(id))).toEqual(ids);
    const lists = ['all', 'done'].map((view) =>
      json<Inbox>(reviewer.call('GET', `/api/elicitations?view=${view}&policy=${policy}&limit=100`)),
    );
    const listed = (await Promise.all(lists)).flatMap(({ items }) => items.map(({ id }) => id as string));
    expect(listed.filter((id) => ids.includes(id)).toSorted()).toEqual(ids);
    const parts: string[] = [];
    const write = async (text: string) => void parts.push(text);
    await exportEntries(server.engine, { filter: { policy }, format: 'jsonl' }, { write });
    for (const id of ids) expect(parts.join('')).toContain(id);
  }
  const none = await json<Report>(reviewer.call('GET', `/api/audit/reports/requests?${within}&policy=never-here`));
  expect([none.rows, none.unknown]).toEqual([[], []]);
});

test('who ended a request is a person or no one, where a server or a policy did', async () => {
  const withdrawn = await asking.open({ tool: { name: 'pay' } });
  expect((await asking.call('POST', `/v1/elicitations/${withdrawn.id}/cancel`, {})).status).toBe(200);
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  const sql = 'SELECT decided_by, person FROM audit.decisions WHERE request = $1';
  const { rows } = await client.query(sql, [withdrawn.id]).finally(() => client.end());
  expect(rows).toEqual([{ decided_by: 'server', person: null }]);
});
