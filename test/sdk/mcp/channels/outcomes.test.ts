import { afterAll, afterEach, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpError, type CallToolResult, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { CommonOptions } from '#sdk/mcp/tools/own-tools';
import { casesOfV2 } from '../../mcp-v2/outcome-cases.ts';
import { call as callRaw } from '../../mcp-v2/peers.ts';
import { until } from '../../../support/poll.ts';
import { startTestServer } from '../../../support/nodes/server.ts';
import {
  accept,
  untilAsked,
  describeResult,
  loseStream,
  newStage,
  nothing,
  questionOf,
  sendOld,
  ttl,
  type Case,
  type Stage,
} from './outcome-stage.ts';
import { callTool, pendingOf, type McpPeer } from '../peers.ts';

let stage: Stage | undefined;
let skipped = 0;
const server = await startTestServer({ now: () => Date.now() + skipped });
afterAll(() => server.stop());
afterEach(async () => {
  await stage?.stop();
  stage = undefined;
});

const passDeadline = (): void => void (skipped += ttl + 1);
const never = new Promise<never>(() => {});

/** A person who answers nothing until they come back. */
function somebodyAway() {
  const user = { questions: 0, isBack: false };
  const answer = () => ((user.questions += 1), user.isBack ? accept : never);
  return { user, answer };
}

/** A client of such a person; its call again meets them. */
async function connectAway(
  peer: McpPeer,
): Promise<{ client: Client; callBack(more?: { ttl?: number }): Promise<unknown> }> {
  const { user, answer } = somebodyAway();
  const client = await peer.connect(answer);
  const callBack = (more = {}) => {
    user.isBack = true;
    return callTool(client, 'ask', { id: '1', ...more });
  };
  return { client, callBack };
}

/** The call, made by a client that gives it up with `leave` once the question is there. */
async function giveUp(
  stage: Stage,
  client: Client,
  tool: string,
  leave: (leaving: AbortController) => unknown,
): Promise<void> {
  const leaving = new AbortController();
  const call = callTool(client, tool, { id: '1' }, { signal: leaving.signal }).catch(() => null);
  await untilAsked(stage);
  await leave(leaving);
  leaving.abort();
  await call;
}

const endSession = (client: Client) => (client.transport as StreamableHTTPClientTransport).terminateSession();

const refusing =
  (code: number, options: CommonOptions = {}): Case =>
  async (stage) => {
    const peer = await stage.old({ holdTimeoutMs: 300, ...options });
    const client = await peer.connect(() => {
      throw new McpError(code, 'no');
    });
    const call = () => callTool(client, 'ask', { id: '1' });
    return { gets: describeResult(await call()), again: call };
  };

const push: Record<string, Case> = {
  'the client answers error -32601': refusing(-32601),
  'the client answers error -32602': refusing(-32602),
  'the client answers error -32601, and links are not wanted': refusing(-32601, { withoutElicitation: 'deny' }),
  'the client answers any other error': refusing(-32603),
  'the client cancels its call': async (stage) => {
    const { client, callBack } = await connectAway(await stage.old());
    await giveUp(stage, client, 'ask', () => {});
    return { gets: nothing, again: callBack };
  },
  "the client's own timeout ends its call": async (stage) => {
    const { client, callBack } = await connectAway(await stage.old());
    await expect(callTool(client, 'ask', { id: '1' }, { timeout: 300 })).rejects.toMatchObject({ code: -32001 });
    return { gets: nothing, again: callBack };
  },
  'the session ends': async (stage) => {
    const peer = await stage.old();
    const { client } = await connectAway(peer);
    await giveUp(stage, client, 'ask', () => endSession(client));
    return { gets: nothing, again: async () => callTool(await peer.connect(() => accept), 'ask', { id: '1' }) };
  },
  "the client's process ends, over stdio": async (stage) => {
    const client = await stage.stdio(() => never);
    const call = callTool(client, 'onboard_employee', { name: 'Ada' }).catch(() => null);
    await untilAsked(stage);
    await client.close();
    await call;
    const decline = (): ElicitResult => ({ action: 'decline' });
    return {
      gets: nothing,
      again: async () => callTool(await stage.stdio(decline), 'onboard_employee', { name: 'Ada' }),
    };
  },
  'the client cancels its call once its person went to the address': async (stage) => {
    const peer = await stage.old({ holdTimeoutMs: 1_000 });
    const client = await peer.connect(() => ({ action: 'accept' }), { elicitation: { form: {}, url: {} } });
    const leaving = new AbortController();
    const onprogress = ({ message = '' }) => message.endsWith('on its page') && leaving.abort();
    await callTool(client, 'visit', { id: '1' }, { signal: leaving.signal, onprogress }).catch(() => null);
    return { gets: nothing, again: () => callTool(client, 'visit', { id: '1' }) };
  },
  'the stream of the call is lost, over HTTP': async (stage) => {
    const peer = await stage.old();
    const client = await peer.connect(() => accept);
    await loseStream(peer, client, 'ask', /elicitation\/create/);
    return { gets: nothing, again: () => callTool(client, 'ask', { id: 'lost' }) };
  },
  'the same session is asked something newer': async (stage) => {
    const { user, answer } = somebodyAway();
    const client = await (await stage.old()).connect(answer);
    const call = callTool(client, 'ask', { id: '1' });
    await until(() => user.questions > 0);
    user.isBack = true;
    await callTool(client, 'newer', { id: '2' });
    return { gets: describeResult(await call), again: () => callTool(client, 'ask', { id: '1' }) };
  },
  'no one answers before the deadline': async (stage) => {
    const { client, callBack } = await connectAway(await stage.old());
    const call = callTool(client, 'ask', { id: '1', ttl });
    await untilAsked(stage);
    passDeadline();
    return { gets: describeResult(await call), again: () => callBack({ ttl }) };
  },
};

/** Another MCP server of the same key, whose hold is short: an equal call there finds the same question. */
const callElsewhere = async (stage: Stage, id: string, more: { ttl?: number } = {}) =>
  callTool(await (await stage.old({ holdTimeoutMs: 200 })).connect(), 'approve', { id, ...more });

const hold: Record<string, Case> = {
  'the client cancels its call': async (stage) => {
    await giveUp(stage, await (await stage.old()).connect(), 'approve', () => {});
    return { gets: nothing, again: () => callElsewhere(stage, '1') };
  },
  "the client's own timeout ends its call": async (stage) => {
    const call = callTool(await (await stage.old()).connect(), 'approve', { id: '1' }, { timeout: 300 });
    await expect(call).rejects.toMatchObject({ code: -32001 });
    return { gets: nothing, again: () => callElsewhere(stage, '1') };
  },
  'the session ends': async (stage) => {
    const client = await (await stage.old()).connect();
    await giveUp(stage, client, 'approve', () => endSession(client));
    return { gets: nothing, again: () => callElsewhere(stage, '1') };
  },
  "the client's process ends, over stdio": async (stage) => {
    const client = await stage.stdio();
    const call = callTool(client, 'delete_account', { id: '1' }).catch(() => null);
    await untilAsked(stage);
    await client.close();
    await call;
    return { gets: nothing, again: async () => callTool(await stage.stdio(), 'delete_account', { id: '1' }) };
  },
  'the stream of the call is lost, over HTTP': async (stage) => {
    const peer = await stage.old();
    const breaking = new AbortController();
    const params = { name: 'approve', arguments: { id: 'lost' } }; // without a progress token nothing is sent meanwhile
    const { body } = await sendOld(peer, await peer.connect(), params, breaking.signal);
    await untilAsked(stage);
    breaking.abort();
    await body?.cancel().catch(() => {});
    await until(async () => (await questionOf(stage)) === 'open, caller gone');
    return { gets: nothing, again: () => callElsewhere(stage, 'lost') };
  },
  'the client of 2026-07-28 disconnects': async (stage) => {
    const url = await stage.modern();
    const leaving = new AbortController();
    const call = callRaw(url, 'approve', { id: '1' }, {}, { signal: leaving.signal, name: 'agent' }).catch(() => null);
    await untilAsked(stage);
    leaving.abort();
    await call;
    const again = async () =>
      callRaw(await stage.modern({ holdTimeoutMs: 200 }), 'approve', { id: '1' }, {}, { name: 'agent' });
    return { gets: nothing, again };
  },
  'the hold ends': async (stage) => {
    const call = () => callElsewhere(stage, '1');
    return { gets: describeResult(await call()), again: call };
  },
  'no one decides before the deadline': async (stage) => {
    const call = callTool(await (await stage.old()).connect(), 'approve', { id: '1', ttl });
    await untilAsked(stage);
    passDeadline();
    return { gets: describeResult(await call), again: () => callElsewhere(stage, '1', { ttl }) };
  },
};

const link: Record<string, Case> = {
  'the client never calls again': async (stage) => {
    const client = await (await stage.old({ holdTimeoutMs: 300 })).connect();
    const call = () => callTool(client, 'ask', { id: '1' });
    return { gets: describeResult(await call()), again: call };
  },
  'the client leaves while it waits for the page': async (stage) => {
    const client = await (await stage.old({ holdTimeoutMs: 1_000 })).connect();
    const leaving = new AbortController();
    await callTool(client, 'ask', { id: '1' });
    const onprogress = () => leaving.abort();
    await callTool(client, 'ask', { id: '1' }, { signal: leaving.signal, onprogress }).catch(() => null);
    return { gets: nothing, again: () => callTool(client, 'ask', { id: '1' }) };
  },
  'no one answers before the deadline': async (stage) => {
    const client = await (await stage.old()).connect();
    await callTool(client, 'ask', { id: '1', ttl });
    passDeadline();
    const call = () => callTool(client, 'ask', { id: '1', ttl });
    return { gets: describeResult(await call()), again: call };
  },
};

/** The agent passes on what its person said. */
const tell = (client: Client, message: CallToolResult) =>
  callTool(client, 'sendElicitationResult', { elicitId: pendingOf(message)?.elicitId, ...accept });

const relay: Record<string, Case> = {
  'the agent never passes an answer on': async (stage) => {
    const client = await (await stage.old({ withoutElicitation: 'relay' })).connect();
    const call = () => callTool(client, 'ask', { id: '1' });
    return { gets: describeResult(await call()), again: call };
  },
  'the client cancels its call while the question is opened': async (stage) => {
    const { goOn, client: slow } = stage.hesitate();
    const client = await (await stage.old({ client: slow, withoutElicitation: 'relay' })).connect();
    await giveUp(stage, client, 'ask', () => {});
    await until(() => stage.signals[0]?.aborted);
    goOn();
    return { gets: nothing, again: () => callTool(client, 'ask', { id: '1' }) };
  },
  'the agent passes an answer on after the deadline': async (stage) => {
    const client = await (await stage.old({ withoutElicitation: 'relay' })).connect();
    const call = () => callTool(client, 'ask', { id: '1', ttl });
    const message = await call();
    passDeadline();
    await until(async () => (await questionOf(stage)) === 'expired');
    return { gets: describeResult(await tell(client, message)), again: call };
  },
};

const cases: Record<string, Record<string, Case>> = { push, ...casesOfV2({ passDeadline }), hold, link, relay };

/** What docs/outcomes.md says, row by row. */
const rows = readFileSync('docs/outcomes.md', 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, channel]) => Object.hasOwn(cases, channel ?? ''))
  .map(([, ...cells]) => cells as [string, string, string, string, string]);

test('every row of docs/outcomes.md is shown, and nothing else', () => {
  const shown = Object.entries(cases).flatMap(([channel, own]) => Object.keys(own).map((what) => [channel, what]));
  expect(rows.map(([channel, what]) => [channel, what])).toEqual(shown);
});

test.each(rows)('%s: %s', async (channel, what, gets, question, again) => {
  const own = (stage = await newStage(server, `${channel} ${what}`.replace(/[^\w-]+/g, '-')));
  const happen = cases[channel]?.[what] ?? (() => Promise.reject(new TypeError('No case shows this row.')));
  const ended = await happen(own);
  await until(async () => (await questionOf(own)) === question).catch(() => {});
  expect([ended.gets, await questionOf(own)]).toEqual([gets, question]);
  await ended.again();
  expect(await own.questions()).toHaveLength(again === 'asks again' ? 2 : 1);
});
