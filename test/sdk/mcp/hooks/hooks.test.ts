import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { createClient } from '#sdk/client/client';
import {
  HookFailedError,
  InvalidInputError,
  onRequest,
  onResult,
  type AssentryTools,
  type ElicitOptions,
  type RequestHookContext,
  type ResultHookContext,
} from '#sdk/mcp/assentry';
import { authorizationOf } from '#sdk/mcp/tools/principal';
import { newOwner } from '../../../support/requests/owner.ts';
import { startTestServer } from '../../../support/nodes/server.ts';
import { letIn, newVisitor } from '../../../support/nodes/visitor.ts';
import { answered, joined, sentBy, traceStages } from './hook-trace.ts';
import { callTool, findRequest, listRequests, pendingOf, startMcpServer, textOf } from '../peers.ts';

const form = z.object({ note: z.string().max(20), amount: z.int().max(100).optional() });
const answer = { action: 'accept' as const, content: { note: ' <b>fine</b> ', amount: 7 } };

/** Those of the test at hand, for the sessions it opens. */
let hooks: object[];
let thrown: unknown;
let ledger: unknown[];

const server = await startTestServer();
const approver = await server.newUser('approver');
const orchestrator = createClient({ url: server.url, apiKey: await server.newServerKey('hooked') });
const owner = await newOwner(server);
const optionsFor = (withoutElicitation: 'link' | 'relay') => ({
  client: orchestrator,
  withoutElicitation,
  get hooks() {
    return hooks;
  },
});
const register = (tools: AssentryTools): void => {
  const inputSchema = { message: z.string(), options: z.record(z.string(), z.unknown()).default({}) };
  tools.registerTool('ask', { inputSchema }, async ({ message, options: record }, { elicit }) => {
    try {
      const result = await elicit(message, form, record as ElicitOptions);
      if (result.status === 'accept') ledger.push(result.content);
      return { content: [{ type: 'text' as const, text: result.status }] };
    } catch (error) {
      thrown = error;
      throw error;
    }
  });
  tools.registerTool('ask_two', {}, async ({ elicit }) => {
    const outcomes = await Promise.allSettled([elicit('First?', form), elicit('Second?', form)]);
    return { content: [{ type: 'text' as const, text: outcomes.map(({ status }) => status).join(', ') }] };
  });
};
const mcp = await startMcpServer(register, optionsFor('link'));
const relaying = await startMcpServer(register, optionsFor('relay'));
afterAll(async () => {
  await mcp.stop();
  await relaying.stop();
  await server.stop();
});
beforeEach(() => {
  hooks = [];
  thrown = undefined;
  ledger = [];
});

const ask = async (message: string, options: Record<string, unknown> = {}) =>
  callTool(await mcp.connect(() => answer), 'ask', { message, options });
const rowOf = async (message: string) => {
  const rows = [...(await listRequests(owner, 'all')), ...(await listRequests(owner, 'done'))];
  return rows.find((row) => row.message === message);
};

