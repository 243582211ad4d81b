import { afterAll, describe, expect, test } from '@jest/globals';
import { changeUser } from '#people/users/verbs';
import type { UserId } from '#platform/model/id';
import { connectClient } from '#platform/database/connection';
import { watchStatements } from '../../bench/statement-watch.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { readEvents, type EventReader } from '../../support/nodes/event-source.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { until } from '../../support/poll.ts';
import { publish } from '../../support/requests/policies.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const steady = await openBrowser(two.nodes[0]);

const listen = async ({ cookie }: Browser, at: 0 | 1 = 0): Promise<EventReader> => {
  const stream = await readEvents(`${two.nodes[at].url}/api/stream`, { cookie });
  await until(() => stream.events.length === 1);
  return stream;
};

/** Requests of this tool name one person. */
const publishFor = ({ user }: Browser, tool: string) =>
  publish(
    two.nodes[0],
    `policy: for-${tool.replace('_', '-')}
match: { tool: ${tool} }
require: { stages: [{ name: One, approvers: [{ user: ${user.email} }] }] }`,
  );

const heard = ({ events }: EventReader): string[] =>
  events.filter(({ event }) => event === 'inbox').map(({ data }) => (JSON.parse(data) as { id: string }).id);

describe('a console that has heard changes hears no more of them', () => {
  const disable = (id: string) => changeUser(two.nodes[0].engine, 'operator', id as UserId, { disabled: true });
  test.each<[string, (leaving: Browser) => Promise<unknown>]>([
    ['signed out', (leaving) => leaving.call('DELETE', '/api/session')],
    ['was disabled', ({ user }) => disable(user.id)],
    ['has an expired session', ({ user }) => two.query('DELETE FROM session WHERE user_id = $1', [user.id])],
  ])('once its person %s at another node', async (_name, leave) => {
    const leaving = await openBrowser(two.nodes[0]);
    const streams = await Promise.all([listen(leaving, 1), listen(steady, 1)]);
    const first = await two.asking.open();
    await until(() => streams.every((stream) => heard(stream).includes(first.id)));
    await leave(leaving);
    const second = await two.asking.open();
    await streams[0].ended;
    await until(() => heard(streams[1]).includes(second.id));
    expect(heard(streams[0])).toEqual([first.id]);
    streams[1].cut();
  });
});

test('a console hears nothing that commits after its session has ended, however early it was asked', async () => {
  const leaving = await openBrowser(two.nodes[0]);
  const streams = await Promise.all([listen(leaving), listen(steady)]);
  const first = await two.asking.open();
  await until(() => streams.every((stream) => heard(stream).includes(first.id)));
  const holder = await connectClient({ connectionString: two.nodes[0].databaseUrl });
  await holder.query('BEGIN');
  await holder.query('SELECT FROM outbox_head FOR UPDATE');
  const opening = two.asking.open();
  const isWaiting = `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await until(async () => Number((await two.query(isWaiting))[0]) > 0);
  await leaving.call('DELETE', '/api/session');
  await holder.query('COMMIT');
  await holder.end();
  const { id } = await opening;
  await Promise.all([streams[0].ended, until(() => heard(streams[1]).includes(id))]);
  expect(heard(streams[0])).toEqual([first.id]);
  streams[1].cut();
});

test('a reviewer who becomes an approver hears no more of what does not concern them', async () => {
  const [named, demoted] = [await openBrowser(two.nodes[0]), await openBrowser(two.nodes[0], 'reviewer')];
  await publishFor(named, 'watched_tool');
  const streams = await Promise.all([listen(demoted, 1), listen(named, 1)]);
  const first = await two.asking.open({ tool: { name: 'watched_tool' } });
  await until(() => streams.every((stream) => heard(stream).includes(first.id)));
  await changeUser(two.nodes[0].engine, 'operator', demoted.user.id, { role: 'approver' });
  const second = await two.asking.open({ tool: { name: 'watched_tool' } });
  const last = await two.asking.open();
  await until(() => streams.every((stream) => heard(stream).includes(last.id)));
  expect(streams.map((stream) => heard(stream).includes(second.id))).toEqual([false, true]);
  streams.forEach(({ cut }) => cut());
});

test('a change reads no session that is as it was, and nothing about those whom it does not concern', async () => {
  const named = await openBrowser(two.nodes[0]);
  await publishFor(named, 'named_tool');
  const others = await Promise.all([1, 2, 3].map(() => openBrowser(two.nodes[0])));
  const streams = await Promise.all([named, ...others].map((browser) => listen(browser)));
  const warm = await two.asking.open();
  await until(() => streams.every((stream) => heard(stream).includes(warm.id)));
  const statements = watchStatements();
  const opened = await two.asking.open({ tool: { name: 'named_tool' } });
  const last = await two.asking.open();
  await until(() => streams.every((stream) => heard(stream).includes(last.id)));
  const texts = statements().map(({ text }) => text);
  expect(streams.map((stream) => heard(stream).includes(opened.id))).toEqual([true, false, false, false]);
  expect(texts.filter((text) => /FROM session|FROM look|delegation/.test(text))).toEqual([]);
  streams.forEach(({ cut }) => cut());
});
