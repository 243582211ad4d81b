import type { RoundQuestion, ToolResult } from '#sdk/mcp/question/call/incoming-call';
import { formParams } from '#sdk/mcp/tools/ask-client';
import { isObject } from '../../frames/frame/frame.ts';
import { callWith, type ReceivedCall, type Serving } from '../arguments/received.ts';
import { bindingOf, redeemBy } from './rounds.ts';

/*
 * The rounds in which the gateway itself asks a client that gets questions as results (2026-07-28). What a state gives
 * back is the call that asked; its answers count for that call's own questions, and for nothing else.
 */

/** A call, and how its own questions travel. */
interface Asking {
  serving: Serving;
  call: ReceivedCall;
}

/** The call with its round, as part of the call that asked if it brings that one's state. */
export async function takeRound(serving: Serving, call: ReceivedCall): Promise<Asking> {
  if (!call.mcpClient.isModern) return { serving, call };
  const { requestState, inputResponses, ...params } = call.frame.params;
  const binding = await bindingOf('tools/call', params, call.principal);
  const isOwn = typeof requestState === 'string' && requestState.startsWith(prefix);
  if (!isOwn) return { serving, call: callWith(call, { round: { binding, answers: {}, askFor } }) };
  const state = requestState.slice(prefix.length);
  const { session, toolCall } = await redeemBy(() => serving.client.redeemState({ state, binding }));
  const answers = isObject(inputResponses) ? inputResponses : {};
  const frame = { ...call.frame, params };
  return {
    serving: { ...serving, session },
    call: callWith(call, { frame, round: { binding, answers, answered: toolCall, askFor } }),
  };
}

/** Tells a state of the gateway's own questions from those of approved calls. */
const prefix = 'question.';

function askFor(questions: ReadonlyMap<string, RoundQuestion>, state: string): ToolResult {
  const inputRequests = Object.fromEntries([...questions].map(([step, question]) => [step, requestOf(question)]));
  const result = { resultType: 'input_required', inputRequests, requestState: prefix + state };
  return result as unknown as ToolResult; // such a result has no content
}

function requestOf(question: RoundQuestion) {
  const method = 'elicitation/create';
  if (question.mode === 'form') return { method, params: { mode: 'form', ...formParams(question) } };
  const { message, url, meta } = question;
  return { method, params: { mode: 'url', message, url, ...(meta && { _meta: meta }) } };
}