describe('hooks follow a question', () => {
  test('that is pushed to the client (F-68, F-69, F-70, F-71, F-72, F-73, F-75, F-76, F-77, F-78, F-79, F-80)', async () => {
    const { hooks: tracing, takeTrace } = traceStages();
    hooks = tracing;
    expect(textOf(await ask('Pushed?'))).toBe('accept');
    expect(takeTrace()).toEqual([...sentBy('push'), ...answered]);
  });

  test('that is held for approvers', async () => {
    const { hooks: tracing, takeTrace } = traceStages();
    hooks = tracing;
    const call = ask('Held?', { approval: true });
    await approver.vote((await findRequest(approver, 'Held?')).id, 'decline');
    expect(textOf(await call)).toBe('decline');
    expect(takeTrace()).toEqual([...sentBy('hold'), ...answered]);
  });

  test('that is answered by a link, in the call that comes back for it', async () => {
    const { hooks: tracing, takeTrace } = traceStages();
    hooks = tracing;
    const client = await mcp.connect();
    const first = await callTool(client, 'ask', { message: 'Linked?' });
    expect(takeTrace()).toEqual(sentBy('link'));
    const { url } = pendingOf(first) as unknown as { url: string };
    const visitor = newVisitor();
    await letIn(visitor, url, /code (\d{3} \d{3})/.exec(textOf(first))?.[1] ?? '');
    expect((await visitor.send(url, { action: 'accept', 'field.note': 'seen' })).status).toBe(200);
    expect(textOf(await callTool(client, 'ask', { message: 'Linked?' }))).toBe('accept');
    expect(takeTrace()).toEqual([...joined, ...answered]);
  });

  test('that the agent passes on, in the run that its answer starts', async () => {
    const { hooks: tracing, takeTrace } = traceStages();
    hooks = tracing;
    const client = await relaying.connect();
    const elicitId = pendingOf(await callTool(client, 'ask', { message: 'Relayed?' }))?.elicitId;
    expect(takeTrace()).toEqual(sentBy('relay'));
    const message = { elicitId, action: 'accept', content: { note: 'told' } };
    expect(textOf(await callTool(client, 'sendElicitationResult', message))).toBe('accept');
    expect(takeTrace()).toEqual([...sentBy('relay'), ...answered]);
    expect(ledger).toEqual([{ note: 'told' }]);
  });
});

/** An audit of its own, as a tool's author would write one. */
class Journal {
  readonly entries: Record<string, unknown>[] = [];

  @onRequest.did('storePendingRecord')
  started({ elicitation, session, request }: RequestHookContext<'storePendingRecord', 'did'>) {
    this.entries.push({ type: 'started', elicitId: elicitation.id, session, message: request.message });
  }

  @onResult.did('finalize')
  completed({ elicitation, session, result }: ResultHookContext<'finalize', 'did'>) {
    const duration = (elicitation.closedAt ?? Number.NaN) - elicitation.openedAt;
    this.entries.push({ type: 'completed', elicitId: elicitation.id, session, status: result.status, duration });
  }
}

test('a journal hears of the question when it is stored, and of its end and duration (F-67, F-74, F-83, F-84, F-85, F-88)', async () => {
  const journal = new Journal();
  hooks = [journal];
  await ask('Written down?');
  const { id } = (await rowOf('Written down?')) ?? {};
  const session = expect.stringMatching(/^[\da-f-]{36}$/);
  expect(journal.entries).toEqual([
    { type: 'started', elicitId: id, session, message: 'Written down?' },
    { type: 'completed', elicitId: id, session, status: 'accept', duration: expect.any(Number) },
  ]);
  expect(journal.entries[1]?.['duration']).toBeGreaterThanOrEqual(0);
  expect(journal.entries[0]?.['session']).toBe(journal.entries[1]?.['session']);
});

