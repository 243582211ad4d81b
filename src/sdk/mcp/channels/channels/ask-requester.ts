import type { ElicitationState } from '../../../client/client.ts';
import { linkSignals } from '../../../client/transport/linked-signal.ts';
import { modes } from '#requests/asking/contract/elicitation';
import { Problem } from '#platform/model/problem';
import { rememberRefusal } from '../../question/call/capabilities.ts';
import { ElicitationNotSupportedError, ElicitationTimeoutError } from '../../question/errors/errors.ts';
import { decided, forPerson } from '../../question/result/decision.ts';
import { askAgain, faultsOf } from '../../question/question/faults.ts';
import type { AskLimits, ClientReply } from '../../question/call/incoming-call.ts';
import { requireForm, type FormQuestion, type Question } from '../../question/question/question.ts';
import type { Run } from '../../run/run/run.ts';

type Send = (limits: AskLimits) => Promise<ClientReply>;

/** Milliseconds. The row expires first; the client's own timer is for the case that nothing reports it. */
const grace = 30_000;

/**
 * Puts the question to the person at the client.
 * If the row closes meanwhile (a newer question, an administrator, its deadline), the client's request is cancelled.
 */
export async function askRequester(
  run: Run,
  stored: Question,
  opened: ElicitationState,
  signal: AbortSignal,
  send: Send = (options) => askUntilFit(run, requireForm(stored), options),
): Promise<ElicitationState> {
  const question = forPerson(stored);
  const { call, client, progress } = run;
  const watching = linkSignals(signal);
  const asking = linkSignals(signal);
  const timeout = opened.deadlineAt - opened.openedAt + grace; // both by one clock, which is not ours
  try {
    const first = await progress.during(`Waiting for your answer to ${call.tool.title ?? call.tool.name}`, () =>
      Promise.race([
        client.waitForOutcome(opened.id, { signal: watching.signal }),
        send({ signal: asking.signal, timeout, elicitationId: opened.id }),
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

/** How often a person gets the same form if the answer does not fit. */
const maxAsked = 3;

/** The client may not validate an answer by the form: then its person learns what is wrong, and can correct it. */
export async function askUntilFit(
  { call }: Run,
  stored: FormQuestion,
  options: Parameters<Send>[0],
): Promise<ClientReply> {
  const question = forPerson(stored);
  let current = question;
  for (let triesLeft = maxAsked; ; triesLeft -= 1) {
    const reply = await call.ask(current, options);
    const faults = reply.kind === 'answer' && reply.action === 'accept' ? faultsOf(question, reply.content) : [];
    if (faults.length === 0 || triesLeft === 1) return reply;
    current = askAgain(question, faults);
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
      return forwardAnswer(run, question, opened, reply);
    case 'unsupported':
      applyRefusal(run, question, reply);
      throw new ElicitationNotSupportedError(
        `This client cannot ask its person in this way: ${reply.reason}`,
        question.mode,
      );
    case 'timeout':
      throw new ElicitationTimeoutError(opened.id, opened.deadlineAt - opened.openedAt);
    default:
      throw new Problem('unavailable', { detail: `The client could not ask its person: ${reply.reason}` });
  }
}

/**
 * The client is not asked again in this session. If the agent is to ask instead, it gets a tool for that from now on.
 */
export function applyRefusal(
  { call, settings }: Run,
  { mode }: Question,
  { knowsNone }: Extract<ClientReply, { kind: 'unsupported' }>,
): void {
  rememberRefusal(call.capabilities, knowsNone ? modes : [mode]);
  if (settings.withoutElicitation === 'relay') call.notifyToolsChanged?.();
}

/**
 * The row afterwards holds the outcome; something faster may have closed it. Going to an address is only consent: then
 * the row stays open.
 */
export async function forwardAnswer(
  { client }: Run,
  question: Question,
  { id }: ElicitationState,
  reply: Extract<ClientReply, { kind: 'answer' }>,
): Promise<ElicitationState> {
  const { action, content, channel } = decided(question, reply);
  const hasContent = action === 'accept' && question.mode === 'form';
  const answer = hasContent ? { action, content: question.read(content).form } : { action };
  try {
    return await client.answer(id, { ...answer, ...(channel && { channel }) });
  } catch (error) {
    if (error instanceof Problem && error.code === 'already-closed') return client.get(id);
    throw error;
  }
}
