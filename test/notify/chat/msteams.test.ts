import { afterAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { openBrowser } from '../../support/nodes/console.ts';
import { digestTables } from '../../support/databases/table-contents.ts';
import { publish, setUser } from '../../support/requests/policies.ts';
import { until } from '../../support/poll.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import {
  actionOf,
  clickOn,
  connectorUrl,
  deliverActivity,
  startFakeTeams,
  tenant,
  textOf,
  type CardClick,
  type PostedCard,
} from './fake-msteams.ts';
import { policy } from './house.ts';

const members = { ada: '11111111-aaaa-4aaa-8aaa-000000000001', nobody: '11111111-aaaa-4aaa-8aaa-000000000002' };
const room = '19:0123456789abcdef0123456789abcdef@thread.tacv2';

const chat = await startFakeTeams();
const house = await startTwoNodes({ msteams: chat.config });
afterAll(async () => {
  await house.stop();
  await chat.stop();
});
const [node] = house.nodes;
const [ada] = await Promise.all([openBrowser(node), openBrowser(node)] as const);
await setUser(node, ada, { chatMember: members.ada, name: 'Ada' });
await publish(
  node,
  policy('thin', `chat: { to: "${room}" }, reminders: [1h]`),
  policy('elsewhere', 'chat: { to: "#ops" }'),
  policy('votable', 'chat: { to: approvers, vote: true }'),
  policy('two', `chat: { to: "${room}", vote: true }`, '[{ name: Approval, approve: 2, approvers: anyone }]'),
);

const waiting = `
  SELECT EXISTS (SELECT FROM chat_request r JOIN elicitation e ON e.id = r.elicitation_id
                  WHERE e.id = coalesce($1, e.id) AND r.planned < e.version)
      OR EXISTS (SELECT FROM chat_message WHERE elicitation_id = coalesce($1, elicitation_id) AND shown < wanted)`;

/** Waits until each message about this request shows what it is now. */
async function shown(id: string): Promise<PostedCard[]> {
  await until(async () => (await house.query(waiting, [id]))[0] === false);
  return chat.about(id);
}

/** What is stored, once no message of an earlier test waits to be updated. */
async function tables(): Promise<Record<string, string>> {
  await until(async () => (await house.query(waiting, [null]))[0] === false);
  return digestTables(house.nodes[0].databaseUrl);
}

async function ask(tool: string, parts?: Record<string, unknown>) {
  const { id, digest } = await house.asking.open({ tool: { name: tool }, ...parts });
  const [message] = await shown(id);
  return { id, digest, message: message! };
}

async function click(parts: CardClick): Promise<unknown> {
  const headers = { authorization: `Bearer ${await chat.sign()}` };
  const response = await deliverActivity(house.nodes[1].url, clickOn(parts), headers);
  expect(response.status).toBe(200);
  return response.json();
}

const answerOf = (value: unknown) => ({
  statusCode: 200,
  type: 'application/vnd.microsoft.activity.message',
  value,
});

