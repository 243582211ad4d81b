import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { until } from '../../support/poll.ts';
import { disguises, stillHidden, untold } from '../../support/disguises.ts';
import { publish, setUser } from '../../support/requests/policies.ts';
import { buttonOf, type Posted } from './fake-slack.ts';
import { members, openChatHouse, policy, type ChatHouse } from './house.ts';
import { json } from '../../support/json.ts';

const approver = (email: string) => `{ user: ${email} }`;

const house = await openChatHouse([
  policy('silent', 'deadline: 1h'),
  policy('thin', 'chat: { to: "#ops" }, deadline: 1h, editable: { amount: { type: number } }'),
  policy('votable', 'chat: { to: approvers, vote: true }, editable: { amount: { type: number } }'),
]);
afterAll(() => house.stop());
const { ada, grace } = house;
const stages = [ada, grace].map(
  ({ user }, at) =>
    `{ name: Step ${at + 1}, approvers: ${approver(user.email)}, meaning: ${at === 0 ? 'reviewed' : 'approved'} }`,
);
await publish(house.nodes[0], policy('steps', 'chat: { to: approvers }', `[${stages.join()}]`));

const blockText = (message: Posted): string => JSON.stringify(message.blocks);
const vote = (by: ChatHouse['ada'], id: string, digest: string, action: 'accept' | 'decline', comment = 'seen') =>
  by.vote({ id, digest }, { action, comment });

