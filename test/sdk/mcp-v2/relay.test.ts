import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { readEntry } from '#audit/entries/rules/entry';
import type { AssentryTools } from '#sdk/mcp/assentry';
import type { ElicitationId } from '#platform/model/id';
import { findRequest, pendingOf, startMcpServer, textOf } from '../mcp/peers.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { accept, callBy, kinds, startEveryServer, type Agent } from './peers.ts';
import { json } from '../../support/json.ts';

const Seats = z.object({ seats: z.int().min(1).max(9) }).refine(({ seats }) => seats !== 7, 'Table seven is broken.');
const Approval = z.object({ sure: z.boolean() });
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const relay = 'sendElicitationResult';

/** Of connections from now on. */
let holdTimeoutMs: number;
let caller: { subject: string; verified: boolean };
let ledger: string[];
let departed: string[];
let release: () => void;
let mayFinish: Promise<void>;

beforeEach(() => {
  holdTimeoutMs = 300;
  caller = { subject: `ada ${Math.random()}`, verified: true };
  ledger = [];
  departed = [];
  mayFinish = Promise.resolve();
});

function register(tools: AssentryTools): void {
  const inputSchema = z.object({ at: z.string(), ttl: z.number().optional() });
  tools.registerTool('book', { inputSchema }, async ({ at, ttl }, { elicit, signal }) => {
    const answer = await elicit(`Seats at ${at}?`, Seats, ttl === undefined ? {} : { ttl });
    if (answer.status !== 'accept') return say(answer.status);
    signal?.addEventListener('abort', () => departed.push(at)); // the second SDK has it elsewhere
    ledger.push(`${at} ${answer.content.seats}`);
    await mayFinish;
    return say(`booked ${answer.content.seats}`);
  });
  tools.registerTool('both', { inputSchema }, async ({ at }, { elicit }) => {
    const ask = (what: string) => elicit(`${what} at ${at}?`, Approval, { key: what });
    const answers = await Promise.all([ask('Wine'), ask('Bread')]);
    ledger.push(at);
    return say(answers.map(({ status, content }) => `${status} ${content?.sure}`).join(', '));
  });
  tools.registerTool('approved', { inputSchema }, async ({ at }, { elicit }) => {
    const { status } = await elicit(`Approve ${at}?`, Approval, { approval: true });
    ledger.push(at);
    return say(status);
  });
}

const isFine = () => accept({ ok: true });
const ask = async (agent: Agent, at: string, name = 'book') => {
  const result = await callBy(agent, name, { at });
  return pendingOf(result)?.elicitId ?? JSON.stringify(result);
};

let ahead: number = 0;
const server = await startTestServer({ now: () => Date.now() + ahead });
const approver = await server.newUser();
const apiKey = await server.newServerKey('tables');
const options = {
  url: server.url,
  apiKey,
  get holdTimeoutMs() {
    return holdTimeoutMs;
  },
  withoutElicitation: 'relay',
  principal: () => caller,
} as const;
const mcp = await startEveryServer(register, options);
afterAll(async () => {
  await mcp.stop();
  await server.stop();
});
const relayAnswer = (agent: Agent, elicitId: string, action: string, content?: unknown) =>
  callBy(agent, relay, { elicitId, action, ...(content !== undefined && { content }) });
/** An approver asks the requester of this request for a ticket. */
async function inquire(message: string): Promise<{ id: string; inquiry: string }> {
  const { id } = await findRequest(approver, message);
  const { digest } = await approver.show(id);
  const schema = { type: 'object', properties: { ticket: { type: 'string', minLength: 5 } }, required: ['ticket'] };
  const response = await approver.call('POST', `/api/elicitations/${id}/inquiry`, { digest, message: 'Why?', schema });
  return { id, inquiry: (await json<{ inquiry: string }>(response)).inquiry };
}
const stored = (id: string) => server.engine.reader.elicitation(id as ElicitationId);