describe('P31 a request in Microsoft Teams', () => {
  test('is a card with a button that opens it, and is kept up to date', async () => {
    const { id, digest, message } = await ask('thin', { message: 'Pay the canary?' });
    expect([message.target, message.conversation]).toEqual([room, `${room};messageid=${message.id}`]);
    expect(textOf(message)).toContain('Approval needed');
    expect(textOf(message)).toContain('Approval: 0 of 1 votes');
    expect(message.card.actions.map(({ type }) => type)).toEqual(['Action.OpenUrl']);
    expect(message.card.actions[0]?.url).toMatch(new RegExp(`/requests/${id}$`));
    expect(chat.heard()).not.toContain('canary');
    await ada.vote({ id, digest });
    await shown(id);
    expect(message).toMatchObject({ updates: 1, summary: 'Approved by Ada: thin on payments' });
    const deliveries = await ada.call('GET', `/api/elicitations/${id}/deliveries`);
    expect(await deliveries.json()).toMatchObject({ deliveries: [{ channel: 'msteams', state: 'sent', to: room }] });
  });

  test('shows text as it is: it formats nothing and replaces nothing', async () => {
    const content = 'see [here](https://evil.example.com) {{DATE(2026-11-25T09:00:00Z,SHORT)}} **now**';
    const { message } = await ask('votable', { message: content });
    expect(textOf(message)).toContain(content);
    const runs = message.card.body.flatMap(({ inlines = [] }) => inlines.map((part) => part.text));
    expect(runs.filter((run) => run.includes('{{'))).toEqual([]);
    expect(new Set(message.card.body.map(({ type }) => type))).toEqual(new Set(['RichTextBlock', 'Input.Text']));
  });

  test('is in the language of the person, from the first word to the last', async () => {
    const speak = (language: string) => ada.call('PATCH', '/api/notifications/settings', { language });
    expect((await speak('de')).status).toBe(200);
    const { id, digest, message } = await ask('votable');
    expect(message.summary).toBe('Freigabe nötig: votable auf payments');
    expect(textOf(message)).toContain('Angefragt von');
    expect(message.card.actions.map(({ title }) => title)).toEqual(['Freigeben', 'Ablehnen', 'In der Konsole öffnen']);
    const other = await ask('votable');
    await ada.vote({ id, digest });
    await shown(id);
    expect(message.summary).toBe('Freigegeben von Ada: votable auf payments');
    const declined = { member: members.ada, message: other.message, verb: 'decline' } as const;
    expect(await click(declined)).toEqual(answerOf(expect.stringMatching(/^Geben Sie einen Grund an/)));
    expect(await click({ ...declined, reason: 'Nein.' })).toEqual(
      answerOf('Ihre Stimme zählt. Die Anfrage ist abgelehnt.'),
    );
    expect(await click({ ...declined, reason: 'Nein.' })).toEqual(answerOf(expect.stringMatching(/^Sie haben/)));
    expect((await speak('en')).status).toBe(200);
  });

  test('stays within the bytes that a message may have, whatever it says', async () => {
    const many = [`a${'\n'.repeat(1200)}b`, '{{DATE('.repeat(150)];
    for (const content of many) {
      const { message } = await ask('votable', { message: content });
      expect(actionOf(message, 'accept')).toBeDefined();
      expect(JSON.stringify(message.card).length).toBeLessThan(28_000);
    }
  });

  test('waits as long as Microsoft asks, and signs in again after a 401', async () => {
    chat.refuse({ status: 429, headers: { 'retry-after': '1' } }, { status: 401 });
    const { id } = await house.asking.open({ tool: { name: 'thin' } });
    expect(await shown(id)).toHaveLength(1);
  });

  test('is nothing where the policy names a room of a chat that is not set up', async () => {
    const { id } = await house.asking.open({ tool: { name: 'elsewhere' } });
    await shown(id);
    expect(await house.query('SELECT target FROM chat_message WHERE elicitation_id = $1', [id])).toEqual([]);
  });

  test('whose message is gone is given up', async () => {
    const { id, digest, message } = await ask('thin');
    chat.posted.splice(chat.posted.indexOf(message), 1);
    await ada.vote({ id, digest });
    await shown(id);
    expect(message.updates).toBe(0);
  });
});

