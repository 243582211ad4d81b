import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { McpServer } from '@modelcontextprotocol/server';
import pg from 'pg';
import { z } from 'zod';
import { serveBothEras } from '../../../examples/serve-both-eras.ts';
import { assentry, type AssentryOptions } from '#sdk/mcp/assentry-v2';
import { connectV1 } from './v1-client.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { findRequest, pendingOf, textOf as textOfV1 } from '../mcp/peers.ts';
import { letIn, newVisitor } from '../../support/nodes/visitor.ts';
import { accept, call, connectV2, type RawAnswer } from './peers.ts';

const Name = z.object({
  name: z
    .string()
    .min(2)
    .refine((name) => name !== 'no one', 'No one is not a name.'),
});
const Confirmation = z.object({ sure: z.boolean() });
const inputSchema = z.object({ about: z.string() });
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

let effects: string[];
let runs: number;
let verified: string | null;

const server = await startTestServer();
const approver = await server.newUser('admin');
const options = { url: server.url, apiKey: await server.newServerKey('rounds'), progressIntervalMs: 50 };
const mcp = await serveBothEras(() => makeServer(options), 0);
/** Where clients that cannot be asked get an error. */
const strict = await serveBothEras(() => makeServer({ ...options, withoutElicitation: 'deny' }), 0);
afterAll(async () => {
  await mcp.close();
  await strict.close();
  await server.stop();
});
beforeEach(() => {
  effects = [];
  runs = 0;
  verified = null;
});

function makeServer(options: AssentryOptions): McpServer {
  const bank = new McpServer({ name: 'bank', version: '1.0.0' });
  const principal = () => ({ subject: verified ?? 'someone', verified: verified !== null });
  const tools = assentry(bank, { ...options, principal });
  tools.registerTool('greet', { inputSchema }, async ({ about: topic }, { elicit }) => {
    runs += 1;
    const answer = await elicit(`Who, about ${topic}?`, Name, { key: 'who' });
    if (answer.status !== 'accept') return say(answer.status);
    effects.push(topic);
    return say(`Hello, ${answer.content.name}!`);
  });
  tools.registerTool('farewell', { inputSchema }, async ({ about: topic }, { elicit }) =>
    say((await elicit(`Who, about ${topic}?`, Name, { key: 'who' })).status),
  );
  tools.registerTool('both', { inputSchema }, async ({ about: topic }, { elicit }) => {
    const act = async (step: string) => {
      const { status } = await elicit(`${step}, about ${topic}?`, Confirmation, { key: step });
      effects.push(`${step} ${status}`);
      return `${step} ${status}`;
    };
    return say((await Promise.all([act('left'), act('right')])).join(', '));
  });
  tools.registerTool('mixed', { inputSchema }, async ({ about: topic }, { elicit }) => {
    await elicit(`Sure about ${topic}?`, Confirmation);
    const { status } = await elicit(`Approve ${topic}?`, Confirmation, { approval: true });
    effects.push(topic);
    return say(status);
  });
  tools.registerTool('catches', {}, async ({ elicit }) => {
    const error = await elicit('Unheard?', Name).catch((caught: Error) => caught);
    return say(error instanceof Error ? error.name : 'asked');
  });
  tools.registerTool('silent', {}, () => say('nothing to ask'));
  bank.registerTool('plain', { description: 'Not one of ours.' }, ({ mcpReq }) => say(String(mcpReq.requestState())));
  return bank;
}

/** How the questions of this tool stand, in order. */
async function stored(tool: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  const sql = 'SELECT status FROM elicitation WHERE tool = $1 ORDER BY opened_at, id';
  const { rows } = await client.query<{ status: string }>(sql, [tool]);
  await client.end();
  return rows.map(({ status }) => status);
}

const textOf = ({ result, error }: RawAnswer): string => result?.content?.[0]?.text ?? JSON.stringify(result ?? error);
const refusal = { error: expect.objectContaining({ code: -32602, message: 'Invalid or expired requestState' }) };
const questionIn = ({ result }: RawAnswer) => {
  expect(result?.resultType).toBe('input_required');
  return { requestState: result?.requestState, keys: Object.keys(result?.inputRequests ?? {}) };
};
const ada = { who: accept({ name: 'Ada' }) };

