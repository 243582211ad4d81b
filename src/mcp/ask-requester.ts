import type { ElicitationState } from '../client/client.ts';
import { Problem } from '../model/problem.ts';
import { ElicitationNotSupportedError, ElicitationTimeoutError } from './errors.ts';
import type { ClientReply } from './incoming-call.ts';
import { linkSignals } from './linked-signal.ts';
import { requireForm, type Question } from './question.ts';
import type { Run } from './run.ts';

type Send = (options: { signal: AbortSignal; timeout: number }) => Promise<ClientReply>;

/** Milliseconds. The row expires first and says so; the client's own timer is there in case nobody does. */
const grace = 30_000;

/**
 * Puts the question to the person at the client.
 * If the row closes meanwhile (a newer question, an administrator, its deadline), the client's request is taken back.
 */
export async function askRequester(
  run: Run,
  question: Question,
  opened: ElicitationState,
  signal: AbortSignal,
  send: Send = (options) => run.call.ask(requireForm(question), options),
): Promise<ElicitationState> {
  const { call, client, progress } = run;
  const watching = linkSignals(signal);
  const asking = linkSignals(signal);
  const timeout = opened.deadlineAt - opened.openedAt + grace; // both by one clock, which is not ours
  try {
    const first = await progress.during(`Waiting for your answer to ${call.tool.title ?? call.tool.name}`, () =>
      Promise.race([
        client.waitForOutcome(opened.id, { signal: watching.signal }),
        send({ signal: asking.signal, timeout }),
      ]),
    );
    signal.throwIfAborted(); // the client's request ends with the signal too, and may say so first
    if ('kind' in first) return await takeReply(run, question, opened, first);
    asking.abort('The question is closed.');
    return first;
  } finally {
    watching.abort('The question is answered.');
    watching.release();
    asking.release();
  }
}

function takeReply(
  run: Run,
  question: Question,
  opened: ElicitationState,
  reply: ClientReply,
): Promise<ElicitationState> {
  switch (reply.kind) {
    case 'answer':
      return passOn(run, question, opened, reply);
    case 'unsupported':
      throw new ElicitationNotSupportedError(`The client cannot be asked this way: ${reply.reason}`, question.mode);
    case 'timeout':
      throw new ElicitationTimeoutError(opened.id, opened.deadlineAt - opened.openedAt);
    default:
      throw new Problem('unavailable', { detail: `The client could not ask its person: ${reply.reason}` });
  }
}

/**
 * What the row says afterwards is the outcome; it may have been closed by something faster.
 * To go to an address is only consent: then the row stays open.
 */
export async function passOn(
  { client }: Run,
  question: Question,
  { id }: ElicitationState,
  { action, content, channel }: Extract<ClientReply, { kind: 'answer' }>,
): Promise<ElicitationState> {
  const hasContent = action === 'accept' && question.mode === 'form';
  const answer = hasContent ? { action, content: question.read(content).form } : { action };
  try {
    return await client.answer(id, { ...answer, ...(channel && { channel }) });
  } catch (error) {
    if (error instanceof Problem && error.code === 'already-closed') return client.get(id);
    throw error;
  }
}
