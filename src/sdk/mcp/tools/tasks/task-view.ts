import type { ToolCallState } from '../../../client/client.ts';
import { problemSentences } from '#platform/model/problem';
import type { FormSchema } from '#platform/form/schema';
import type { RoundQuestion, ToolResult } from '../../question/call/incoming-call.ts';
import { messageOfInquiry, sentenceOfInquiry } from '../../question/question/inquiry.ts';
import { messageFor } from '../../question/result/pending-results.ts';
import { isToolResult } from '../../question/result/tool-results.ts';

/** A task as its client sees it, in no SDK's types. */
export type TaskView = TaskTimes &
  (
    | { status: 'working'; statusMessage: string }
    | { status: 'input_required'; questions: ReadonlyMap<string, RoundQuestion> }
    | { status: 'completed'; result: ToolResult }
    | { status: 'failed'; error: { code: number; message: string } }
    | { status: 'cancelled' }
  );

type Asked = ToolCallState['elicitations'][number];

interface TaskTimes {
  taskId: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: null;
  pollIntervalMs: number;
}

/** Milliseconds. */
const pollInterval = 1_000;
/** JSON-RPC's own code for what went wrong inside. */
const internalError = -32603;

/** The result of a call that was cancelled before it ran. */
export const cancelledResult: ToolResult = {
  content: [{ type: 'text', text: 'The call was cancelled before it ran.' }],
  isError: true,
  _meta: { code: 'cancelled' },
};

/** Another call with the same arguments took the result, or the call's place. */
const absentResult: ToolResult = {
  content: [{ type: 'text', text: 'Check before you call again: this call has ended, and its result is not kept.' }],
  isError: true,
};

/**
 * The stored call is the task: nothing else is kept, so every process sees the same. An approver's inquiry is an input
 * request, by its id, if the client takes forms.
 */
export function viewTask(call: ToolCallState, now: number, leaseMs: number, takesForms = true): TaskView {
  const times = timesOf(call);
  if (call.state === 'completed' || call.state === 'settled') return { ...times, ...endOf(call.result) };
  const questions = new Map([...openQuestions(call), ...(takesForms ? openInquiries(call) : [])]);
  if (questions.size > 0) return { ...times, status: 'input_required', questions };
  if (call.state === 'claimed' && (call.since ?? 0) + leaseMs < now) {
    const error = { code: internalError, message: problemSentences['outcome-unknown'] };
    return { ...times, status: 'failed', error };
  }
  return { ...times, status: 'working', statusMessage: messageOf(call) };
}

function messageOf(call: ToolCallState): string {
  if (isDecided(call)) return 'The tool is running.';
  const isForRequester = call.elicitations.some(
    ({ status, audience }) => status === 'open' && audience === 'requester',
  );
  if (isForRequester) return 'Waiting for the result from the address.';
  const sentences = call.elicitations.flatMap(({ inquiry }) => (inquiry ? [sentenceOfInquiry(inquiry)] : []));
  return ['Waiting for approval.', ...sentences].join(' ');
}

/** Every question so far is answered, and no run is using the answers. */
export const isRunnable = (call: ToolCallState): boolean => call.state === 'open' && isDecided(call);

const isDecided = ({ elicitations }: ToolCallState): boolean => elicitations.every(({ status }) => status !== 'open');

function timesOf({ id, since, elicitations }: ToolCallState): TaskTimes {
  const createdAt = Math.min(...elicitations.map(({ openedAt }) => openedAt));
  const changes = elicitations.map(({ openedAt, closedAt }) => closedAt ?? openedAt);
  return taskTimes(id, createdAt, Math.max(since ?? 0, ...changes));
}

/** Moments are in milliseconds. A task has no end of its own: the stored call decides. */
export const taskTimes = (taskId: string, createdAt: number, changedAt: number): TaskTimes => ({
  taskId,
  createdAt: new Date(createdAt).toISOString(),
  lastUpdatedAt: new Date(changedAt).toISOString(),
  ttlMs: null,
  pollIntervalMs: pollInterval,
});

function endOf(result: unknown): { status: 'cancelled' } | { status: 'completed'; result: ToolResult } {
  if (!isToolResult(result)) return { status: 'completed', result: absentResult };
  if (result._meta?.['code'] === 'cancelled') return { status: 'cancelled' };
  return { status: 'completed', result };
}

/** A person who agreed to open an address is not asked to again; the task waits for the result. */
function openQuestions({ elicitations }: ToolCallState): Map<string, RoundQuestion> {
  const open = elicitations.filter(({ status, audience }) => status === 'open' && audience === 'requester');
  const answerable = open.filter(({ mode, visited }) => mode === 'form' || !visited);
  return new Map(answerable.map((question) => [question.step, roundQuestion(question)]));
}

const openInquiries = ({ elicitations }: ToolCallState): [string, RoundQuestion][] =>
  elicitations.flatMap(({ inquiry, message }): [string, RoundQuestion][] => {
    if (!inquiry) return [];
    const schema = inquiry.schema as FormSchema;
    return [[inquiry.id, { mode: 'form', message: messageOfInquiry(inquiry, message), schema }]];
  });

function roundQuestion({ mode, message, schema, url = '', code }: Asked): RoundQuestion {
  if (mode === 'url') return { mode, message: messageFor(message, { code }), url };
  return { mode, message, schema: schema as FormSchema };
}
