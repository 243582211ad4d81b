import { afterAll, expect, test } from '@jest/globals';
import { takeDueTimers } from '#requests/state/verbs/end';
import { publish } from '../../support/requests/policies.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';

const minute = 60_000;
const hour = 60 * minute;
const opened = Date.parse('2026-11-20T18:00:00Z');
let now = opened;
const two = await startTwoNodes({ now: () => now });
afterAll(() => two.stop());
await two.nodes[0].newUser(); // who may vote

/** Asks under a policy with these terms, at six in the evening. */
async function askUnder(name: string, terms: string): Promise<string> {
  now = opened;
  await publish(
    two.nodes[0],
    `policy: ${name}\nmatch: { tool: ${name} }\nrequire:\n  stages: [{ name: One, approvers: anyone }]\n${terms}`,
  );
  return (await two.asking.open({ tool: { name } })).id;
}

/** How many reminders have been told of it, and logged, by that time after opening; any node may take them. */
async function remindedBy(id: string, after: number): Promise<number> {
  now = opened + after;
  await Promise.all(two.nodes.map(({ engine }) => takeDueTimers(engine)));
  const messages = await two.query(
    `SELECT count(*)::int FROM outbox WHERE elicitation_id = $1 AND topic = 'reminder'`,
    [id],
  );
  const logged = (await entriesOf(two, id)).filter(({ type }) => type === 'elicitation.reminded');
  expect(messages).toEqual([logged.length]);
  return logged.length;
}

test('P10 reminders come at their offsets, once each, whichever nodes look', async () => {
  const id = await askUnder('p10', '  reminders: [1h, 3h]\n  deadline: 24h');
  expect(await remindedBy(id, hour - 1)).toBe(0);
  expect(await remindedBy(id, hour)).toBe(1);
  expect(await remindedBy(id, 3 * hour - 1)).toBe(1);
  expect(await remindedBy(id, 3 * hour)).toBe(2);
  expect(await remindedBy(id, 23 * hour)).toBe(2);
});

test('P10 reminders due in quiet hours come as one when these end', async () => {
  const quiet = '  quietHours: { from: "19:30", until: "07:00", timeZone: UTC }';
  const id = await askUnder('p10-quiet', `  reminders: [1h, 2h, 6h, 11h, 14h]\n  deadline: 24h\n${quiet}`);
  expect(await remindedBy(id, hour)).toBe(1); // 19:00
  expect(await remindedBy(id, 13 * hour - 1)).toBe(1);
  expect(await remindedBy(id, 13 * hour)).toBe(2); // 07:00, for three of them
  expect(await remindedBy(id, 14 * hour)).toBe(3);
});

test('P10 reminders due while no node ran come as one', async () => {
  const id = await askUnder('p10-outage', '  reminders: [1h, 2h, 3h, 12h]\n  deadline: 24h');
  expect(await remindedBy(id, 4 * hour)).toBe(1);
  expect(await remindedBy(id, 12 * hour)).toBe(2);
});

test('P10 no one is reminded of a decided request', async () => {
  const id = await askUnder('p10-decided', '  reminders: [1h]');
  await two.asking.call('POST', `/v1/elicitations/${id}/cancel`, {});
  expect(await remindedBy(id, hour)).toBe(0);
});
