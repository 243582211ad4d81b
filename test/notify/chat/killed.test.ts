import { afterAll, expect, test } from '@jest/globals';
import { takeDueTimers } from '#requests/state/verbs/end';
import type { ElicitationId } from '#platform/model/id';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { spawnNode } from '../../support/nodes/node-process.ts';
import { publish, setUser } from '../../support/requests/policies.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { buttonOf, clickOf, deliver, startFakeSlack, type Posted } from './fake-slack.ts';
import { clickOn, deliverActivity, startFakeTeams, type PostedCard } from './fake-msteams.ts';
import { members, policy } from './house.ts';

const slack = await startFakeSlack();
/** Without Slack. */
const server = await startTestServer();
afterAll(async () => {
  await server.stop();
  await slack.stop();
});
const asking = askingAt(server.url, await server.newServerKey());
const ada = await openBrowser(server);
await setUser(server, ada, { chatMember: members.ada });
await publish(
  server,
  policy('votable', 'chat: { to: approvers, vote: true }'),
  policy('reminded', 'chat: { to: approvers }, reminders: [1m], deadline: 5h'),
);

test('P31 if a node is killed between posting and recording, another posts again; the lost message takes no votes', async () => {
  const { id } = await asking.open({ tool: { name: 'votable' } });
  slack.silence();
  const doomed = await spawnNode(server.databaseUrl, { slack: slack.config });
  await until(() => slack.posted.length === 1);
  await doomed.kill();
  // While the dead node could still be posting it, no one else does; a minute later someone does.
  expect(await server.engine.chat.take(Date.now() + 30_000, Date.now() + 30_001, 1)).toEqual([]);
  const now = (): number => Date.now() + 61_000;
  const next = await startTestServer({ databaseUrl: server.databaseUrl, slack: slack.config, now });
  await until(() => slack.posted.length === 2);
  const [lost, kept] = slack.posted as [Posted, Posted];
  expect(buttonOf(lost, 'accept')).toEqual(buttonOf(kept, 'accept'));
  const click = (message: Posted) =>
    deliver(next.url, slack.config, clickOf(slack, { member: members.ada, message }), { at: now() });
  await until(() => next.engine.chat.isPosted(id as ElicitationId, kept));
  expect((await click(lost)).status).toBe(200);
  await until(() => slack.whispers.length === 1);
  expect(slack.whispers[0]?.text).toContain('no longer updated');
  expect((await ada.show(id)).status).toBe('open');
  expect((await click(kept)).status).toBe(200);
  await until(() => kept.updates === 1);
  expect((await ada.show(id)).status).toBe('accepted');
  expect([lost.updates, slack.posted.length]).toEqual([0, 2]);
  await next.stop();
});

test('P10 if a node is killed between posting a reminder and recording it, another posts it again, once', async () => {
  const doomed = await spawnNode(server.databaseUrl, { slack: slack.config });
  const { id, digest } = await asking.open({ tool: { name: 'reminded' } });
  await until(async () => {
    const [message] = slack.about(id);
    return message && server.engine.chat.isPosted(id as ElicitationId, message);
  });
  slack.silence();
  await takeDueTimers({ ...server.engine, now: () => Date.now() + 61_000 });
  await until(() => slack.about(id).length === 2);
  await doomed.kill();
  expect(await server.engine.chat.take(Date.now() + 30_000, Date.now() + 30_001, 1)).toEqual([]);
  const now = (): number => Date.now() + 61_000;
  const next = await startTestServer({ databaseUrl: server.databaseUrl, slack: slack.config, now });
  await until(() => slack.about(id).length === 3);
  const waiting = 'Still waiting: reminded on payments';
  expect(slack.about(id).map(({ text }) => text)).toEqual(['Approval needed: reminded on payments', waiting, waiting]);
  await ada.vote({ id, digest });
  await until(() => slack.about(id)[0]?.text.startsWith('Approved by'));
  expect(slack.about(id)).toHaveLength(3);
  await next.stop();
});

test('the same holds in Microsoft Teams: the lost card takes no votes, and the one that is kept does', async () => {
  const member = '11111111-aaaa-4aaa-8aaa-000000000009';
  const grace = await openBrowser(server);
  await setUser(server, grace, { chatMember: member });
  const chat = await startFakeTeams();
  const { id } = await asking.open({ tool: { name: 'votable' } });
  chat.silence();
  const doomed = await spawnNode(server.databaseUrl, { msteams: chat.config });
  await until(() => chat.posted.length === 1);
  await doomed.kill();
  const now = (): number => Date.now() + 61_000;
  const next = await startTestServer({ databaseUrl: server.databaseUrl, msteams: chat.config, now });
  await until(() => chat.posted.length === 2);
  const [lost, kept] = chat.posted as [PostedCard, PostedCard];
  await until(() => next.engine.chat.isPosted(id as ElicitationId, { channel: kept.conversation, ts: kept.id }));
  const click = async (message: PostedCard) => {
    const headers = { authorization: `Bearer ${await chat.sign()}` };
    const response = await deliverActivity(next.url, clickOn({ member, message }), headers);
    return ((await response.json()) as { value: string }).value;
  };
  expect(await click(lost)).toContain('no longer updated');
  expect((await grace.show(id)).status).toBe('open');
  expect(await click(kept)).toBe('Your vote is counted. The request is approved.');
  await until(() => kept.updates === 1);
  expect([lost.updates, chat.posted.length]).toEqual([0, 2]);
  await next.stop();
  await chat.stop();
});

test('without Slack nothing is told, and there is no address for clicks', async () => {
  const calls = slack.heard();
  const { id } = await asking.open({ tool: { name: 'votable' } });
  const body = clickOf(slack, { member: members.ada, message: slack.posted[0] as Posted });
  const clicked = await deliver(server.url, slack.config, body);
  const read = await fetch(`${server.url}/chat/slack/interactions`);
  expect([clicked.status, read.status]).toEqual([404, 404]);
  expect((await ada.show(id)).status).toBe('open');
  expect(slack.heard()).toBe(calls);
});