describe('what a hook sets', () => {
  test('before the result is built reaches the tool, and the record keeps what the person said (F-87)', async () => {
    const sanitise = (context: ResultHookContext<'buildResult'>) => {
      const note = String(context.content?.['note'])
        .replace(/<[^>]*>/g, '')
        .trim();
      context.content = { ...context.content, note };
    };
    hooks = [onResult.will('buildResult', sanitise)];
    await ask('Sanitised?');
    expect(ledger).toEqual([{ note: 'fine', amount: 7 }]);
    const { content } = await orchestrator.get((await rowOf('Sanitised?'))?.id ?? '');
    expect(content).toEqual(answer.content);
  });

  test.each([
    ['will', onResult.will('buildResult', tooMuch)],
    ['stage', onResult.stage('buildResult', tooMuch)],
    ['around', onResult.around('buildResult', (context) => tooMuch(context))],
    ['will', onResult.will('validateContent', tooMuch)],
    ['stage', onResult.stage('validateContent', tooMuch)],
  ] as const)('as content is held against the form again: %s', async (_, hook) => {
    hooks = [hook];
    const result = await ask('Too much?');
    expect(thrown).toBeInstanceOf(InvalidInputError);
    expect(result).toMatchObject({ isError: true, _meta: { code: 'INVALID_INPUT' } });
    expect((thrown as InvalidInputError).details).toEqual([{ path: ['amount'], message: 'Must be at most 100.' }]);
    expect(ledger).toEqual([]);
  });

  test('as message and options is what is asked (F-68)', async () => {
    hooks = [
      onRequest.will('parseInput', (context) => {
        context.message = `${context.message} Really?`;
        context.options.approval = true;
      }),
    ];
    const call = ask('Change it?');
    const { id } = await findRequest(approver, 'Change it? Really?');
    await approver.vote(id, 'decline');
    expect(textOf(await call)).toBe('decline');
  });

  test('is refused before anything is stored if it cannot be asked (F-69)', async () => {
    let stored = 0;
    hooks = [
      onRequest.will('parseInput', (context) => void (context.message = 'x'.repeat(4001))),
      onRequest.stage('validateRequest', () => {}),
      onRequest.will('storePendingRecord', () => void (stored += 1)),
    ];
    const result = await ask('Too long?');
    expect(result).toMatchObject({ isError: true, _meta: { code: 'INVALID_INPUT' } });
    expect(textOf(result)).toContain('"message"');
    expect(stored).toBe(0);
  });

  test('as meta goes to the client, whose person still reads the stored question (F-72)', async () => {
    hooks = [
      onRequest.stage('buildRequestParams', (context) => {
        context.meta = { 'example.com/theme': 'dark' };
        Object.assign(context, { params: { message: 'Something harmless?' } });
        Object.assign(context.request, { message: 'Something harmless?' });
      }),
    ];
    const client = await mcp.connect(() => answer);
    const values: unknown[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      values.push([params.message, params._meta?.['example.com/theme']]);
      return answer;
    });
    await callTool(client, 'ask', { message: 'With meta?' });
    expect(values).toEqual([['With meta?', 'dark']]);
  });

  test('as elicitation id speaks for the question of an address (F-70)', async () => {
    const ids: string[] = [];
    hooks = [
      onRequest.stage('generateElicitId', async (context) => {
        const { token } = await orchestrator.mintToken({ session: context.session });
        context.elicitationId = token;
      }),
      onRequest.did('buildRequestParams', ({ params }) => {
        if (params.mode === 'url') ids.push(params.elicitationId);
      }),
    ];
    const client = await mcp.connect(() => ({ action: 'decline' }), { elicitation: { url: {} } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      if (params.mode === 'url') ids.push(params.elicitationId);
      return { action: 'decline' };
    });
    const options = { mode: 'url', url: 'https://example.com/connect' };
    expect(textOf(await callTool(client, 'ask', { message: 'Connect?', options }))).toBe('decline');
    expect(ids).toEqual([expect.stringMatching(/^v1\./), ids[0]]);
  });
});