describe.each(kinds)('a client of %s that cannot ask its person', (kind) => {
  test('F-104..F-113 is told to ask, passes the answer on and gets the result of the tool', async () => {
    const agent = await mcp.connect(kind);
    const result = await callBy(agent, 'book', { at: 'Adler' });
    const pending = pendingOf(result);
    expect(pending).toMatchObject({
      elicitId: expect.stringMatching(/^eli_/),
      message: 'Seats at Adler?',
      schema: { type: 'object', required: ['seats'] },
      expiresAt: expect.stringMatching(/Z$/),
      instructions: expect.stringContaining(`call ${relay} with elicitId ${pending?.elicitId}`),
    });
    for (const message of ['Seats at Adler?', pending?.elicitId, '"maximum":9'])
      expect(textOf(result)).toContain(message);
    expect(ledger).toEqual([]);
    const id = pending?.elicitId ?? '';
    expect(textOf(await relayAnswer(agent, id, 'accept', { seats: 4 }))).toBe('booked 4');
    expect(ledger).toEqual(['Adler 4']);
    const history = (await server.engine.reader.history(id as ElicitationId)).map(readEntry);
    expect(history.find(({ type }) => type === 'elicitation.answered')).toMatchObject({
      channel: 'told',
      actor: { kind: 'server' },
    });
  });

  test('M-55 may call the content data', async () => {
    const agent = await mcp.connect(kind);
    const elicitId = await ask(agent, 'data');
    const input = { elicitId, action: 'accept', data: { seats: 2 } };
    expect(textOf(await callBy(agent, relay, input))).toBe('booked 2');
    expect(ledger).toEqual(['data 2']);
  });

  test.each(['decline', 'cancel'])('passes %s on', async (action) => {
    const agent = await mcp.connect(kind);
    expect(textOf(await relayAnswer(agent, await ask(agent, action), action))).toBe(action);
    expect(ledger).toEqual([]);
  });

  test.each([
    ['nothing', undefined, ['content']],
    ['a text for a number', { seats: 'four' }, ['content', 'seats']],
    ['too much', { seats: 4, vip: true }, ['content', 'vip']],
    ['a text for an object', '{"seats":4}', ['content']],
    ["what the form's own rule refuses", { seats: 7 }, ['content']],
  ])('may correct an answer that was %s: the question stays open', async (_name, content, path) => {
    const agent = await mcp.connect(kind);
    const id = await ask(agent, `Krone ${_name}`);
    const wrong = await relayAnswer(agent, id, 'accept', content);
    expect(wrong).toMatchObject({ isError: true, _meta: { code: 'INVALID_INPUT' } });
    const details = JSON.parse(textOf(wrong).replace(/^.*\nDetails: /, '')) as unknown[];
    expect(details).toEqual([{ path, message: expect.any(String) }]);
    expect(await stored(id)).toMatchObject({ status: 'open' });
    expect(ledger).toEqual([]);
    expect(textOf(await relayAnswer(agent, id, 'accept', { seats: 4 }))).toBe('booked 4');
  });

  test('is asked one after the other what a tool asks together, which acts once all is answered', async () => {
    const agent = await mcp.connect(kind);
    const name = await ask(agent, 'Post', 'both');
    const between = await relayAnswer(agent, name, 'accept', { sure: true });
    const two = pendingOf(between)?.elicitId ?? '';
    expect(ledger).toEqual([]);
    expect([two === name, (await stored(two))?.status]).toEqual([false, 'open']);
    expect(textOf(await relayAnswer(agent, two, 'accept', { sure: true }))).toBe('accept true, accept true');
    expect(ledger).toEqual(['Post']);
  });

  test('gets one result for two answers at once, and the tool acts once', async () => {
    holdTimeoutMs = 20_000;
    const agent = await mcp.connect(kind);
    const id = await ask(agent, 'Rose');
    const results = await Promise.all([4, 4, 4].map((seats) => relayAnswer(agent, id, 'accept', { seats })));
    expect(ledger).toEqual(['Rose 4']);
    expect(results.map(textOf)).toContain('booked 4');
    for (const result of results.filter((result) => textOf(result) !== 'booked 4')) {
      // Which of both the second one hears depends on how far the first has come.
      const code: unknown = expect.stringMatching(/^already-(closed|executed)$/);
      expect(result).toMatchObject({ isError: true, _meta: { code } });
    }
    expect(await relayAnswer(agent, id, 'decline')).toMatchObject({ isError: true, _meta: { code: 'already-closed' } });
  });

  test("cannot answer an approvers' question", async () => {
    const agent = await mcp.connect(kind);
    const id = await ask(agent, `${kind} house`, 'approved');
    expect(await relayAnswer(agent, id, 'accept', { sure: true })).toMatchObject({
      isError: true,
      _meta: { code: 'forbidden' },
    });
    expect(await stored(id)).toMatchObject({ status: 'open' });
    expect(ledger).toEqual([]);
  });

  test('passes on a reply to what an approver asks, which decides nothing', async () => {
    const agent = await mcp.connect(kind);
    holdTimeoutMs = 20_000;
    const answer = callBy(await mcp.connect(kind), 'approved', { at: `${kind} asked` });
    const { id, inquiry } = await inquire(`Approve ${kind} asked?`);
    const reply = { elicitId: id, inquiry, action: 'accept' };
    const pending = await answer;
    holdTimeoutMs = 300;
    expect(pendingOf(pending)).toMatchObject({ elicitId: id, inquiry: { id: inquiry, message: 'Why?' } });
    const parts = [`${approver.name} must approve it and asks`, '"Why?"', `${id}, inquiry ${inquiry}`, '"minLength":5'];
    for (const part of parts) expect(textOf(pending)).toContain(part);

    const misfit = await callBy(agent, relay, { ...reply, content: { ticket: 'x' } });
    expect(misfit).toMatchObject({ isError: true, _meta: { code: 'INVALID_INPUT' } });
    expect(textOf(misfit)).toContain('"path":["content","ticket"]');
    const other = { ...reply, inquiry: `rem_${'A'.repeat(22)}`, action: 'decline' };
    expect(await callBy(agent, relay, other)).toMatchObject({ isError: true, _meta: { code: 'not-now' } });
    const replied = await callBy(agent, relay, { ...reply, content: { ticket: 'OPS-1' } });
    expect([pendingOf(replied)?.elicitId, textOf(replied).includes('asks')]).toEqual([id, false]);
    const { status, votes, remarks, timeline } = await approver.show(id);
    expect([status, votes, ledger]).toEqual(['open', [], []]);
    expect(remarks[1]?.answer).toEqual({ action: 'accept', content: { ticket: 'OPS-1' }, channel: 'told' });
    const reported = { type: 'elicitation.informed', channel: 'told' };
    expect(timeline.at(-1)).toMatchObject({ by: { kind: 'server', name: 'tables' }, event: reported });
    expect(await callBy(agent, relay, { ...reply, action: 'decline' })).toMatchObject({ _meta: { code: 'not-now' } });

    await approver.vote(id, 'accept', { sure: true });
    expect(textOf(await callBy(agent, 'approved', { at: `${kind} asked` }))).toBe('accept');
  });

  test('is shown once for each inquiry before its hold ends', async () => {
    const agent = await mcp.connect(kind);
    const at = `${kind} told`;
    await ask(agent, at, 'approved');
    const { inquiry } = await inquire(`Approve ${at}?`);
    const timed = async () => {
      const began = performance.now();
      expect(textOf(await callBy(agent, 'approved', { at }))).toContain(inquiry);
      return performance.now() - began;
    };
    await timed();
    expect(await timed()).toBeGreaterThan(290);
  });

  test('hears one and the same of every id that is not its own', async () => {
    const agent = await mcp.connect(kind);
    const own = await ask(agent, 'Linde');
    const short = pendingOf(await callBy(agent, 'book', { at: 'late', ttl: 1000 }))?.elicitId ?? '';
    const approvers = await ask(agent, `${kind} theirs`, 'approved');
    const me = caller;
    caller = { subject: 'mallory', verified: true };
    const foreign = await mcp.connect(kind);
    const answers = [
      await relayAnswer(foreign, own, 'accept', { seats: 4 }),
      await relayAnswer(foreign, own, 'accept', { seats: 99 }),
      await relayAnswer(foreign, own, 'decline'),
      await relayAnswer(foreign, approvers, 'accept', { sure: true }),
      await callBy(foreign, relay, { elicitId: approvers, inquiry: `rem_${'A'.repeat(22)}`, action: 'decline' }),
      await relayAnswer(foreign, 'eli_AAAAAAAAAAAAAAAAAAAAAA', 'decline'),
      await relayAnswer(foreign, '../keys', 'decline'),
      await relayAnswer(foreign, '', 'decline'),
    ];
    caller = me;
    expect(await stored(own)).toMatchObject({ status: 'open' });
    ahead += 2000;
    try {
      await until(async () => (await stored(short))?.status === 'expired');
    } finally {
      ahead -= 2000;
    }
    answers.push(await relayAnswer(agent, short, 'accept', { seats: 4 }));
    const unlike = answers.map(({ _meta: meta, ...answer }) => JSON.stringify({ ...answer, code: meta?.['code'] }));
    expect(new Set(unlike).size).toBe(1);
    expect(answers[0]).toMatchObject({ isError: true, _meta: { code: 'not-found' } });
    expect(ledger).toEqual([]);
  });
});

