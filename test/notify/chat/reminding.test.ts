import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { takeDueTimers } from '#requests/state/verbs/end';
import { publish } from '../../support/requests/policies.ts';
import { until } from '../../support/poll.ts';
import { buttonOf, type Posted } from './fake-slack.ts';
import { members, openChatHouse, policy } from './house.ts';

const minute = 60_000;
let ahead = 0;
const both = '[{ name: Approval, approvers: anyone, approve: 2 }]';
const house = await openChatHouse(
  [
    policy('channel', 'chat: { to: "#ops" }, reminders: [2m, 4m], deadline: 5h'),
    policy('persons', 'chat: { to: approvers, vote: true }, reminders: [2m], deadline: 5h', both),
    policy('single', 'chat: { to: "#ops" }, reminders: [2m], deadline: 5h'),
  ],
  { now: () => Date.now() + ahead },
);
afterAll(() => house.stop());
const [ada, grace] = [house.ada, house.grace].map(({ user }) => `{ user: ${user.email} }`);
const escalating = `[{ name: One, approvers: ${ada}, escalate: { after: [{ after: 2m, add: ${grace} }], then: wait } }]`;
await publish(
  house.nodes[0],
  policy('escalated', 'chat: { to: approvers }, deadline: 5h', escalating),
  policy('escalated-channel', 'chat: { to: "#ops" }, deadline: 5h', escalating),
);

/** Two minutes later, with what is due taken by both nodes at once. */
async function later(): Promise<void> {
  ahead += 2 * minute;
  await Promise.all(house.nodes.map(({ engine }) => takeDueTimers(engine)));
}

/** What was posted about it after its first messages. */
const since = (id: string, messages: Posted[]): Posted[] =>
  house.slack.about(id).filter((item) => !messages.includes(item));

describe('P10 a reminder in chat', () => {
  test('is posted once though two nodes run, in the thread of the message and for all of the channel', async () => {
    const { id, messages } = await house.ask('channel');
    const [message] = messages as [Posted];
    for (const count of [1, 2]) {
      await later();
      await house.told(id);
      const reminders = since(id, messages);
      expect(reminders).toHaveLength(count);
      for (const reminder of reminders) {
        expect(reminder).toMatchObject({
          text: 'Still waiting: channel on payments',
          channel: message.channel,
          thread: { ts: message.ts, isBroadcast: true },
        });
        expect(JSON.stringify(reminder.blocks)).toContain('Until: ');
        expect(buttonOf(reminder, 'open')?.url).toMatch(new RegExp(`/requests/${id}$`));
      }
    }
    expect((await house.ada.call('POST', `/api/elicitations/${id}/comments`, { text: 'Soon.' })).status).toBe(200);
    await house.told(id);
    expect(since(id, messages)).toHaveLength(2);
  });

  test('is written to anyone who can still vote, not to who has, and says nothing of what is asked', async () => {
    const canary = randomBytes(6).toString('hex');
    const { id, digest, messages } = await house.ask('persons', {
      arguments: { canary },
      message: canary,
      reason: canary,
      requester: { subject: canary },
    });
    expect(messages.map(({ blocks }) => JSON.stringify(blocks).includes(canary))).toEqual([true, true]);
    expect((await house.ada.vote({ id, digest })).status).toBe(200);
    await house.told(id);
    await later();
    await house.told(id);
    const reminders = since(id, messages);
    expect(reminders.map(({ address, thread }) => [address, thread])).toEqual([[members.grace, undefined]]);
    expect(JSON.stringify(reminders)).not.toContain(canary);
    expect(reminders.map((reminder) => buttonOf(reminder, 'accept'))).toEqual([undefined]);
  });

  test('is none once the request has ended', async () => {
    const { id, digest, messages } = await house.ask('single');
    expect((await house.ada.vote({ id, digest })).status).toBe(200);
    await later();
    await house.told(id);
    expect(since(id, messages)).toEqual([]);
  });

  test('comes with an escalation: whom it adds gets the request, and who was asked before is reminded', async () => {
    const { id, messages } = await house.ask('escalated');
    const channel = await house.ask('escalated-channel');
    await later();
    await Promise.all([house.told(id), house.told(channel.id)]);
    const texts = since(id, messages).map(({ address, text }) => `${address}: ${text}`);
    expect(texts.sort()).toEqual([
      `${members.ada}: Still waiting: escalated on payments`,
      `${members.grace}: Approval needed: escalated on payments`,
    ]);
    expect(since(channel.id, channel.messages).map(({ thread }) => thread?.ts)).toEqual([channel.messages[0]?.ts]);
  });

  test('waits while Slack fails, and is dropped if the request ends before', async () => {
    const { slack } = house;
    const [late, ended] = [await house.ask('single'), await house.ask('single')];
    const busy = { status: 429, headers: { 'retry-after': '2' }, ok: false, error: 'ratelimited' };
    slack.refuse('chat.postMessage', busy, busy);
    await later();
    await until(async () => (await house.query(failing, [[late.id, ended.id]])).length === 2);
    expect([late, ended].flatMap(({ id, messages }) => since(id, messages))).toEqual([]);
    expect((await house.ada.vote(ended)).status).toBe(200);
    await Promise.all([house.told(late.id), house.told(ended.id)]);
    expect(since(late.id, late.messages).map(({ text }) => text)).toEqual(['Still waiting: single on payments']);
    expect(since(ended.id, ended.messages)).toEqual([]);
    expect(ended.messages[0]?.text).toBe('Approved by Ada: single on payments');
  });

  test('is dropped if its message is gone', async () => {
    const { id, messages } = await house.ask('single');
    house.slack.refuse('chat.postMessage', { ok: false, error: 'thread_not_found' });
    await later();
    await house.told(id);
    expect(since(id, messages)).toEqual([]);
  });
});

const failing = 'SELECT target FROM chat_message WHERE elicitation_id = ANY($1) AND failures > 0';
