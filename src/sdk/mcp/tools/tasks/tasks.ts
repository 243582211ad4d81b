import { z } from 'zod';
import { runDigest, type AboutToRun, type AssentryClient, type ToolCallState } from '../../../client/client.ts';
import { waitAtMost } from '../../../client/transport/deadline.ts';
import { randomHex } from '../../../client/digest/hex.ts';
import { RelayedAnswer } from '#requests/asking/contract/open';
import { Problem } from '#platform/model/problem';
import { Reply } from '../../channels/channels/reply.ts';
import { takeUnused } from '../../run/settlements/take-unused.ts';
import { storedRun } from './continue-call.ts';
import { cancelledResult, isRunnable, viewTask, type TaskView } from './task-view.ts';

/** Milliseconds the client waits for the record of an end; it is made all the same. */
const recordTime = 10_000;

/** Runs at work in this process, by tool call: a task that is polled often is still run once. */
const running = new Map<string, AbortController>();

/** Runs the call's tool from its start, with the answers given so far; its result is kept. */
type RunInBackground = (call: ToolCallState, signal: AbortSignal) => Promise<unknown>;

export interface TaskServing {
  client: AssentryClient;
  /** Milliseconds after which a run that never reported its end counts as dead. */
  leaseMs: number;
  /** The current client can show a form to its person. */
  takesForms: boolean;
  run: RunInBackground;
}

/** The current task. If everything is answered and nothing runs it yet, this process does. */
export async function readTask(
  { client, leaseMs, takesForms, run }: TaskServing,
  call: ToolCallState,
): Promise<TaskView> {
  if (isRunnable(call)) start(call, run);
  const task = viewTask(call, Date.now(), leaseMs, takesForms);
  if (call.state === 'completed' && task.status === 'completed') {
    // Fetched: the next equal call asks again, and the task can still be read again.
    const fetched = { attempt: 'fetched', delivered: true, result: call.result };
    await waitAtMost(
      recordTime,
      unlessRefused(() => client.complete(call.id, fetched)),
    );
  }
  return task;
}

function start(call: ToolCallState, run: RunInBackground): void {
  if (running.has(call.id)) return;
  const controller = new AbortController();
  running.set(call.id, controller);
  run(call, controller.signal)
    .catch(() => {}) // its end is recorded as the call's result
    .finally(() => running.delete(call.id));
}

/** Passes on the answer of the client's person. Anything else, or an answer to a closed question, is ignored. */
export async function answerTask(
  { client }: TaskServing,
  { elicitations }: ToolCallState,
  answers: Readonly<Record<string, unknown>>,
): Promise<void> {
  const replyTo = (name: string) => (Object.hasOwn(answers, name) ? readReply(answers[name]) : null);
  for (const { id, step, status, audience, inquiry } of elicitations) {
    const reply = status === 'open' && audience === 'requester' ? replyTo(step) : null;
    if (reply) await unlessRefused(() => client.answer(id, reply));
    const inquiryReply = inquiry && replyTo(inquiry.id);
    if (inquiryReply) await unlessRefused(() => client.giveInformation(id, { inquiry: inquiry.id, ...inquiryReply }));
  }
}

/** Withdraws the question; a tool that is already running only gets a signal, and its result counts. */
export async function cancelTask({ client }: TaskServing, call: ToolCallState): Promise<void> {
  const { id, state, elicitations } = call;
  running.get(id)?.abort(new Problem('not-now', { detail: 'The client cancelled this task.' }));
  if (state !== 'open') return;
  for (const { id: elicitId, status } of elicitations) {
    if (status === 'open') await unlessRefused(() => client.cancel(elicitId, { cause: 'user' }));
  }
  const attempt = randomHex();
  const outcome = await takeUnused(client, id, { attempt, run: await runDigest(approvedRun(call)) });
  if (outcome !== 'refused')
    await waitAtMost(recordTime, client.complete(id, { attempt, delivered: true, result: cancelledResult }));
}

/** With the arguments of the last edit. */
function approvedRun(call: ToolCallState): AboutToRun {
  const edited = call.elicitations.findLast((elicitation) => elicitation.arguments !== undefined);
  return { ...storedRun(call), ...(edited?.arguments && { arguments: edited.arguments }) };
}

const Answer = z.object(RelayedAnswer.pick({ action: true, content: true }).shape);

function readReply(reply: unknown): RelayedAnswer | null {
  const { data } = Answer.safeParse(Reply.safeParse(reply).data);
  if (!data) return null;
  return data.action === 'accept' ? data : { action: data.action };
}

/**
 * An answer to a question that was closed meanwhile, or that does not fit, changes nothing: the next read of the task
 * shows it.
 */
async function unlessRefused(change: () => Promise<unknown>): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!(error instanceof Problem) || !refusals.has(error.code)) throw error;
  }
}

const refusals = new Set<Problem['code']>(['already-closed', 'not-claimed', 'not-now', 'INVALID_INPUT']);