describe('one tool at one address', () => {
  test('asks a client of 2026-07-28 between two calls', async () => {
    const messages: string[] = [];
    const client = await connectV2(mcp.url, (message) => (messages.push(message), accept({ name: 'Ada' })));
    expect(client.getProtocolEra()).toBe('modern');
    const result = await client.callTool({ name: 'greet', arguments: { about: 'v2' } });
    expect(result.content).toEqual(say('Hello, Ada!').content);
    expect([messages, effects, runs]).toEqual([['Who, about v2?'], ['v2'], 2]);
    await client.close();
  });

  test('asks a client of 2025-11-25 while its call is open', async () => {
    const client = await connectV2(mcp.url, () => accept({ name: 'Ada' }), 'legacy');
    expect(client.getProtocolEra()).toBe('legacy');
    const result = await client.callTool({ name: 'greet', arguments: { about: 'legacy' } });
    expect(result.content).toEqual(say('Hello, Ada!').content);
    expect([effects, runs]).toEqual([['legacy'], 1]);
    await client.close();
  });

  test('M-55 reads the data of a pushed answer as its content', async () => {
    const client = await connectV2(mcp.url, () => ({ action: 'accept', data: { name: 'Ada' } }), 'legacy');
    const result = await client.callTool({ name: 'greet', arguments: { about: 'data' } });
    expect(result.content).toEqual(say('Hello, Ada!').content);
    await client.close();
  });

  test('asks a client of the first SDK', async () => {
    const client = await connectV1(mcp.url, () => ({ action: 'decline' }));
    const result = await client.callTool({ name: 'greet', arguments: { about: 'v1' } });
    expect(result.content).toEqual(say('decline').content);
    await client.close();
  });

  test('runs a tool that asks no one as ever', async () => {
    expect(textOf(await call(mcp.url, 'silent', {}))).toBe('nothing to ask');
  });
});

