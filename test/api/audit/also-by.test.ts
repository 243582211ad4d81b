import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { addSpace, moveToSpace } from '#server/engine/users/change-space';
import { applyPolicies } from '#server/engine/policies/apply-policies';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { readExport } from '../../support/audit/read-export.ts';
import { manualStatements } from '../../support/audit/usual-answers.ts';
import { sequenceAll } from '../../support/nodes/log.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const rule = (name: string, tool: string, terms: string) => `policy: ${name}\nmatch: { tool: ${tool} }\n${terms}\n`;
const stage = 'require: { editable: { amount: { type: number } }, stages: [{ name: One, approvers: anyone }] }';

const server = await startTestServer({ now: () => Date.parse('2026-08-03T08:00:00Z') });
afterAll(() => server.stop());
const { engine } = server;
const [ada] = [await openBrowser(server), await openBrowser(server)];
const asking = askingAt(server.url, await server.newServerKey('billing'));
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
