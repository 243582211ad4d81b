import type { ElicitationState, OpenedElicitation } from '../../client/client.ts';
import {
  chooseChannel,
  type Channel,
  type ToolResult,
  type UrlRequest,
  type UrlSending,
  type ClientReply,
  type Round,
  type ToldAnswer,
  supportsElicitation,
  rememberRefusal,
  type AskLimits,
} from '../question/call.ts';
import type { Run } from '../run/run.ts';
import {
  type Asking,
  requireForm,
  type UrlQuestion,
  askAgain,
  faultsOf,
  isDelivered,
  markDelivered,
  type Question,
  messageOfInquiry,
  type Inquiry,
  readQuestion,
  type FormQuestion,
  type JsonForm,
} from '../question/question.ts';
import {
  forPerson,
  problemResult,
  linkResult,
  messageFor,
  pendingResult,
  relayResult,
  decided,
} from '../question/result.ts';
import {
  InvalidInputError,
  type CallEndedError,
  ElicitationNotSupportedError,
  ElicitationTimeoutError,
} from '../question/errors.ts';
import { isClosed, maxTtlMs, actions, modes } from '#requests/asking/contract/elicitation';
import { Problem } from '#platform/model/problem';
import { z } from 'zod';
import { linkSignals } from '../../client/transport.ts';
import type { ElicitationId } from '#platform/model/id';

/** Channel on which this run sends a stored question to the person who answers it. */
export function channelFor({ call, capabilities, settings }: Run, { audience, mode }: ElicitationState): Channel {
  const { round, task } = call;
  const taskAudience = task && (task.holdsQuestions ? ('everyone' as const) : ('approvers' as const));
  const client = { capabilities, hasRounds: round !== undefined, task: taskAudience };
  return chooseChannel({ audience, mode, withoutElicitation: settings.withoutElicitation, ...client });
}

/**
 * Takes the answer that the agent passed on. Without one for this question, ends the run with a result that tells the agent to
 * ask its person. An invalid answer changes nothing, and the agent gets its faults.
 */
export async function askByRelay(run: Run, asking: Asking, opened: ElicitationState): Promise<ElicitationState> {
  const { relayedAnswer } = run.call;
  const question = forPerson(asking.question);
  if (relayedAnswer?.elicitId !== opened.id) {
    run.handover.addForAgent(requireForm(question), opened);
    return endTurn(run, asking, opened);
  }
  try {
    return await forwardAnswer(run, question, opened, {
      kind: 'answer',
      channel: 'told',
      ...relayedAnswer.answer,
    });
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const errors = error.details.map(({ path, message }) => ({ path: ['content', ...path], message }));
    throw run.end('asked', problemResult(new InvalidInputError(errors)));
  }
}

/**
 * Makes the client send its person to the address, then waits for the result as long as the call's hold lasts. A
 * call that comes back to the question only waits.
 */
export async function askByUrl(
  run: Run,
  urls: UrlSending,
  question: UrlQuestion,
  opened: OpenedElicitation,
  signal: AbortSignal,
): Promise<ElicitationState> {
  const page = await findPage(run, opened, signal);
  if (page === null) return run.client.get(opened.id, { signal });
  const request = requestOf(question, opened, page);
  const leaveOpen = (result: ToolResult): CallEndedError => {
    run.questions.addPage(opened);
    notifyLater(run, urls, opened, request.elicitationId);
    return run.end('pending', result);
  };
  if (question.isRequired && !opened.joined) throw leaveOpen(urls.require(request));
  const own = { isNo: false };
  const send = async (options: { signal: AbortSignal; timeout: number }) => {
    const reply = await urls.ask(request, options);
    own.isNo = reply.kind === 'answer' && reply.action !== 'accept';
    return reply;
  };
  const agreed = opened.joined ? opened : await askRequester(run, question, opened, signal, send);
  const state = isClosed(agreed.status) ? agreed : await waitElsewhere(run, opened, signal);
  if (isClosed(state.status)) {
    if (!own.isNo && isDone(state) && !isNotifiedLater(state)) await urls.notifyDone(request.elicitationId);
    return state;
  }
  throw leaveOpen(question.isRequired ? urls.require(request) : linkResult(run.call, question, state, page));
}

const requestOf = (
  { message, elicitationId, meta }: UrlQuestion,
  { id }: OpenedElicitation,
  page: Page,
): UrlRequest => ({
  message: messageFor(message, page),
  url: page.url,
  elicitationId: elicitationId ?? id,
  ...(meta && { meta }),
});

/**
 * Takes the answer that the client sent. If none fits, ends the run with a result that asks for it, together with all
 * other questions of this turn.
 */
