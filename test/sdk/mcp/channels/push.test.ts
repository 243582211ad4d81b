import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ErrorCode, McpError, type ElicitResult as ClientAnswer } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { ElicitationNotSupportedError, ElicitationTimeoutError, InvalidInputError, Problem } from '#sdk/mcp/assentry';
import { createClient } from '#sdk/client/client';
import { newOwner } from '../../../support/requests/owner.ts';
import { until } from '../../../support/poll.ts';
import { startTestServer } from '../../../support/nodes/server.ts';
import { callTool, listRequests, startMcpServer, textOf } from '../peers.ts';

const profile = z.object({
  name: z.string().min(2),
  age: z.int().min(0),
  code: z
    .string()
    .refine((text) => text !== 'wrong', 'This is not the code.')
    .default('none'),
});
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

/** What only code without types can ask with, and where it is wrong. */
const untyped: { what: string; given: unknown[]; path: string }[] = [
  { what: 'no message', given: [undefined, profile], path: 'message' },
  { what: 'an empty message', given: ['', profile], path: 'message' },
  { what: 'a number as message', given: [7, profile], path: 'message' },
  { what: 'no form', given: ['Form?'], path: 'schema' },
  { what: 'null as form', given: ['Form?', null], path: 'schema' },
  { what: 'a number as form', given: ['Form?', 7], path: 'schema' },
  { what: 'a boolean as form', given: ['Form?', true], path: 'schema' },
  { what: 'a function as form', given: ['Form?', () => profile], path: 'schema' },
  { what: 'a list as form', given: ['Form?', []], path: 'schema' },
  { what: 'null as options', given: ['Options?', profile, null], path: 'options' },
  { what: 'a text as options', given: ['Options?', profile, 'ttl'], path: 'options' },
  { what: 'a text as ttl', given: ['Options?', profile, { ttl: '5' }], path: 'ttl' },
  { what: 'another audience', given: ['Options?', profile, { audience: 'everyone' }], path: 'audience' },
  { what: 'a text as approval', given: ['Options?', profile, { approval: 'no' }], path: 'approval' },
  { what: 'a number as key', given: ['Options?', profile, { key: 1 }], path: 'key' },
  { what: 'a controller as signal', given: ['Options?', profile, { signal: new AbortController() }], path: 'signal' },
  { what: 'another mode', given: ['Options?', profile, { mode: 'chat' }], path: 'mode' },
  { what: 'a number as address', given: ['Options?', profile, { url: 7 }], path: 'url' },
  { what: 'a number as token', given: ['Options?', profile, { elicitationId: { token: 7 } }], path: 'elicitationId' },
];

/** What elicit() threw inside the tools. */
let thrown: unknown[];
let runs: string[];

beforeEach(() => {
  thrown = [];
  runs = [];
});

const detailsOf = (result: Parameters<typeof textOf>[0]) =>
  JSON.parse(textOf(result).replace(/^.*\nDetails: /, '')) as unknown;
const answers = (answer: ClientAnswer) => () => answer;
const never = () => new Promise<ClientAnswer>(() => {});
const find = async (message: string) =>
  (await listRequests(owner, 'all')).concat(await listRequests(owner, 'done')).find((item) => item.message === message);

const server = await startTestServer();
const connection = { url: server.url, apiKey: await server.newServerKey('crm') };
const owner = await newOwner(server);
const options = { ...connection, progressIntervalMs: 40, withoutElicitation: 'deny' } as const;
const mcp = await startMcpServer((tools) => {
  tools.registerTool(
    'greet',
    { inputSchema: { message: z.string(), ttl: z.number().optional() } },
    async (args, { elicit }) => {
      try {
        const answer = await elicit(args.message, profile, args.ttl === undefined ? {} : { ttl: args.ttl });
        if (answer.status !== 'accept') return say(`${answer.status} ${'cause' in answer ? answer.cause : ''}`.trim());
        runs.push(args.message);
        return say(JSON.stringify(answer.content));
      } catch (error) {
        thrown.push(error);
        throw error;
      }
    },
  );
  tools.registerTool('ask_no_one', {}, async ({ sessionId }) => say(`session ${typeof sessionId}`));
  tools.registerTool('nested', {}, async ({ elicit }) => {
    const nested = { type: 'object' as const, properties: { deep: { type: 'object' } } };
    await elicit('Nested?', nested);
    return say('never');
  });
  tools.registerTool('untyped', { inputSchema: { at: z.number() } }, async ({ at }, { elicit }) => {
    await (elicit as (...parameters: unknown[]) => Promise<unknown>)(...(untyped[at]?.given ?? []));
    return say('never');
  });
  tools.registerTool('forgets', {}, async ({ elicit }) => {
    void elicit('Forgotten?', profile);
    await until(async () => (await find('Forgotten?'))?.status === 'open');
    return say('did not wait');
  });
  tools.registerTool('withdraws', {}, async ({ elicit }) => {
    const leaving = new AbortController();
    const request = elicit('Withdrawn?', profile, { signal: leaving.signal }).then(
      () => 'answered',
      (error: Error) => error.name,
    );
    await until(async () => (await find('Withdrawn?'))?.status === 'open');
    leaving.abort();
    return say(await request);
  });
}, options);
afterAll(async () => {
  await mcp.stop();
  await server.stop();
});
const status = async (message: string) => {
  const item = await find(message);
  return item && [item.status, item.cause];
};