describe('P31 a click in Microsoft Teams', () => {
  test('is the vote of the person who is linked to that member', async () => {
    const { id, message } = await ask('votable');
    expect([message.target, message.conversation]).toEqual([members.ada, `a:${members.ada}`]);
    expect(await click({ member: members.ada, message })).toEqual(
      answerOf('Your vote is counted. The request is approved.'),
    );
    await shown(id);
    expect(message.summary).toBe('Approved by Ada: votable on payments');
    expect(actionOf(message, 'accept')).toBeUndefined();
    expect(await entriesOf(house, id)).toContainEqual(
      expect.objectContaining({
        type: 'elicitation.voted',
        actor: { kind: 'user', id: ada.user.id },
        channel: 'chat',
        factor: 'msteams',
        action: 'accept',
      }),
    );
  });

  test('declines with a reason only', async () => {
    const { id, message } = await ask('votable');
    const decline = { member: members.ada, message, verb: 'decline' } as const;
    expect(await click(decline)).toEqual(answerOf(expect.stringContaining('Give a reason')));
    expect(await click({ ...decline, reason: ' Too much. ' })).toEqual(
      answerOf('Your vote is counted. The request is declined.'),
    );
    const { votes } = await ada.show(id);
    expect(votes[0]?.comment).toBe('Too much.');
  });

  test('counts once, however often it is delivered', async () => {
    const { id, message } = await ask('two');
    const activity = clickOn({ member: members.ada, message });
    const headers = { authorization: `Bearer ${await chat.sign()}` };
    const responses = await Promise.all(house.nodes.map(({ url }) => deliverActivity(url, activity, headers)));
    const answers = await Promise.all(responses.map((response) => response.text()));
    expect(answers.filter((body) => body === '')).toHaveLength(1);
    expect((await ada.show(id)).votes).toHaveLength(1);
  });

  test.each<[string, Partial<CardClick>, string]>([
    ['a member who is linked to no one', { member: members.nobody }, 'link your Microsoft Teams account'],
    ['someone without an id in the tenant', { activity: { from: { id: '29:x' } } }, 'another Microsoft Teams'],
    [
      'a member of another tenant',
      { activity: { channelData: { tenant: { id: members.nobody } } } },
      'another Microsoft Teams',
    ],
    [
      'someone whose tenant is not named',
      { activity: { channelData: {}, conversation: { id: `a:${members.ada}` } } },
      'another Microsoft Teams',
    ],
    ['someone on a message that is not ours', { activity: { replyToId: '1' } }, 'no longer updated'],
  ])('of %s changes nothing, and says why', async (_who, parts, reason) => {
    const { id, message } = await ask('votable');
    const activity = clickOn({ member: members.ada, message, ...parts });
    const headers = { authorization: `Bearer ${await chat.sign()}` };
    const response = await deliverActivity(house.nodes[0].url, activity, headers);
    expect(await response.json()).toEqual(answerOf(expect.stringContaining(reason)));
    expect((await ada.show(id)).votes).toEqual([]);
  });

  test('that is none is taken, and does nothing', async () => {
    const { message } = await ask('votable');
    const before = await tables();
    const headers = { authorization: `Bearer ${await chat.sign()}` };
    const plain = { channelId: 'msteams', serviceUrl: connectorUrl };
    const data = { ...actionOf(message, 'accept')?.data, more: true };
    for (const activity of [
      { ...plain, type: 'message', text: 'hello' },
      { ...plain, type: 'conversationUpdate' },
      clickOn({ member: members.ada, message, activity: { value: { action: { verb: 'accept', data } } } }),
      clickOn({ member: members.ada, message, activity: { value: { action: { verb: 'open', data: {} } } } }),
    ]) {
      const response = await deliverActivity(house.nodes[0].url, activity, headers);
      expect([response.status, await response.text()]).toEqual([200, '']);
    }
    expect(await digestTables(house.nodes[0].databaseUrl)).toEqual(before);
  });

  test('is refused in the same words whatever is wrong with its token', async () => {
    const { message } = await ask('votable');
    const activity = clickOn({ member: members.ada, message });
    const before = await tables();
    const seconds = Math.floor(Date.now() / 1000);
    const claims = decodeJwt(await chat.sign());
    const published = Buffer.from(JSON.stringify((await (await fetch(chat.config.keysUrl)).json()).keys[0]));
    const tokens = [
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'endorsed' }).sign(published),
      await chat.sign({ iss: `https://sts.windows.net/${tenant}/` }),
      await chat.sign({ aud: members.nobody }),
      await chat.sign({ exp: seconds - 310 }),
      await chat.sign({ exp: undefined as never }),
      await chat.sign({ nbf: seconds + 310 }),
      await chat.sign({ serviceurl: 'https://evil.example.com/' }),
      await chat.sign({ serviceurl: undefined as never }),
      await chat.sign({}, 'other-channel'),
      await chat.sign({}, 'unpublished'),
      `${await chat.sign()}x`,
    ];
    const responses = [
      ...(await Promise.all(
        tokens.map((token) => deliverActivity(house.nodes[0].url, activity, { authorization: `Bearer ${token}` })),
      )),
      await deliverActivity(house.nodes[0].url, activity, {}),
      await deliverActivity(house.nodes[0].url, activity, { cookie: ada.cookie }),
      await deliverActivity(house.nodes[0].url, activity, { authorization: `Bearer ${house.asking.key}` }),
      await deliverActivity(house.nodes[0].url, activity, { authorization: `Basic ${await chat.sign()}` }),
      await deliverActivity(
        house.nodes[0].url,
        { ...activity, channelId: 'webchat' },
        { authorization: `Bearer ${await chat.sign({}, 'other-channel')}` },
      ),
    ];
    const answers = await Promise.all(responses.map((response) => response.json() as Promise<{ code: string }>));
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 'unauthenticated'));
    expect(await digestTables(house.nodes[0].databaseUrl)).toEqual(before);
  });
});