export async function askInRound(run: Run, asking: Asking, opened: OpenedElicitation): Promise<ElicitationState> {
  const { step } = asking;
  const question = forPerson(asking.question);
  const answers = answersFor(run, opened);
  const answer = Object.hasOwn(answers, step) ? readAnswer(answers[step]) : null;
  if (question.mode === 'url') return askUrlInRound(run, { ...asking, question }, opened, answer);
  const faults = answer?.action === 'accept' ? faultsOf(question, answer.content) : [];
  if (answer && faults.length === 0) return forwardAnswer(run, question, opened, answer);
  run.handover.addForClient(step, faults.length > 0 ? askAgain(question, faults) : question);
  return endTurn(run, asking, opened);
}

/**
 * Answers for the question. One that has changed belongs to another call: its person has not seen it, so nothing answers it.
 */
function answersFor({ call: { round } }: Run, { toolCall }: OpenedElicitation): Round['answers'] {
  return round && round.answered === toolCall ? round.answers : {};
}

/**
 * Asks for an address in a round. The client's accept means that its person agreed to go there. The call then waits for the
 * result as long as its hold lasts, and after that the client is asked once more.
 */
async function askUrlInRound(
  run: Run,
  asking: Asking & { question: UrlQuestion },
  opened: OpenedElicitation,
  answer: Reading,
): Promise<ElicitationState> {
  const { question, step, signal } = asking;
  const page = await findPage(run, opened, signal);
  if (page === null) return run.client.get(opened.id, { signal });
  const state = answer ? await forwardAnswer(run, question, opened, answer) : opened;
  const last = answer && !isClosed(state.status) ? await waitForPage(run, opened, signal) : state;
  if (isClosed(last.status)) return last;
  const { meta } = question;
  run.handover.addForClient(step, { mode: 'url', message: messageFor(question.message, page), url: page.url, meta });
  return endTurn(run, asking, opened);
}

type Reading = Extract<ClientReply, { kind: 'answer' }> | null;

/** The answer in a reply; null for anything else: then the question is asked again. */
function readAnswer(reply: unknown): Reading {
  const { data } = Reply.safeParse(reply);
  return data ? { kind: 'answer', ...data } : null;
}

/** Holds the call until the approvers have answered; when its hold ends, the caller gets a pending result. */
export function holdForApprovers(
  run: Run,
  question: Question,
  opened: ElicitationState,
  signal: AbortSignal,
): Promise<ElicitationState> {
  const { call, progress } = run;
  return progress.during(`Waiting for approval of ${call.tool.title ?? call.tool.name}`, async () => {
    const state = await watchPresence(run, opened.id, () => waitForApprovers(run, question, opened, signal));
    if (isClosed(state.status)) return state;
    if (state.inquiry) markDelivered(state.inquiry);
    throw run.end('pending', pendingResult(call, question, state, { mayReply: run.isRelayed }));
  });
}

/**
 * Waits until they have answered or the hold is over. Each of their inquiries goes to the person at the client
 * once; if the agent must ask, the wait ends.
 */
async function waitForApprovers(
  run: Run,
  question: Question,
  { id }: ElicitationState,
  signal: AbortSignal,
): Promise<ElicitationState> {
  const { client } = run;
  for (let last: string | null = null; ;) {
    if (!canRelayInquiries(run) && !run.isRelayed)
      return client.waitForOutcome(id, { signal, timeout: run.holdTimeoutMs });
    const state = await client.waitForOutcome(id, { signal, timeout: run.holdTimeoutMs, afterInquiry: last });
    const { inquiry } = state;
    if (isClosed(state.status) || !inquiry || inquiry.id === last || run.holdTimeoutMs === 0) return state;
    last = inquiry.id;
    if (!run.isRelayed) await relayInquiry(run, { id, inquiry }, question, signal);
    if (run.isRelayed && !isDelivered(inquiry)) return state;
  }
}

/** Page for the requester's answer, with the requested input. */
export interface Page {
  url: string;
  code?: string | undefined;
}

/**
 * Ends the call with the address of the page on which the person answers; the question stays open. When the same call
 * comes back, it waits for the answer as long as its hold lasts.
 */
export async function giveLink(
  run: Run,
  question: Question,
  opened: OpenedElicitation,
  signal: AbortSignal,
): Promise<ElicitationState> {
  const page = await findPage(run, opened, signal);
  if (page === null) return run.client.get(opened.id, { signal });
  const state = opened.joined && mayHaveLink(run) ? await waitElsewhere(run, opened, signal) : opened;
  if (isClosed(state.status)) return state;
  run.questions.addPage(opened);
  throw run.end('pending', linkResult(run.call, question, state, page));
}