describe('the person at the client', () => {
  test('answers and the tool gets the content, typed and with its defaults', async () => {
    const values: unknown[] = [];
    const client = await mcp.connect((question) => {
      values.push(question);
      return { action: 'accept', content: { name: 'Ada', age: 36 } };
    });
    const result = await callTool(client, 'greet', { message: 'Who?' });
    expect(JSON.parse(textOf(result))).toEqual({ name: 'Ada', age: 36, code: 'none' });
    expect(values).toEqual([{ message: 'Who?', schema: expect.objectContaining({ type: 'object' }) }]);
    expect(await status('Who?')).toEqual(['accepted', null]);
  });

  test.each([
    { answer: { action: 'decline' } as const, text: 'decline', row: ['declined', null] },
    { answer: { action: 'cancel' } as const, text: 'cancel user', row: ['cancelled', 'user'] },
  ])('says $answer.action and the tool hears it', async ({ answer, text, row }) => {
    const message = `Say ${answer.action}?`;
    expect(textOf(await callTool(await mcp.connect(answers(answer)), 'greet', { message }))).toBe(text);
    expect(await status(message)).toEqual(row);
    expect(runs).toEqual([]);
  });

  test('is asked again by the next equal call', async () => {
    let count = 0;
    const client = await mcp.connect(() => ({ action: 'accept', content: { name: 'Ada', age: (count += 1) } }));
    await callTool(client, 'greet', { message: 'Again?' });
    expect(JSON.parse(textOf(await callTool(client, 'greet', { message: 'Again?' })))).toMatchObject({ age: 2 });
  });
});

describe('F-42 an accept whose content does not fit', () => {
  test.each([
    {
      why: 'a wrong type',
      content: { name: 'Ada', age: 'thirty' },
      path: ['age'],
      says: 'Expected number, received string',
    },
    { why: 'a missing field', content: { name: 'Ada' }, path: ['age'], says: 'This field is required.' },
    {
      why: 'a foreign field',
      content: { name: 'Ada', age: 3, admin: true },
      path: ['admin'],
      says: 'The form has no such field.',
    },
    {
      why: 'a refinement',
      content: { name: 'Ada', age: 3, code: 'wrong' },
      path: ['code'],
      says: 'This is not the code.',
    },
    { why: 'no content at all', content: undefined, path: [], says: 'Fill in the form: an accept needs its answers.' },
  ])('is an InvalidInputError after the third time: $why', async ({ why, content, path, says }) => {
    const message = `Fit ${why}?`;
    const answer = { action: 'accept', ...(content && { content }) } as ClientAnswer;
    const values: string[] = [];
    const client = await mcp.connect((question) => (values.push(question.message), answer));
    const result = await callTool(client, 'greet', { message });
    const again = [message, 'The answer does not fit yet.', [...path, says].join(': ')].join('\n');
    expect(values).toEqual([message, again, again]);
    expect(runs).toEqual([]);
    expect(thrown[0]).toBeInstanceOf(InvalidInputError);
    expect(thrown[0]).toMatchObject({ code: 'INVALID_INPUT', status: 400, details: [{ path, message: says }] });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      `Invalid elicitation result content\nDetails: ${JSON.stringify([{ path, message: says }])}`,
    );
    expect(result._meta).toEqual({ code: 'INVALID_INPUT', errorId: expect.stringMatching(/^err_[0-9a-f]{16}$/) });
    expect(await status(message)).toEqual(['cancelled', 'caller_gone']);
  });
});