describe('P31 what is announced', () => {
  test('is posted once though two nodes run, and kept up to date until the request ends', async () => {
    const requests = await Promise.all(Array.from({ length: 8 }, () => house.ask('thin')));
    expect(requests.map(({ messages }) => messages.map(({ address }) => address))).toEqual(
      requests.map(() => ['#ops']),
    );
    const [{ id, digest, messages }, ...others] = requests as [(typeof requests)[number], ...typeof requests];
    const [message] = messages as [Posted];
    expect(message.text).toBe('Approval needed: thin on payments');
    for (const fact of ['payments', 'thin', 'medium', 'thin@1', 'Approval: 0 of 1 votes'])
      expect(blockText(message)).toContain(fact);
    expect(buttonOf(message, 'open')?.url).toMatch(new RegExp(`^http://127.0.0.1:\\d+/requests/${id}$`));
    expect([buttonOf(message, 'accept'), buttonOf(message, 'decline')]).toEqual([undefined, undefined]);
    expect((await vote(house.ada, id, digest, 'accept')).status).toBe(200);
    await house.told(id);
    expect(message).toMatchObject({ updates: 1, text: 'Approved by Ada: thin on payments' });
    expect(blockText(message)).not.toContain('Until');
    const logged = 'SELECT to_json(d) FROM audit.deliveries d WHERE request = $1';
    expect(await house.query(logged, [id])).toMatchObject([
      { channel: 'slack', kind: 'turn', target: '#ops', person: null, arrived: true, policy: 'thin' },
    ]);
    expect(others.map(({ messages: [other] }) => other?.updates)).toEqual(others.map(() => 0));
    expect(house.slack.calls('chat.postMessage')).toBe(8);
    const deliveries = await house.ada.call('GET', `/api/elicitations/${id}/deliveries`);
    expect(await deliveries.json()).toMatchObject({ deliveries: [{ channel: 'slack', state: 'sent', to: '#ops' }] });
  });

  test('is nothing if the policy says nothing about chat', async () => {
    const [silent, thin] = await Promise.all([house.ask('silent'), house.ask('thin')]);
    expect([silent.messages, thin.messages.length]).toEqual([[], 1]);
  });

  test('holds no word of people and tools without votes there', async () => {
    const word = (name: string) => `${name}-${randomBytes(6).toString('hex')}`;
    const canaries = {
      message: word('message'),
      argument: word('argument'),
      subject: word('subject'),
      reason: word('reason'),
      title: word('title'),
      field: word('field'),
      comment: word('comment'),
      note: word('note'),
    };
    const { message, argument, subject, reason, title, field, comment, note } = canaries;
    const schema = { type: 'object', properties: { a: { type: 'string', title: field, default: field } } };
    const { id, digest, messages } = await house.ask('thin', {
      tool: { name: 'thin', title, description: title },
      message,
      arguments: { [argument]: argument, amount: 1 },
      requester: { subject },
      reason,
      schema,
    });
    const path = `/api/elicitations/${id}`;
    const edited = await house.ada.call('POST', `${path}/edit`, { digest, arguments: { amount: 4711.25 } });
    const { digest: visible } = await json<{ digest: string }>(edited);
    expect((await house.ada.call('POST', `${path}/comments`, { text: note })).status).toBe(200);
    await house.told(id);
    expect(blockText(messages[0] as Posted)).toContain('Revision');
    expect((await vote(house.grace, id, visible, 'decline', comment)).status).toBe(200);
    await house.told(id);
    expect(messages[0]?.text).toBe('Declined by Grace: thin on payments');
    const heard = house.slack.heard();
    expect(heard).toContain(id);
    for (const [name, canary] of Object.entries({ ...canaries, edited: '4711.25', digest, seen: visible })) {
      expect([name, heard.includes(canary)]).toEqual([name, false]);
    }
  });

  test('goes to each approver of the stage, and to the next ones as theirs begins', async () => {
    const { id, digest, messages } = await house.ask('steps');
    expect(messages.map(({ address }) => address)).toEqual([members.ada]);
    for (const fact of ['Step 1 (1 of 2): 0 of 1 votes', 'A vote counts as', 'reviewed']) {
      expect(blockText(messages[0] as Posted)).toContain(fact);
    }
    await vote(house.ada, id, digest, 'accept');
    const [first, second] = (await house.told(id)) as [Posted, Posted];
    expect(second.address).toBe(members.grace);
    expect(blockText(first)).toContain('This stage is for other approvers.');
    await vote(house.grace, id, digest, 'decline');
    const after = await house.told(id);
    expect(after.map(({ text }) => text)).toEqual(after.map(() => 'Declined by Grace: steps on payments'));
  });

  test('with votes there, is all that is asked, with what hides made visible', async () => {
    const sent = { amount: 100, note: 'to\u202E<!channel>&lt;```' };
    const { messages } = await house.ask('votable', {
      arguments: sent,
      message: 'Pay *now*\u200B?',
      reason: 'Because.',
    });
    const [message] = messages as [Posted];
    const texts = message.blocks.filter(({ type }) => type === 'rich_text').flatMap(textsIn);
    for (const text of [
      'Pay *now*⟨U+200B⟩?',
      JSON.stringify(sent).replace('\u202E', '⟨U+202E⟩'),
      'Because.',
      'alice (not verified)',
    ]) {
      expect(texts).toContain(text);
    }
    expect(messages.map(({ address }) => address).sort()).toEqual([members.ada, members.grace]);
  });

  test('AI-04: spells out every character that hides or imitates', async () => {
    const { messages } = await house.ask('votable', { message: disguises.map(({ text }) => text).join('\n') });
    const blocks = JSON.stringify(messages.map((message) => message.blocks));
    expect([untold(blocks), stillHidden(blocks)]).toEqual([[], []]);
  });

  test.each([
    ['is another member', 'U0LATE000', { chatMember: 'U0LATE001' }],
    ['is disabled', 'U0LATE002', { disabled: true }],
  ])('holds no content any more as soon as its reader %s', async (_name, member, change) => {
    const [node] = house.nodes;
    const late = { user: { id: (await node.newUser()).id } } as ChatHouse['ada'];
    await setUser(node, late, { chatMember: member });
    const { id, messages } = await house.ask('votable', { arguments: { amount: 4711 } });
    const theirs = messages.find(({ address }) => address === member) as Posted;
    expect(blockText(theirs)).toContain('4711');
    await setUser(node, late, change);
    await house.told(id);
    expect(blockText(theirs)).toContain('Updates to this request are no longer posted here.');
    expect(blockText(theirs)).not.toContain('4711');
    expect(buttonOf(theirs, 'accept')).toBeUndefined();
    await setUser(node, late, { chatMember: null, disabled: true });
  });

  test.each(['#ops', 'approvers'])(
    'holds no content where the policy that decides it by now tells not %s',
    async (to) => {
      const name = `from-${to.replace('#', '')}`;
      const version = (part: string, when: string, where: string) =>
        policy(
          `${name}-${part}`,
          `chat: { to: "${where}", vote: true }, editable: { amount: { type: number } }`,
        ).replace(/match: .*/, `match: { tool: ${name} }\nwhen: request.args.amount ${when}`);
      await publish(house.nodes[0], version('small', '< 9', to), version('large', '>= 9', '#board'));
      const { id, digest, messages } = await house.ask(name, { arguments: { amount: 1 } });
      expect(messages.map((message) => buttonOf(message, 'accept'))).not.toContain(undefined);
      await house.ada.call('POST', `/api/elicitations/${id}/edit`, { digest, arguments: { amount: 4711 } });
      const after = await house.told(id);
      expect(after.filter((message) => blockText(message).includes('4711')).map(({ address }) => address)).toEqual([
        '#board',
      ]);
      for (const message of messages.filter(({ address }) => address !== '#board')) {
        expect(blockText(message)).toContain('Updates to this request are no longer posted here.');
      }
    },
  );

  test('is not shown in part: what is too long stays here whole, and says so', async () => {
    const secret = 'x'.repeat(2_900);
    const { messages } = await house.ask('votable', { arguments: { secret } });
    expect(messages).toHaveLength(2);
    for (const message of messages) {
      expect(buttonOf(message, 'accept')).toBeUndefined();
      expect(blockText(message)).toContain('too long to show here in full');
      expect(blockText(message)).not.toContain('xxx');
    }
  });
});