describe('a hook cannot', () => {
  /** Writes over whatever it is shown. */
  const forge = (context: object): void => {
    const forged = { action: 'accept', status: 'accepted', content: answer.content, comment: null };
    for (const part of Object.values(context)) {
      if (part !== null && typeof part === 'object' && !(part instanceof AbortSignal)) Object.assign(part, forged);
    }
    Object.assign(context, forged, { result: { status: 'accept', content: answer.content }, audience: 'requester' });
  };
  const forging = [
    onRequest.did('storePendingRecord', forge),
    onRequest.did('finalize', forge),
    onResult.did('parseInput', forge),
    onResult.did('lookupPending', forge),
    onResult.stage('validateContent', forge),
    onResult.did('validateContent', forge),
    onResult.stage('buildResult', forge),
    onResult.did('buildResult', forge),
    onResult.around('publishResult', (context) => forge(context)),
    onResult.stage('finalize', forge),
  ];

  test('turn an approver’s no into a yes', async () => {
    hooks = forging;
    const call = ask('Forge the no?', { approval: true });
    const { id } = await findRequest(approver, 'Forge the no?');
    await approver.vote(id, 'decline');
    expect(textOf(await call)).toBe('decline');
    expect(ledger).toEqual([]);
    expect((await rowOf('Forge the no?'))?.status).toBe('declined');
  });

  test('change what the tool gets by writing on what it was shown', async () => {
    hooks = forging.filter(({ stage }) => stage !== 'validateContent' && stage !== 'buildResult');
    await ask('Forge the yes?');
    expect(ledger).toEqual([answer.content]);
  });

  test('send approvers away', async () => {
    const tell = (context: RequestHookContext<'parseInput'>) => {
      context.options = { audience: 'requester' };
    };
    hooks = [onRequest.will('parseInput', tell), onRequest.did('parseInput', forge)];
    const call = ask('Without approvers?', { approval: true });
    await approver.vote((await findRequest(approver, 'Without approvers?')).id, 'decline');
    expect(textOf(await call)).toBe('decline');
  });

  test('hand an accept out twice, or without its claim', async () => {
    hooks = [onResult.stage('publishResult', () => {}), onResult.around('publishResult', () => {})];
    const [first, second] = await Promise.all(['a', 'b'].map(() => mcp.connect(() => answer)));
    const calls = [first, second].map((client) => client && callTool(client, 'ask', twice));
    const { id } = await findRequest(approver, twice.message);
    await approver.vote(id, 'accept', { note: 'once' });
    expect((await Promise.all(calls)).map((result) => result && textOf(result))).toEqual(['accept', 'accept']);
    expect(ledger).toEqual([{ note: 'once' }]);
  });
  const twice = { message: 'Twice?', options: { approval: true } };

  test('see the access token of the caller', () => {
    const info = { token: 'secret', clientId: 'agent', scopes: ['pay'], extra: { role: 'admin' } };
    expect(authorizationOf(info)).toEqual({ clientId: 'agent', scopes: ['pay'], extra: { role: 'admin' } });
  });
});

describe('a hook that fails', () => {
  const fail = () => {
    throw new RangeError('The audit is down.');
  };

  test.each([
    { hook: onRequest.will('storePendingRecord', fail), row: undefined },
    { hook: onRequest.did('storePendingRecord', fail), row: ['cancelled', 'caller_gone'] },
    { hook: onRequest.will('finalize', fail), row: ['cancelled', 'caller_gone'] },
    { hook: onResult.will('publishResult', fail), row: ['accepted', null] },
  ])('$hook.moment $hook.stage fails the call, and the question is left as it should be', async ({ hook, row }) => {
    hooks = [hook];
    const message = `Fail ${hook.moment} ${hook.stage}?`;
    const result = await ask(message);
    expect(thrown).toBeInstanceOf(HookFailedError);
    expect(result).toMatchObject({ isError: true, _meta: { code: 'internal' } });
    expect(textOf(result)).toBe(`Check the hook ${hook.moment} of ${hook.stage} in the ${hook.flow} flow: it failed.`);
    expect(ledger).toEqual([]);
    const request = await rowOf(message);
    expect(request && [request.status, request.cause]).toEqual(row);
  });
});

test('a question whose hook fails does not hold up those asked with it', async () => {
  const refuse = () => Promise.reject(new RangeError('not this one'));
  hooks = [onRequest.will('parseInput', refuse, { filter: ({ message }) => message === 'First?' })];
  expect(textOf(await callTool(await mcp.connect(() => answer), 'ask_two'))).toBe('rejected, fulfilled');
});

function tooMuch(context: ResultHookContext<'buildResult'>): void {
  context.content = { ...context.content, amount: 101 };
}