describe('X-14 the person whose answer does not fit', () => {
  test.each([
    { next: 'puts it right', last: { action: 'accept', content: { name: 'Ada', age: 36 } }, text: '"age":36' },
    { next: 'declines', last: { action: 'decline' }, text: 'decline' },
  ] as const)('is shown what is wrong and $next', async ({ next, last, text }) => {
    const message = `Twice, ${next}?`;
    const values: string[] = [];
    const client = await mcp.connect((question) => {
      values.push(question.message);
      return values.length === 1 ? { action: 'accept', content: { name: 'A', age: -1 } } : last;
    });
    expect(textOf(await callTool(client, 'greet', { message }))).toContain(text);
    expect(values[1]?.split('\n')).toEqual([
      message,
      'The answer does not fit yet.',
      'name: Must be at least 2 characters.',
      'age: Must be at least 0.',
    ]);
    expect((await find(message))?.status).toBe(last.action === 'accept' ? 'accepted' : 'declined');
  });
});

describe('a client that cannot be asked, where links are not allowed', () => {
  test.each([
    { who: 'declares nothing', connect: () => mcp.connect() },
    { who: 'declares addresses only', connect: () => mcp.connect(never, { elicitation: { url: {} } }) },
    { who: 'knows no such method', connect: () => mcp.connect(refuses(ErrorCode.MethodNotFound)) },
    { who: 'refuses the parameters', connect: () => mcp.connect(refuses(ErrorCode.InvalidParams)) },
  ])('is an ElicitationNotSupportedError: it $who', async ({ who, connect }) => {
    const message = `Able: ${who}?`;
    const result = await callTool(await connect(), 'greet', { message });
    expect(thrown[0]).toBeInstanceOf(ElicitationNotSupportedError);
    expect(thrown[0]).toMatchObject({ code: 'ELICITATION_NOT_SUPPORTED', status: 400 });
    expect(result).toMatchObject({ isError: true, _meta: { code: 'ELICITATION_NOT_SUPPORTED' } });
    expect(await status(message)).toEqual(['cancelled', 'caller_gone']);
  });

  test('E-104 and refused once is not asked again in its session', async () => {
    let count = 0;
    const client = await mcp.connect(() => {
      count += 1;
      return refuses(ErrorCode.MethodNotFound)();
    });
    for (const message of ['Once?', 'Twice asked?']) {
      expect(await callTool(client, 'greet', { message })).toMatchObject({
        _meta: { code: 'ELICITATION_NOT_SUPPORTED' },
      });
    }
    expect(count).toBe(1);
  });

  const refuses = (code: ErrorCode) => () => {
    throw new McpError(code, 'No.');
  };

  test('that fails otherwise ends the tool with what it said', async () => {
    const client = await mcp.connect(() => {
      throw new TypeError('The window would not open.');
    });
    const result = await callTool(client, 'greet', { message: 'Fail?' });
    expect(result).toMatchObject({ isError: true, _meta: { code: 'unavailable' } });
    expect(textOf(result)).toContain('The window would not open.');
  });
});

describe('F-53 a question that no one answers', () => {
  test('ends the tool with an ElicitationTimeoutError, and is taken off the screen', async () => {
    let isTakenBack = false;
    const client = await mcp.connect((_, signal) => {
      signal.addEventListener('abort', () => (isTakenBack = true));
      return never();
    });
    const result = await callTool(client, 'greet', { message: 'Time?', ttl: 1000 });
    expect(thrown[0]).toBeInstanceOf(ElicitationTimeoutError);
    expect(thrown[0]).toMatchObject({ code: 'ELICITATION_TIMEOUT', status: 408, ttl: 1000 });
    expect((thrown[0] as ElicitationTimeoutError).elicitId).toBe((await find('Time?'))?.id);
    expect(result).toMatchObject({ isError: true, _meta: { code: 'ELICITATION_TIMEOUT' } });
    expect(textOf(result)).toContain('no one answered within 1 seconds. The same call would ask again.');
    await until(() => isTakenBack);
    expect(await status('Time?')).toEqual(['expired', null]);
  });

  test('F-59 is superseded by a newer one of its session, and taken off the screen', async () => {
    const shown: string[] = [];
    const takenBack: string[] = [];
    const client = await mcp.connect(({ message }, signal) => {
      shown.push(message);
      signal.addEventListener('abort', () => takenBack.push(message));
      return message === 'Older?' ? never() : { action: 'accept', content: { name: 'Ada', age: 1 } };
    });
    const older = callTool(client, 'greet', { message: 'Older?' });
    await until(() => shown.includes('Older?'));
    const newer = await callTool(client, 'greet', { message: 'Newer?' });
    expect(textOf(await older)).toBe('cancel superseded');
    expect(textOf(newer)).toContain('Ada');
    await until(() => takenBack.includes('Older?'));
  });

  test('is not superseded by another session', async () => {
    const waiting = await mcp.connect(never);
    const call = callTool(waiting, 'greet', { message: 'Mine?', ttl: 1500 });
    await until(async () => (await find('Mine?'))?.status === 'open');
    await callTool(await mcp.connect(answers({ action: 'decline' })), 'greet', { message: 'Yours?' });
    expect(textOf(await call)).toContain('no one answered');
  });

  test('hears progress on its call, strictly increasing', async () => {
    const values: number[] = [];
    const client = await mcp.connect(never);
    const call = callTool(
      client,
      'greet',
      { message: 'Progress?', ttl: 1000 },
      { onprogress: (item) => values.push(item.progress) },
    );
    await call;
    expect(values.length).toBeGreaterThan(3);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  });

  test('is cancelled when its caller goes away, and the next equal call asks again', async () => {
    const leaving = new AbortController();
    let answer: ClientAnswer | Promise<ClientAnswer> = never();
    const client = await mcp.connect(() => answer);
    const call = callTool(client, 'greet', { message: 'Leave?' }, { signal: leaving.signal });
    await until(async () => (await find('Leave?'))?.status === 'open');
    leaving.abort();
    await expect(call).rejects.toThrow();
    await until(async () => (await find('Leave?'))?.cause === 'caller_gone');
    answer = { action: 'accept', content: { name: 'Ada', age: 1 } };
    expect(textOf(await callTool(client, 'greet', { message: 'Leave?' }))).toContain('Ada');
  });

  test('is withdrawn by the signal of the tool', async () => {
    expect(textOf(await callTool(await mcp.connect(never), 'withdraws'))).toBe('AbortError');
    await until(async () => (await find('Withdrawn?'))?.cause === 'caller_gone');
  });
});