/** May the client get a link? One that is asked by results returns to a link with its id, and never with a state. */
const mayHaveLink = ({ call }: Run): boolean => call.round === undefined || call.continues !== undefined;

/** Waits for the answer on a page. If the caller leaves, the page and its question stay. */
function waitElsewhere(run: Run, opened: ElicitationState, signal: AbortSignal): Promise<ElicitationState> {
  run.questions.addPage(opened);
  return waitForPage(run, opened, signal);
}

/** Waits until someone has opened the page, or the call's hold is over. */
function waitForPage(run: Run, { id }: ElicitationState, signal: AbortSignal): Promise<ElicitationState> {
  const { client, call, progress } = run;
  return progress.during(`Waiting for an answer to ${call.tool.title ?? call.tool.name} on its page`, () =>
    client.waitForOutcome(id, { signal, timeout: run.holdTimeoutMs }),
  );
}

/** The page; null if the question was answered meanwhile. Throws ElicitationNotSupportedError if no page would let them in. */
async function findPage(run: Run, opened: OpenedElicitation, signal: AbortSignal): Promise<Page | null> {
  const page = opened.mode === 'url' ? pageOf(opened) : await mintPage(run, opened, signal);
  if (page === null) return null;
  if (page.code !== undefined || run.call.requester.verified) return page;
  throw new ElicitationNotSupportedError(
    'Verify who signs in to this server: a page must identify the person, and their sign-in is not verified.',
  );
}

const pageOf = ({ url, code }: OpenedElicitation): Page | null => (url === undefined ? null : { url, code });

async function mintPage(run: Run, opened: ElicitationState, signal: AbortSignal): Promise<Page | null> {
  const { id: elicitation, openedAt, deadlineAt } = opened;
  const ttl = Math.min(maxTtlMs, deadlineAt - openedAt);
  const request = { session: run.call.session, purpose: 'page', elicitation, ttl } as const;
  try {
    const { pageUrl, code } = await run.client.mintToken(request, { signal });
    return pageUrl === null ? null : { url: pageUrl, code };
  } catch (error) {
    if (error instanceof Problem && error.code === 'already-closed') return null;
    throw error;
  }
}

/**
 * A client's answer in MCP's terms. More lenient than the SDKs: the content of an accept is validated field by field by
 * the question. Some clients call the content `data`; if they give both, MCP's name counts.
 */
export const Reply = z
  .looseObject({ action: z.enum(actions), content: z.unknown().optional(), data: z.unknown().optional() })
  .transform(({ action, content, data }): ToldAnswer => ({ action, content: content === undefined ? data : content }));

/** Ends the run as soon as its other questions are decided; the first question that ends it hands over all. */
export async function endTurn(run: Run, asking: Asking, opened: ElicitationState): Promise<never> {
  const suspended = run.turn.suspend();
  asking.decided();
  await suspended;
  asking.signal.throwIfAborted();
  throw await run.handover.once(() => handOver(run, opened));
}

/** Hands over a turn's questions. The client asks its own first; with its next call it may still get a task. */
async function handOver(run: Run, opened: ElicitationState): Promise<Error> {
  const { round, task } = run.call;
  const { forAgent, forClient } = run.handover;
  if (forAgent) return run.end('asked', relayResult(run.call, forAgent.question, forAgent.opened));
  if (round && forClient.size > 0) {
    const { binding } = round;
    const { state } = await run.client.sealState({ toolCall: opened.toolCall, binding }, { signal: run.signal });
    return run.end('asked', round.askFor(forClient, state));
  }
  if (!task) throw new Problem('internal');
  return run.end('asked', task.handOut(opened));
}

/** Questions whose end this process reports to their clients after the call. */
const watched = new Set<string>();

const isNotifiedLater = ({ id }: ElicitationState): boolean => watched.has(id);

/** Tells the client that the person is done at the address, after the call and while the connection lasts. */
export function notifyLater({ client }: Run, urls: UrlSending, { id }: ElicitationState, elicitationId: string): void {
  watched.add(id);
  client
    .waitForOutcome(id, { signal: urls.ended() })
    .then(async (state) => isDone(state) && (await urls.notifyLater(elicitationId)))
    .catch(() => {}) // the connection has ended
    .finally(() => watched.delete(id));
}

/** Did the person finish there? An expiry, or a newer question, does not count. */
export const isDone = ({ status, cause }: ElicitationState): boolean =>
  status === 'accepted' || status === 'declined' || (status === 'cancelled' && cause === 'user');

