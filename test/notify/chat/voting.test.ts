import { afterAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Browser } from '../../support/nodes/console.ts';
import { publish, setUser } from '../../support/requests/policies.ts';
import { until } from '../../support/poll.ts';
import { query } from '../../support/databases/embedded.ts';
import { digestTables } from '../../support/databases/table-contents.ts';
import { entriesOf } from '../../support/nodes/two-nodes.ts';
import { callTool, startMcpServer, textOf } from '../../sdk/mcp/peers.ts';
import { buttonOf, clickOf, deliver, type Click, type Posted } from './fake-slack.ts';
import { members, openChatHouse, policy } from './house.ts';

const votes = 'chat: { to: "#ops", vote: true }';
const needy = { type: 'object', properties: { iban: { type: 'string' } }, required: ['iban'] };
const editable = 'editable: { amount: { type: number } }';

const house = await openChatHouse([
  policy('votable', `${votes}, ${editable}`),
  policy('two', votes, '[{ name: Approval, approve: 2, approvers: anyone }]'),
  policy('thin', 'chat: { to: "#ops" }'),
  policy('risky', `${votes}, risk: high`),
  policy('fresh', `${votes}, freshSignIn: 10m`),
  policy('reasoned', `${votes}, justification: { approver: { minLength: 5 } }`),
]);
afterAll(() => house.stop());
const { email } = house.grace.user;
await publish(house.nodes[0], policy('hers', votes, `[{ name: Grace, approvers: { user: ${email} } }]`));

/** Clicks at the second node, and waits for what the member is told. */
async function click(parts: Click, url = house.nodes[1].url): Promise<string> {
  const before = house.slack.whispers.length;
  const response = await deliver(url, house.slack.config, clickOf(house.slack, parts));
  expect([response.status, await response.text()]).toEqual([200, '']);
  await until(() => house.slack.whispers.length > before);
  const { channel, user, text } = house.slack.whispers.at(-1) ?? {};
  expect([channel, user]).toEqual([parts.message.channel, parts.member]);
  return text ?? '';
}

/** All that is stored, without which clicks were taken and what of it was told. */
async function stored(): Promise<Record<string, string>> {
  const { chat_delivery: _clicks, chat_message: _told, ...rest } = await digestTables(house.nodes[0].databaseUrl);
  return rest;
}

const ask = async (tool: string, parts?: Record<string, unknown>) => {
  const { messages, ...request } = await house.ask(tool, parts);
  return { ...request, message: messages[0] as Posted };
};

