import type { ServerResponse } from 'node:http';
import {
  errorFrame,
  errorOf,
  isFrameId,
  isObject,
  notPassedOn,
  rpcCodes,
  rpcError,
  textOfFrame,
  type Frame,
} from '../../frames/frame/frame.ts';
import { textInTurns } from '../../frames/frame/large-text.ts';
import type { UpstreamLine } from '../../frames/reading/read-upstream.ts';
import type { ShownTools } from '../../tools/reports/show-tools.ts';
import { hasWords, showWords } from '../../tools/reports/show-words.ts';
import { toolsIn } from '../../tools/definition/definition.ts';
import { principalKey } from '../../identity/caller.ts';
import { outwardTasks } from '../../frames/mcp-words/task-names.ts';
import type { UpstreamAnswer } from '../../upstreams/upstream/upstream.ts';
import type { Conversation } from '../headers/conversations.ts';
import { carriesResult, isForeignAnswer, type Asked } from './foreign-answer.ts';
import { sendAnswer } from '../messages/send-answer.ts';
import type { UpstreamGate } from '../upstream/upstream-gate.ts';

/** The upstream's headers that a client gets. */
const headers = ['mcp-session-id', 'mcp-protocol-version', 'allow', 'retry-after'];

/**
 * Passes an answer on as it comes, but for the tools it shows: those are only the ones whose definition is accepted. What
 * answers another request than was asked is left out, and so is what a tool has returned if people have to release it.
 */
export const passAnswer = (
  gate: UpstreamGate,
  conversation: Conversation,
  { answer, question }: { answer: UpstreamAnswer; question: Asked },
  response: ServerResponse,
): Promise<void> =>
  sendAnswer(answer, response, {
    show: (message) => {
      if (!isForeignAnswer(message, question, conversation.calls)) return shownText(gate, conversation, message);
      gate.warn('It answered a request that is not of this stream.');
      return null;
    },
    place: (id) => id,
    hides: (text) => gate.ownFiles.findSecret(text) !== null,
    headers,
    session: (id) => gate.sessions.give(id, principalKey(conversation.latest.caller.principal)),
  });

/** The message as the client may read it, in one line; null if no one may. */
async function shownText(
  gate: UpstreamGate,
  conversation: Conversation,
  message: UpstreamLine,
): Promise<string | null> {
  const read = await gate.showMessage(message, conversation);
  if (read === null) return null;
  if ('fault' in read) {
    gate.warn(`A message is dropped: ${read.fault}`);
    return read.id === null ? null : textOfFrame(errorFrame(read.id, notPassedOn(read.fault)));
  }
  const tasks = gate.tasksOf(conversation.latest);
  const frame = tasks ? outwardTasks(read.frame, tasks) : read.frame;
  if (frame === null) return null;
  if (carriesResult(read) && !(await gate.isFree(conversation)))
    return isFrameId(frame.id) ? textOfFrame(errorFrame(frame.id, unreleased)) : null;
  if (frame.method === 'notifications/tools/list_changed') conversation.tools.forget();
  const hasTools = isObject(frame['result']) && Array.isArray(frame['result']['tools']);
  if (!hasTools && !hasWords(frame['result']))
    return frame === read.frame ? read.text.replaceAll(/[\r\n]+/g, ' ') : textInTurns(frame);
  const worded = await withShownWords(gate, conversation, frame);
  return textInTurns(hasTools ? await withShownTools(gate, conversation, worded) : worded);
}

async function withShownWords(gate: UpstreamGate, conversation: Conversation, frame: Frame): Promise<Frame> {
  const words = frame['result'];
  return hasWords(words) ? withAccepted(gate, conversation, frame, () => showWords(words, gate.pins)) : frame;
}

/** Whatever was asked for: a stream that is resumed repeats answers of earlier requests. */
async function withShownTools(gate: UpstreamGate, conversation: Conversation, frame: Frame): Promise<Frame> {
  if (frame['result'] === undefined) return frame;
  conversation.tools.see(toolsIn(frame['result']));
  return withAccepted(gate, conversation, frame, () => gate.show(conversation, frame['result']));
}

/** The frame with what is accepted of its result; approvers are asked about what has changed. */
async function withAccepted(
  gate: UpstreamGate,
  conversation: Conversation,
  frame: Frame,
  accepted: () => Promise<ShownTools>,
): Promise<Frame> {
  try {
    const { result, blocked, unaccepted = [] } = await accepted();
    for (const change of [...blocked, ...unaccepted]) gate.askAbout(change, conversation);
    return { ...frame, result };
  } catch (error) {
    return errorFrame(frame.id as string | number, errorOf(error));
  }
}

const unreleased = rpcError(
  rpcCodes.internal,
  'not-now',
  'Make the same call again to get its result: an approver may have to release it. It does not run again.',
);