describe('a round', () => {
  test('shows message, schema and a state that reveals nothing', async () => {
    const { result } = await call(mcp.url, 'greet', { about: 'wire' });
    expect(result?.inputRequests).toMatchObject({
      who: {
        method: 'elicitation/create',
        params: { message: 'Who, about wire?', requestedSchema: { required: ['name'] } },
      },
    });
    expect(Buffer.from(result?.requestState ?? '', 'base64url').toString('latin1')).not.toContain('wire');
  });

  test.each([
    ['nothing', {}],
    ['another key', { inputResponses: { whoever: accept({ name: 'Ada' }) } }],
    ['too short a text', { inputResponses: { who: accept({ name: 'A' }) } }],
    ["what the form's own rule refuses", { inputResponses: { who: accept({ name: 'no one' }) } }],
    ['no content', { inputResponses: { who: { action: 'accept' } } }],
    ['no action', { inputResponses: { who: { content: { name: 'Ada' } } } }],
    ['an unknown action', { inputResponses: { who: { action: 'approve', content: { name: 'Ada' } } } }],
    ['too much', { inputResponses: { who: accept({ name: 'Ada', admin: true }) } }],
    ['the prototype', { inputResponses: { toString: accept({ name: 'Ada' }) } }],
  ])('MT-09 asks again for an answer that is %s, and then takes one', async (_name, round) => {
    const first = questionIn(await call(mcp.url, 'greet', { about: 'again' }));
    const second = questionIn(
      await call(mcp.url, 'greet', { about: 'again' }, { ...round, requestState: first.requestState }),
    );
    expect(effects).toEqual([]);
    expect(second.requestState).not.toBe(first.requestState);
    const last = { inputResponses: ada, requestState: second.requestState };
    expect(textOf(await call(mcp.url, 'greet', { about: 'again' }, last))).toBe('Hello, Ada!');
  });

  test.each([
    ['data', { data: { name: 'Ada' } }],
    ['content, where it brings data as well', { content: { name: 'Ada' }, data: { name: 'Eve' } }],
  ])('M-55 takes the answer from its %s', async (_name, more) => {
    const { requestState } = questionIn(await call(mcp.url, 'greet', { about: 'data' }));
    const inputResponses = { who: { action: 'accept', ...more } };
    const answered = await call(mcp.url, 'greet', { about: 'data' }, { requestState, inputResponses });
    expect(textOf(answered)).toBe('Hello, Ada!');
  });

  test('X-14 says what was wrong with the answer', async () => {
    const { requestState } = questionIn(await call(mcp.url, 'greet', { about: 'why' }));
    const inputResponses = { who: accept({ name: 'A' }) };
    const { result } = await call(mcp.url, 'greet', { about: 'why' }, { requestState, inputResponses });
    expect(result?.inputRequests?.['who']?.params.message).toBe(
      'Who, about why?\nThe answer does not fit yet.\nname: Must be at least 2 characters.',
    );
  });

  test.each(['decline', 'cancel'])('takes %s as the answer', async (action) => {
    const { requestState } = questionIn(await call(mcp.url, 'greet', { about: action }));
    const answered = await call(
      mcp.url,
      'greet',
      { about: action },
      { requestState, inputResponses: { who: { action } } },
    );
    expect(textOf(answered)).toBe(action);
  });

  test('asks together what a tool asks together, and acts on nothing before all is answered', async () => {
    const first = questionIn(await call(mcp.url, 'both', { about: 'pair' }));
    expect(first.keys).toEqual(['left', 'right']);
    const remaining = { requestState: first.requestState, inputResponses: { left: accept({ sure: true }) } };
    const second = questionIn(await call(mcp.url, 'both', { about: 'pair' }, remaining));
    expect([second.keys, effects]).toEqual([['right'], []]);
    const right = { requestState: second.requestState, inputResponses: { right: accept({ sure: true }) } };
    expect(textOf(await call(mcp.url, 'both', { about: 'pair' }, right))).toBe('left accept, right accept');
    expect(effects.toSorted()).toEqual(['left accept', 'right accept']);
  });

  test('leads on to approvers, who answer in the console', async () => {
    const { requestState } = questionIn(await call(mcp.url, 'mixed', { about: 'm1' }));
    const pending = call(
      mcp.url,
      'mixed',
      { about: 'm1' },
      { requestState, inputResponses: { '0': accept({ sure: true }) } },
    );
    const { id } = await findRequest(approver, 'Approve m1?');
    expect(effects).toEqual([]);
    await approver.vote(id, 'accept', { sure: true });
    expect([textOf(await pending), effects]).toEqual(['accept', ['m1']]);
  });

  test("cannot answer an approvers' question", async () => {
    const both = { '0': accept({ sure: true }), '1': accept({ sure: true }) };
    const gone = new AbortController();
    const { requestState } = questionIn(await call(mcp.url, 'mixed', { about: 'm2' }));
    const answers = { requestState, inputResponses: both };
    const pending = call(mcp.url, 'mixed', { about: 'm2' }, answers, { signal: gone.signal });
    await findRequest(approver, 'Approve m2?');
    gone.abort();
    await expect(pending).rejects.toThrow();
    expect(effects).toEqual([]);
  });

  test('takes its answer from among others that no one asked for', async () => {
    const { requestState } = questionIn(await call(mcp.url, 'greet', { about: 'more' }));
    const inputResponses = { ...ada, unknown: accept({ foo: 'bar' }), another: accept({ baz: true }) };
    const answered = await call(mcp.url, 'greet', { about: 'more' }, { requestState, inputResponses });
    expect(textOf(answered)).toBe('Hello, Ada!');
  });

  test('answers nothing that comes without a state', async () => {
    const { requestState } = questionIn(
      await call(mcp.url, 'mixed', { about: 'm3' }, { inputResponses: { '0': accept({ sure: true }) } }),
    );
    expect(requestState).toEqual(expect.any(String));
    expect(effects).toEqual([]);
  });

  test('keeps two calls of the same words apart', async () => {
    const item = questionIn(await call(mcp.url, 'greet', { about: 'same' }));
    const two = questionIn(await call(mcp.url, 'greet', { about: 'same' }));
    const answers = await Promise.all(
      [item, two].map(({ requestState }, index) =>
        call(
          mcp.url,
          'greet',
          { about: 'same' },
          { requestState, inputResponses: { who: accept({ name: `N${index}` }) } },
        ),
      ),
    );
    expect(answers.map(textOf)).toEqual(['Hello, N0!', 'Hello, N1!']);
  });
});