describe.each(kinds)('the tool to pass answers on, for clients of %s', (kind) => {
  test('F-109 F-110 is listed to those that cannot ask, and to no one else', async () => {
    const names = async (canAsk: boolean) =>
      (await (await mcp.connect(kind, canAsk ? isFine : undefined)).listTools()).tools.map(({ name }) => name);
    expect(await names(false)).toContain(relay);
    expect(await names(true)).not.toContain(relay);
  });

  test('is refused to one that can ask', async () => {
    const agent = await mcp.connect(kind);
    const id = await ask(agent, `${kind} refused`);
    const able = await mcp.connect(kind, isFine);
    const refusal = await relayAnswer(able, id, 'accept', { seats: 4 }).catch((error: Error) => error);
    expect(refusal instanceof Error ? refusal.message : textOf(refusal)).toContain(`Tool ${relay} disabled`);
    expect(await stored(id)).toMatchObject({ status: 'open' });
    expect(ledger).toEqual([]);
  });
});

describe('E-104 a client that turns out to know nothing of elicitation', () => {
  test.each(['2025 on the first SDK', '2025 on the second'] as const)(
    'gets the tool to pass answers on (%s), and is not asked again',
    async (kind) => {
      let count = 0;
      const refuse = () => {
        count += 1;
        throw new McpError(ErrorCode.MethodNotFound, 'No.');
      };
      const agent = await mcp.connect(kind, refuse);
      let changes = 0;
      agent.fallbackNotificationHandler = async ({ method }) =>
        void (changes += method === 'notifications/tools/list_changed' ? 1 : 0);
      const id = await ask(agent, 'Engel');
      await until(() => changes > 0);
      expect((await agent.listTools()).tools.map(({ name }) => name)).toContain(relay);
      expect(textOf(await relayAnswer(agent, id, 'accept', { seats: 5 }))).toBe('booked 5');
      await ask(agent, 'Bengel');
      expect([count, ledger]).toEqual([1, ['Engel 5']]);
    },
  );
});