describe('P31 a vote in chat', () => {
  test('is the vote of the person who clicked: the held call resumes, and the log says where it was said', async () => {
    const [node] = house.nodes;
    const answered = z.object({ confirmed: z.boolean().default(true) });
    const mcp = await startMcpServer(
      (tools) =>
        tools.registerTool('votable', { inputSchema: { amount: z.number() } }, async (_, { elicit }) => {
          const answer = await elicit('Pay?', answered);
          return { content: [{ type: 'text', text: `${answer.status} ${JSON.stringify(answer.content)}` }] };
        }),
      { url: node.url, apiKey: await node.newServerKey('bank'), progressIntervalMs: 40 },
    );
    const call = callTool(await mcp.connect(), 'votable', { amount: 3 });
    const message = await until(() =>
      house.slack.posted.find(({ text }) => text === 'Approval needed: votable on bank'),
    );
    const { id } = JSON.parse(buttonOf(message, 'accept')?.value ?? '') as { id: string };
    await house.told(id);
    expect(await click({ member: members.ada, message })).toBe('Your vote is counted. The request is approved.');
    expect(textOf(await call)).toBe('accept {"confirmed":true}');
    await mcp.stop();
    await house.told(id);
    expect(message.text).toBe('Approved by Ada: votable on bank');
    expect(buttonOf(message, 'accept')).toBeUndefined();
    expect(JSON.stringify(message.blocks)).not.toContain('Pay?');
    expect(await entriesOf(house, id)).toContainEqual(
      expect.objectContaining({
        type: 'elicitation.voted',
        actor: { kind: 'user', id: house.ada.user.id },
        channel: 'chat',
        action: 'accept',
      }),
    );
    const { timeline } = await house.grace.show(id);
    expect(timeline).toContainEqual(
      expect.objectContaining({
        by: { kind: 'user', name: 'Ada' },
        event: expect.objectContaining({ type: 'elicitation.voted', action: 'accept', inChat: true }),
      }),
    );
  });

  test('opens nothing: a long value stands whole in the message', async () => {
    const { message } = await ask('votable', { arguments: { note: 'long '.repeat(400) } });
    expect(await click({ member: members.ada, message })).toBe('Your vote is counted. The request is approved.');
  });

  test('declines with a reason only', async () => {
    const { id, message } = await ask('votable');
    const declines = { member: members.grace, message, action: 'decline' } as const;
    expect(await click({ ...declines, reason: '  ' })).toContain(
      'Give a reason, so that the requester knows what to change.',
    );
    expect((await house.grace.show(id)).status).toBe('open');
    expect(await click({ ...declines, reason: 'Too much.' })).toBe('Your vote is counted. The request is declined.');
    const { status, votes: cast } = await house.grace.show(id);
    expect([status, cast[0]?.comment]).toEqual(['declined', 'Too much.']);
  });

  test('fills one seat of its stage, once', async () => {
    const { id, message } = await ask('two');
    expect(await click({ member: members.ada, message })).toBe('Your vote is counted. The request isn’t decided yet.');
    expect(await click({ member: members.ada, message })).toContain('You’ve already voted.');
    await house.told(id);
    expect(JSON.stringify(message.blocks)).toContain('Approval: 1 of 2 votes');
    expect(await click({ member: members.grace, message }, house.nodes[0].url)).toContain('The request is approved');
    expect(
      await click({
        member: members.grace,
        message: { ...message, blocks: [] },
        value: valueOf(id, await digestOf(id)),
      }),
    ).toContain('You already approved this request.');
  });

  test('tells names as they are: they mention no one in Slack', async () => {
    const { id, message } = await ask('votable');
    const old = { ...message };
    await setUser(house.nodes[0], house.grace, { name: 'Grace <!channel> & <https://example.com|Ada>' });
    expect(await click({ member: members.grace, message })).toContain('The request is approved');
    await house.told(id);
    const late = await click({ member: members.ada, message: old });
    expect(late).toContain('Grace &lt;!channel&gt; &amp; &lt;https://example.com|Ada&gt; approved');
    await setUser(house.nodes[0], house.grace, { name: 'Grace' });
  });

  test('sent again changes nothing, also where it was taken back meanwhile', async () => {
    const { id, message } = await ask('two');
    const body = clickOf(house.slack, { member: members.ada, message });
    const before = house.slack.whispers.length;
    const both = await Promise.all(house.nodes.map(({ url }) => deliver(url, house.slack.config, body)));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    await until(() => house.slack.whispers.length > before);
    expect((await house.ada.show(id)).votes).toHaveLength(1);
    const digest = await digestOf(id);
    expect((await house.ada.call('POST', `/api/elicitations/${id}/withdraw-vote`, { digest })).status).toBe(200);
    for (const at of [Date.now(), Date.now() + 1000]) {
      expect((await deliver(house.nodes[0].url, house.slack.config, body, { at })).status).toBe(200);
    }
    expect((await house.ada.show(id)).votes.filter(({ stands }) => stands)).toEqual([]);
    expect(house.slack.whispers.length).toBe(before + 1);
  });

  test('that is under way at a node that dies counts when it is sent again, once', async () => {
    const [dying, other] = house.nodes;
    const { transactor } = dying.engine;
    const { change } = transactor;
    const { id, message } = await ask('two');
    const body = clickOf(house.slack, { member: members.ada, message });
    let die = (_reason: Error): void => {};
    const atVote = new Promise<void>((resolve) => {
      transactor.change = () => {
        transactor.change = change;
        resolve();
        return new Promise((_resolve, reject) => (die = reject));
      };
    });
    const lost = deliver(dying.url, house.slack.config, body);
    await atVote;
    const before = house.slack.whispers.length;
    for (let time = 0; time < 2; time += 1) await deliver(other.url, house.slack.config, body);
    await until(() => house.slack.whispers.length > before);
    expect(house.slack.whispers.at(-1)?.text).toBe('Your vote is counted. The request isn’t decided yet.');
    expect((await house.ada.show(id)).votes).toHaveLength(1);
    die(new Error('the node has died'));
    await lost;
    expect(house.slack.whispers.length).toBe(before + 1);
  });

  test('that a fault of the database has ended counts when it is sent again, once, at whichever node', async () => {
    const { id, message } = await ask('two');
    const body = clickOf(house.slack, { member: members.ada, message });
    const { databaseUrl } = house.nodes[0];
    await query(
      databaseUrl,
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'cut off'; END $$`,
    );
    await query(databaseUrl, 'CREATE TRIGGER failing BEFORE INSERT ON vote FOR EACH ROW EXECUTE FUNCTION fail()');
    try {
      expect((await deliver(house.nodes[0].url, house.slack.config, body)).status).toBeGreaterThanOrEqual(500);
    } finally {
      await query(databaseUrl, 'DROP TRIGGER failing ON vote');
      await query(databaseUrl, 'DROP FUNCTION fail()');
    }
    expect((await house.ada.show(id)).votes).toEqual([]);
    await Promise.all(house.nodes.map(({ url }) => deliver(url, house.slack.config, body)));
    await until(async () => (await house.ada.show(id)).votes.length > 0);
    expect((await house.ada.show(id)).votes).toHaveLength(1);
  });

  test('is on what the message showed: after an edit it changes nothing', async () => {
    const { id, digest, message } = await ask('votable', { arguments: { amount: 1 } });
    const old = { ...message };
    await house.grace.call('POST', `/api/elicitations/${id}/edit`, { digest, arguments: { amount: 2 } });
    expect(await click({ member: members.ada, message: old })).toContain('Read the request again, then decide');
    expect((await house.ada.show(id)).status).toBe('open');
    await house.told(id);
    expect(JSON.stringify(message.blocks)).toContain('{\\"amount\\":2}');
    expect(await click({ member: members.ada, message })).toContain('The request is approved');
  });

  test('is of a person who is there and may vote now', async () => {
    const late = await house.nodes[0].newUser();
    const at = (changes: object) =>
      setUser(house.nodes[0], { user: { id: late.id } } as Browser, { chatMember: 'U0LATE000', ...changes });
    const { message } = await ask('votable');
    for (const [changes, text] of [
      [{ role: 'reviewer' }, 'Only administrators and approvers can decide requests.'],
      [{ role: 'approver', subjects: ['alice'] }, 'You can’t decide this: you requested it.'],
      [{ subjects: [], disabled: true }, 'Ask an administrator to link your Slack account'],
    ] as const) {
      await at(changes);
      const before = await stored();
      expect(await click({ member: 'U0LATE000', message })).toContain(text);
      expect(await stored()).toEqual(before);
    }
  });
});

const valueOf = (id: string, digest: string): string => JSON.stringify({ id, digest });
const digestOf = async (id: string): Promise<string> => (await house.ada.show(id)).digest;

describe('P31 a click that is not a vote', () => {
  test.each([
    ['the policy keeps votes', 'thin', {}, 'Vote in the console: the policy does not allow votes in chat.'],
    ['the risk is high', 'risky', {}, 'high risk'],
    ['a proof of who votes is asked for', 'fresh', {}, 'a proof of who you are'],
    ['a reason is asked for', 'reasoned', {}, 'a reason'],
    ['a form must be filled in', 'votable', { schema: needy }, 'fill in'],
    ['it is too long', 'votable', { message: 'x'.repeat(2_900) }, 'too long'],
  ])('where %s, is refused even where a button were there', async (_name, tool, parts, reason) => {
    const { id, digest, message } = await ask(tool, parts);
    expect([buttonOf(message, 'accept'), buttonOf(message, 'decline')]).toEqual([undefined, undefined]);
    const before = await stored();
    for (const action of ['accept', 'decline'] as const) {
      const forged = { member: members.ada, message, action, reason: 'because', value: valueOf(id, digest) };
      const text = await click(forged);
      expect(text).toContain(reason);
      expect(text).toContain(`/requests/${id}`);
    }
    expect(await stored()).toEqual(before);
  });

  test('changes nothing from anyone who is not asked, and on what is no message about it', async () => {
    const [mine, other, hers] = await Promise.all([ask('votable'), ask('votable'), ask('hers')]);
    const { message } = mine;
    const before = await stored();
    const cases: [string, Click][] = [
      ['Ask an administrator to link your Slack account', { member: members.nobody, message }],
      ['another Slack workspace', { member: members.ada, message, payload: { team: { id: 'T0OTHER' } } }],
      [
        'another Slack workspace',
        { member: members.ada, message, payload: { user: { id: members.ada, team_id: 'T0OTHER' } } },
      ],
      ['another Slack workspace', { member: members.ada, message, payload: { team: null, user: { id: members.ada } } }],
      ['no longer updated', { member: members.ada, message, value: valueOf(other.id, other.digest) }],
      ['no longer updated', { member: members.ada, message: { ...message, ts: '9999.0001' } }],
      ['no longer updated', { member: members.ada, message: { ...message, channel: 'C0OTHER' } }],
      [
        'Check the address: there is nothing here, or you may not see it.',
        { member: members.ada, message: hers.message },
      ],
      ['changed since you saw it', { member: members.ada, message, value: valueOf(mine.id, other.digest) }],
    ];
    for (const [text, parts] of cases)
      expect([text, await click(parts)]).toEqual([text, expect.stringContaining(text)]);
    expect(await stored()).toEqual(before);
  });

  test('says nothing if it opens the console or is unknown', async () => {
    const { message } = await ask('votable');
    const before = await digestTables(house.nodes[0].databaseUrl);
    const whispers = house.slack.whispers.length;
    for (const body of [
      clickOf(house.slack, { member: members.ada, message, action: 'open' }),
      clickOf(house.slack, { member: members.ada, message, value: '{"id":1}' }),
      clickOf(house.slack, { member: members.ada, message, payload: { type: 'view_submission' } }),
      'payload=%7B',
      'nothing',
    ]) {
      expect((await deliver(house.nodes[1].url, house.slack.config, body)).status).toBe(200);
    }
    expect([await digestTables(house.nodes[0].databaseUrl), house.slack.whispers.length]).toEqual([before, whispers]);
  });

  test('is answered with one word if Slack did not sign it, no matter who sends it', async () => {
    const { message } = await ask('votable');
    const body = clickOf(house.slack, { member: members.ada, message });
    const before = await digestTables(house.nodes[0].databaseUrl);
    const { config } = house.slack;
    const send = (...rest: Parameters<typeof deliver> extends [string, ...infer R] ? R : never) =>
      deliver(house.nodes[1].url, ...rest);
    const unsigned = { 'x-slack-signature': '', 'x-slack-request-timestamp': '' };
    const refused = [
      await send({ signingSecret: `${config.signingSecret}0` }, body),
      await send(config, body, { at: Date.now() - 310_000 }),
      await send(config, body, { at: Date.now() + 310_000 }),
      await send(config, body, { headers: unsigned }),
      await send(config, body, { headers: { ...unsigned, authorization: `Bearer ${house.asking.key}` } }),
      await send(config, body, { headers: { ...unsigned, cookie: house.admin.cookie } }),
      await send(config, body, { headers: { 'content-type': 'application/json' } }),
      await send(config, body, { headers: { 'x-slack-signature': 'v0=' } }),
    ];
    const words = await Promise.all(refused.map((response) => response.json() as Promise<Record<string, unknown>>));
    const same = { type: expect.stringMatching(/\/errors\/unauthenticated$/), status: 401, code: 'unauthenticated' };
    for (const { errorId, requestId: _request, ...word } of words)
      expect([word, errorId]).toEqual([{ ...same, title: words[0]?.['title'] }, expect.any(String)]);
    const read = await fetch(`${house.nodes[0].url}/chat/slack/interactions?${body}`);
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await digestTables(house.nodes[0].databaseUrl)).toEqual(before);
  });
});