describe('MT-10 a client that did not declare elicitation in this request', () => {
  const mute = { capabilities: {} };
  const required = { requiredCapabilities: { elicitation: { form: {} } } };
  const open = ({ result }: RawAnswer) => {
    expect([result?.resultType, result?.inputRequests]).toEqual(['complete', undefined]);
    const pending = pendingOf(result as unknown as CallToolResult) as { elicitId: string; url: string } | undefined;
    return { elicitId: '', url: '', ...pending };
  };

  test('gets the link of a page, and its answer by awaitElicitationResult', async () => {
    const client = await connectV2(mcp.url);
    expect(client.getProtocolEra()).toBe('modern');
    const result = (await client.callTool({ name: 'greet', arguments: { about: 'link' } })) as CallToolResult;
    const { elicitId, url } = pendingOf(result) as unknown as { elicitId: string; url: string };
    expect(textOfV1(result)).toContain(`Call awaitElicitationResult with elicitId ${elicitId} to continue waiting.`);
    const visitor = newVisitor();
    await letIn(visitor, url, /code (\d{3} \d{3})/.exec(textOfV1(result))?.[1] ?? '');
    expect((await visitor.send(url, { action: 'accept', 'field.name': 'Ada' })).status).toBe(200);
    expect(effects).toEqual([]);
    const answered = await client.callTool({ name: 'awaitElicitationResult', arguments: { elicitId } });
    expect([answered.content, effects]).toEqual([say('Hello, Ada!').content, ['link']]);
    await client.close();
  });

  test('gets a link in a later round, too', async () => {
    const { requestState } = questionIn(await call(mcp.url, 'both', { about: 'linked' }));
    const remaining = { requestState, inputResponses: { left: accept({ sure: true }) } };
    expect(open(await call(mcp.url, 'both', { about: 'linked' }, remaining, mute)).url).toContain('/e/');
    expect(effects).toEqual([]);
  });

  test('learns what it lacks', async () => {
    const answer = await call(strict.url, 'greet', { about: 'mute' }, {}, mute);
    expect(answer.error).toMatchObject({ code: -32021, data: required });
    expect((await stored('greet')).at(-1)).toBe('cancelled');
  });

  test('is told so in a later round, too', async () => {
    const { requestState } = questionIn(await call(strict.url, 'both', { about: 'later' }));
    const remaining = { requestState, inputResponses: { left: accept({ sure: true }) } };
    expect((await call(strict.url, 'both', { about: 'later' }, remaining, mute)).error).toMatchObject({ code: -32021 });
  });

  test('gets what a tool does without', async () => {
    expect(textOf(await call(strict.url, 'catches', {}, {}, mute))).toBe('ElicitationNotSupportedError');
  });
});

describe('MT-01 a state', () => {
  const start = async (topic: string) => questionIn(await call(mcp.url, 'greet', { about: topic })).requestState ?? '';

  test.each([
    ['cut short', (state: string) => state.slice(0, -1)],
    ['made longer', (state: string) => `${state}-TAMPERED`],
    ['changed within', (state: string) => state.replace(/.(?=.{60}$)/, (character) => (character === 'A' ? 'B' : 'A'))],
    ['made up', () => 'v1.test.AAAA.AAAA'],
    ['empty', () => ''],
  ])('that was %s is refused before any code runs', async (_name, change) => {
    const state = await start('tampered');
    runs = 0;
    const round = { requestState: change(state), inputResponses: ada };
    expect(await call(mcp.url, 'greet', { about: 'tampered' }, round)).toMatchObject(refusal);
    expect([runs, effects]).toEqual([0, []]);
    expect(textOf(await call(mcp.url, 'greet', { about: 'tampered' }, { ...round, requestState: state }))).toBe(
      'Hello, Ada!',
    );
  });

  test('of another principal, tool or other arguments is refused and stays good', async () => {
    verified = 'alice';
    const round = { requestState: await start('mine'), inputResponses: ada };
    verified = 'bob';
    expect(await call(mcp.url, 'greet', { about: 'mine' }, round)).toMatchObject(refusal);
    verified = 'alice';
    expect(await call(mcp.url, 'farewell', { about: 'mine' }, round)).toMatchObject(refusal);
    expect(await call(mcp.url, 'greet', { about: 'yours' }, round)).toMatchObject(refusal);
    expect(effects).toEqual([]);
    expect(textOf(await call(mcp.url, 'greet', { about: 'mine' }, round))).toBe('Hello, Ada!');
  });

  test('MT-02 that is brought back by many at once lets one in', async () => {
    const round = { requestState: await start('replay'), inputResponses: ada };
    const all = await Promise.all(Array.from({ length: 12 }, () => call(mcp.url, 'greet', { about: 'replay' }, round)));
    expect(all.filter(({ result }) => result).map(textOf)).toEqual(['Hello, Ada!']);
    expect(all.filter(({ error }) => error?.code === -32602)).toHaveLength(11);
    expect(effects).toEqual(['replay']);
  });

  test('is not touched on its way to a tool that is not ours', async () => {
    expect(textOf(await call(mcp.url, 'plain', {}, { requestState: 'its own' }))).toBe('its own');
  });
});

test('a server that has tools already is refused', () => {
  const late = new McpServer({ name: 'late', version: '1.0.0' });
  late.registerTool('early', {}, () => say('here'));
  expect(() => assentry(late, { url: server.url, apiKey: 'asn_x' })).toThrowProblem('config-invalid');
});