const textsIn = (part: unknown): string[] => {
  if (typeof part !== 'object' || part === null) return [];
  const own = 'type' in part && part.type === 'text' && 'text' in part ? [String(part.text)] : [];
  return [...own, ...Object.values(part).flatMap(textsIn)];
};

describe('P31 if Slack fails', () => {
  test('a message waits as long as Slack says, and the request does not', async () => {
    const { slack } = house;
    slack.refuse('chat.postMessage', { status: 429, headers: { 'retry-after': '1' }, ok: false, error: 'ratelimited' });
    const startedAt = performance.now();
    const { id, digest } = await house.asking.open({ tool: { name: 'thin' } });
    const [message] = (await house.told(id)) as [Posted];
    expect(performance.now() - startedAt).toBeGreaterThan(1000);
    slack.refuse('chat.update', { status: 500, ok: false, error: 'fatal_error' });
    expect((await vote(house.ada, id, digest, 'accept')).status).toBe(200);
    expect((await house.ada.show(id)).status).toBe('accepted');
    await until(async () => (await house.query(failures, [id]))[0] === 1);
    expect(message.updates).toBe(0);
    await house.told(id);
    expect(message.updates).toBe(1);
  });

  test('what ended before it could be told is told no more; a message that is gone stays gone', async () => {
    const { slack } = house;
    const other = await house.ask('thin');
    slack.refuse('chat.postMessage', ...Array.from({ length: 3 }, () => ({ ok: false, error: 'not_in_channel' })));
    const { id, digest } = await house.asking.open({ tool: { name: 'thin' } });
    await until(async () => (await house.query(failures, [id]))[0] === 1);
    await vote(house.ada, id, digest, 'accept');
    slack.refuse('chat.update', { ok: false, error: 'message_not_found' });
    await vote(house.ada, other.id, other.digest, 'accept');
    await Promise.all([house.told(id), house.told(other.id)]);
    expect(slack.about(id)).toEqual([]);
    expect(other.messages[0]?.updates).toBe(0);
  });
});

const failures = 'SELECT failures FROM chat_message WHERE elicitation_id = $1';
