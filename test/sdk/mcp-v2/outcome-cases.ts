import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { CommonOptions } from '#sdk/mcp/tools/own-tools';
import {
  accept,
  untilAsked,
  describeResult,
  nothing,
  questionOf,
  ttl,
  type Case,
} from '../mcp/channels/outcome-stage.ts';
import { until } from '../../support/poll.ts';
import { call as callRaw, post, type RawAnswer, type RawClient } from './peers.ts';

const extension = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const takesTasks: RawClient = { capabilities: { elicitation: {}, ...extension } };
const describeRaw = ({ result, error }: RawAnswer): string => {
  if (error) return `error ${error.code}`;
  if (result?.resultType === 'input_required') return 'the question';
  return result?.resultType === 'task' ? 'a task' : describeResult(result as unknown as CallToolResult);
};

export interface Clock {
  passDeadline(): void;
}

/** What happens to the calls of clients of 2026-07-28. */
export const casesOfV2 = ({ passDeadline }: Clock) => ({
  round: roundCases(passDeadline),
  task: taskCases(passDeadline),
});

const undeclared =
  (options: CommonOptions = {}): Case =>
  async (stage) => {
    const url = await stage.modern(options);
    const answer = await callRaw(url, 'ask', { id: '1' }, {}, { capabilities: {} });
    return { gets: describeRaw(answer), again: () => callRaw(url, 'ask', { id: '1' }) };
  };

const roundCases = (passDeadline: () => void): Record<string, Case> => ({
  'the client disconnects while the question is opened': async (stage) => {
    const { goOn, client } = stage.hesitate();
    const url = await stage.modern({ client });
    const leaving = new AbortController();
    const call = callRaw(url, 'ask', { id: '1' }, {}, { signal: leaving.signal }).catch(() => null);
    await untilAsked(stage);
    leaving.abort();
    await call;
    await until(() => stage.signals[0]?.aborted);
    goOn();
    return { gets: nothing, again: () => callRaw(url, 'ask', { id: '1' }) };
  },
  'the client did not declare elicitation': undeclared(),
  'the client did not declare elicitation, and links are not wanted': undeclared({ withoutElicitation: 'deny' }),
  'the client never comes back': async (stage) => {
    const url = await stage.modern();
    const call = () => callRaw(url, 'ask', { id: '1' });
    return { gets: describeRaw(await call()), again: call };
  },
  'the client comes back after the deadline': async (stage) => {
    const url = await stage.modern();
    const first = await callRaw(url, 'ask', { id: '1', ttl });
    passDeadline();
    await until(async () => (await questionOf(stage)) === 'expired');
    const requestState = first.result?.requestState;
    const late = await callRaw(url, 'ask', { id: '1', ttl }, { requestState, inputResponses: { 0: accept } });
    return { gets: describeRaw(late), again: () => callRaw(url, 'ask', { id: '1', ttl }) };
  },
});

const taskCases = (passDeadline: () => void): Record<string, Case> => ({
  'the client never asks for it': async (stage) => {
    const url = await stage.modern();
    const call = () => callRaw(url, 'approve', { id: '1' }, {}, takesTasks);
    return { gets: describeRaw(await call()), again: call };
  },
  'the client sends tasks/cancel': async (stage) => {
    const url = await stage.modern();
    const call = () => callRaw(url, 'approve', { id: '1' }, {}, takesTasks);
    const taskId = (await call()).result?.['taskId'];
    await post(url, 'tasks/cancel', { taskId }, takesTasks);
    const { result } = await post(url, 'tasks/get', { taskId }, takesTasks);
    return { gets: `a ${result?.['status']} task`, again: call };
  },
  'no one decides before the deadline': async (stage) => {
    const url = await stage.modern();
    const call = () => callRaw(url, 'approve', { id: '1', ttl }, {}, takesTasks);
    const taskId = (await call()).result?.['taskId'];
    passDeadline();
    const ended = await until(async () => {
      const { result } = await post(url, 'tasks/get', { taskId }, takesTasks);
      return result?.['status'] === 'completed' && result;
    });
    return { gets: describeResult(ended['result'] as CallToolResult), again: call };
  },
});