const ends = new WeakMap<object, AbortSignal>();

/** Aborts when this server's connection ends; the author's own handler for that runs as well. */
export function connectionEnd(server: { onclose?: (() => void) | undefined }): AbortSignal {
  const signal = ends.get(server);
  if (signal) return signal;
  const ended = new AbortController();
  const { onclose } = server;
  server.onclose = () => {
    ended.abort();
    onclose?.();
  };
  ends.set(server, ended.signal);
  return ended.signal;
}

/** Can the person at the client be asked while the call is held? */
const canRelayInquiries = ({ call, capabilities }: Run): boolean =>
  call.round === undefined && supportsElicitation(capabilities, 'form');

/**
 * Shows an approver's inquiry to the person at the client and passes on the reply, which decides nothing. It is cancelled if
 * the wait is over or the approvers ask something else. Without a reply if the client cannot ask it, or the person cannot fill
 * it in.
 */
async function relayInquiry(
  run: Run,
  { id, inquiry }: { id: ElicitationId; inquiry: Inquiry },
  question: Question,
  signal: AbortSignal,
): Promise<void> {
  const { client, holdTimeoutMs } = run;
  const watching = linkSignals(signal);
  const asking = linkSignals(signal);
  const form = requireForm(readQuestion(messageOfInquiry(inquiry, question.message), inquiry.schema as JsonForm));
  try {
    const reply = await Promise.race([
      client.waitForOutcome(id, { signal: watching.signal, timeout: holdTimeoutMs, afterInquiry: inquiry.id }),
      askUntilFit(run, form, { signal: asking.signal, timeout: holdTimeoutMs }),
    ]);
    signal.throwIfAborted(); // the client's request ends with the signal too, and may say so first
    if ('kind' in reply) await passOnReply(run, { id, inquiry }, form, reply);
    else asking.abort('The approvers no longer wait for this.');
  } finally {
    watching.abort('The inquiry has its reply.');
    watching.release();
    asking.release();
  }
}

async function passOnReply(
  run: Run,
  { id, inquiry }: { id: ElicitationState['id']; inquiry: Inquiry },
  form: FormQuestion,
  reply: ClientReply,
): Promise<void> {
  if (reply.kind === 'unsupported') applyRefusal(run, form, reply);
  if (reply.kind !== 'answer') return;
  const { action } = reply;
  if (action === 'accept' && faultsOf(form, reply.content).length > 0) return;
  const content = action === 'accept' ? { content: form.read(reply.content).form } : {};
  try {
    await run.client.giveInformation(id, { inquiry: inquiry.id, action, ...content });
  } catch (error) {
    // Another run was faster, the request is decided, or the reply cannot be delivered: the call is still held.
    if (!(error instanceof Problem)) throw error;
  }
}

/** Milliseconds between two checks of the stream. */
const lookIntervalMs = 1_000;

/** Reports to Assentry, during the work, when the call's stream loses its client, and when it has one again. */
async function watchPresence<T>(run: Run, id: string, work: () => Promise<T>): Promise<T> {
  const { delivery } = run.call;
  if (!delivery) return work();
  let wasConnected = true;
  const look = (): void => {
    const isConnected = delivery.isConnected();
    if (isConnected === wasConnected) return;
    wasConnected = isConnected;
    void run.client.markCaller(id, isConnected ? 'waiting' : 'gone', { signal: run.signal }).catch(() => {}); // a hint only
  };
  const timer = setInterval(look, lookIntervalMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

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
  const timeout = opened.deadlineAt - opened.openedAt + grace; // both by the server's clock
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

/** Limit of times a person gets the same form if the answer does not fit. */
const maxAsked = 3;

/**
 * Asks until the answer fits. The client may not validate it by the form: then its person sees the faults, and can correct
 * them.
 */
async function askUntilFit({ call }: Run, stored: FormQuestion, options: Parameters<Send>[0]): Promise<ClientReply> {
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
 * Notes the refusal: the client is not asked again in this session. If the agent is to ask instead, it gets a tool for that
 * from now on.
 */
function applyRefusal(
  { call, settings }: Run,
  { mode }: Question,
  { knowsNone }: Extract<ClientReply, { kind: 'unsupported' }>,
): void {
  rememberRefusal(call.capabilities, knowsNone ? modes : [mode]);
  if (settings.withoutElicitation === 'relay') call.notifyToolsChanged?.();
}

/**
 * Records the answer; the row afterwards holds the outcome, since something faster may have closed it. Going to an address is
 * only consent: then the row stays open.
 */
async function forwardAnswer(
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