test('a question that its tool forgot is withdrawn when the tool ends', async () => {
  expect(textOf(await callTool(await mcp.connect(never), 'forgets'))).toBe('did not wait');
  expect(await status('Forgotten?')).toEqual(['cancelled', 'caller_gone']);
});

test('two equal calls of one session run the tool once, and both get its result', async () => {
  const client = await mcp.connect(async () => {
    await until(async () => requests.push(1) > 1);
    return { action: 'accept', content: { name: 'Ada', age: requests.length } };
  });
  const requests: number[] = [];
  const calls = [1, 2].map(() => callTool(client, 'greet', { message: 'Twice?' }));
  const [first, second] = (await Promise.all(calls)).map(textOf);
  expect(first).toContain('Ada');
  expect(second).toBe(first);
  expect(runs).toEqual(['Twice?']);
});

test('a schema that is not a form is refused before anyone is asked', async () => {
  const result = await callTool(await mcp.connect(never), 'nested');
  expect(result).toMatchObject({ isError: true, _meta: { code: 'INVALID_INPUT' } });
  expect(textOf(result)).toContain('Correct the form: parts of it are invalid.');
  expect(await find('Nested?')).toBeUndefined();
});

test.each(untyped.map((row, at) => ({ ...row, at })))(
  'G-13: untyped code that gives $what is told at $path',
  async ({ at, path }) => {
    const result = await callTool(await mcp.connect(never), 'untyped', { at });
    expect(result).toMatchObject({ isError: true, _meta: { code: 'INVALID_INPUT' } });
    expect(detailsOf(result)).toEqual([{ path: [path], message: expect.any(String) }]);
  },
);

test('a tool that asks no one needs no orchestrator', async () => {
  const alone = await startMcpServer(
    (tools) => {
      tools.registerTool('ask_no_one', {}, async () => say('done'));
      tools.registerTool('asks', {}, async ({ elicit }) => say((await elicit('Anyone?', profile)).status));
    },
    { client: createClient({ url: 'http://127.0.0.1:9', apiKey: 'asn_none', retries: 1 }) },
  );
  try {
    expect(textOf(await callTool(await alone.connect(), 'ask_no_one'))).toBe('done');
    const result = await callTool(await alone.connect(never), 'asks');
    expect(result).toMatchObject({ isError: true, _meta: { code: 'unavailable' } });
  } finally {
    await alone.stop();
  }
});

test('every error of the package is a Problem', () => {
  const errors = [
    new ElicitationTimeoutError('eli', 5),
    new ElicitationNotSupportedError('No.'),
    new InvalidInputError([]),
  ];
  expect(errors.every((error) => error instanceof Problem && error instanceof Error)).toBe(true);
  expect(errors.map(({ name }) => name)).toEqual([
    'ElicitationTimeoutError',
    'ElicitationNotSupportedError',
    'InvalidInputError',
  ]);
});