test.each(['2025 on the first SDK', '2025 on the second'] as const)(
  'E-104 a client that refuses what an approver asks is told to ask instead (%s)',
  async (kind) => {
    holdTimeoutMs = 20_000;
    const agent = await mcp.connect(kind, () => {
      throw new McpError(ErrorCode.MethodNotFound, 'No.');
    });
    const answer = callBy(agent, 'approved', { at: `${kind} refusing` });
    const { id, inquiry } = await inquire(`Approve ${kind} refusing?`);
    expect(textOf(await answer)).toContain(`${id}, inquiry ${inquiry}`);
    holdTimeoutMs = 0;
    await callBy(await mcp.connect(kind), relay, { elicitId: id, inquiry, action: 'decline' });
    expect((await approver.show(id)).remarks[1]?.answer).toEqual({ action: 'decline', content: null, channel: 'told' });
  },
);

describe('a question that the agent is to ask', () => {
  test.each(['2025 on the second', '2026'] as const)(
    'is answered in another process (%s), where the same person is known',
    async (kind) => {
      const agent = await mcp.connect(kind);
      const id = await ask(agent, 'Hirsch');
      const elsewhere = await mcp.connect(kind, undefined, 1);
      const results = await Promise.all(
        [agent, elsewhere].map((agent) => relayAnswer(agent, id, 'accept', { seats: 3 })),
      );
      expect(results.map(textOf)).toContain('booked 3');
      expect(ledger).toEqual(['Hirsch 3']);
    },
  );

  test.each(['2025 on the first SDK', '2025 on the second'] as const)(
    'is out of reach for another session (%s) where no one proved who they are',
    async (kind) => {
      caller = { subject: 'client:agent', verified: false };
      const agent = await mcp.connect(kind);
      const id = await ask(agent, 'Sonne');
      const other = await mcp.connect(kind);
      expect(await relayAnswer(other, id, 'accept', { seats: 3 })).toMatchObject({ _meta: { code: 'not-found' } });
      expect(ledger).toEqual([]);
      expect(textOf(await relayAnswer(agent, id, 'accept', { seats: 3 }))).toBe('booked 3');
    },
  );

  test('gives its answer again to a caller that went away while the tool was running', async () => {
    const agent = await mcp.first.connect();
    mayFinish = new Promise((resolve) => (release = resolve));
    const id = await ask(agent, 'Traube');
    const leaving = new AbortController();
    const input = { name: relay, arguments: { elicitId: id, action: 'accept', content: { seats: 3 } } };
    const lost = agent.callTool(input, undefined, { signal: leaving.signal });
    await until(() => ledger.length > 0);
    leaving.abort();
    await expect(lost).rejects.toThrow();
    await until(() => departed.length > 0);
    release();
    expect(textOf(await relayAnswer(agent, id, 'accept', { seats: 3 }))).toBe('booked 3');
    expect(ledger).toEqual(['Traube 3']);
  });

  test('is the same for the same call of the same session', async () => {
    const agent = await mcp.first.connect();
    expect(await ask(agent, 'Ochsen')).toBe(await ask(agent, 'Ochsen'));
  });
});

test('an address is given as a link: no answer that is passed on could stand for a visit', async () => {
  const elsewhere = await startMcpServer(
    (tools) =>
      tools.registerTool('pay', {}, async ({ elicit }) => say((await elicit('Pay', 'https://pay.example/')).status)),
    { url: server.url, apiKey: await server.newServerKey('pay'), holdTimeoutMs: 200, withoutElicitation: 'relay' },
  );
  try {
    const agent = await elsewhere.connect();
    const pending = pendingOf(await callBy(agent, 'pay', {}));
    const page = expect.stringContaining(`${server.url}/go/`);
    expect(pending).toMatchObject({ url: page });
    const again = await relayAnswer(agent, pending?.elicitId ?? '', 'accept');
    expect(pendingOf(again)).toMatchObject({ elicitId: pending?.elicitId, url: page });
    expect(await approver.show(pending?.elicitId ?? '')).not.toMatchObject({ status: 'accepted' });
    expect(await stored(pending?.elicitId ?? '')).toMatchObject({ status: 'open' });
  } finally {
    await elsewhere.stop();
  }
});
