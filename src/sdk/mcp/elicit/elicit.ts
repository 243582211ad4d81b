import type { KeyFact } from '#requests/facts/contract/facts';
import {
  type ElicitOptions,
  type Asking,
  type Asks,
  type JsonForm,
  type ZodForm,
  readQuestion,
  type Question,
  faultsOf,
} from '../question/question.ts';
import { type ElicitResult, text } from '../question/result.ts';
import {
  type ToolResult,
  type Channel,
  requireAskable,
  nameCall,
  plainArguments,
  chooseAudience,
} from '../question/call.ts';
import type { z } from 'zod';
import type { ElicitationState, OpenedElicitation, OpenElicitation } from '../../client/client.ts';
import { linkSignals } from '../../client/transport.ts';
import type { FormContent } from '#platform/form/schema';
import { isClosed, outcomeAction, type Audience } from '#requests/asking/contract/elicitation';
import {
  askInRound,
  askByRelay,
  askByUrl,
  askRequester,
  channelFor,
  endTurn,
  giveLink,
  holdForApprovers,
} from '../channels/channels.ts';
import { applyEdits, abandonQuestion, recordedAnswer } from './edits.ts';
import {
  ElicitationNotSupportedError,
  tellAuthor,
  ElicitationTimeoutError,
  InvalidInputError,
} from '../question/errors.ts';
import type { Run } from '../run/run.ts';
import { withGracePeriod } from '../../client/grace-period.ts';
import { untilSettled } from '../run/settlements.ts';
import { formatIssue } from '#platform/http/contract/problem';
import { OpenElicitation as RequestToOpen } from '#requests/asking/contract/open';
import { Problem } from '#platform/model/problem';
import { refuseSecrets } from '../question/callback-secrets.ts';
import {
  type BuiltContext,
  type RequestParams,
  runStage,
  type PendingContext,
  type CallContext,
} from '../hooks/hooks.ts';
import { takeExecution } from '../run/take-execution.ts';

/**
 * Asks approvers whether the call may go on; true if they approve. `facts` are what they see next to the buttons, `after`
 * the payments and signatures that it follows. It rejects as `elicit` does.
 */
export type Approve = (message: string, facts?: KeyFact[], options?: Pick<ElicitOptions, 'after'>) => Promise<boolean>;

export const createApprove =
  (elicit: Elicit): Approve =>
  async (message, facts, { after } = {}) => {
    const shown = { ...(facts && { facts }), ...(after && { after }) };
    const { status } = await elicit(message, emptyForm, { approval: true, supersede: 'none', ...shown });
    return status === 'accept';
  };

/** Asks before a tool runs; null if it may, else what the model reads. */
export async function refuseUnapproved(
  elicit: Elicit,
  message: string,
  options: Pick<ElicitOptions, 'approval' | 'audience'>,
): Promise<ToolResult | null> {
  // A policy may ask the requester, and an agent calls several tools at once: no call gives way to another.
  const answer = await elicit(message, emptyForm, { ...options, supersede: 'none' });
  return answer.status === 'accept' ? null : refusedResult(answer);
}

/** Form for yes or no alone. */
export const emptyForm = { type: 'object', properties: {} } as const;

/** Texts for the model after a no. Without the advice, it tries the same by another tool, or again and again. */
export const refusals = {
  declined: {
    sentence: 'Declined; nothing was run.',
    advice: 'Do not do the same in another way: ask the person you work for how to go on.',
  },
  cancelled: {
    sentence: 'The request was withdrawn; nothing was run.',
    advice: 'Make this call again only if the person you work for wants it.',
  },
};

/** Result for the model if people or a policy did not approve. */
function refusedResult({ status, comment }: ElicitResult<unknown>): ToolResult {
  const code = status === 'decline' ? 'declined' : 'cancelled';
  const { sentence, advice } = refusals[code];
  const lines = comment === undefined ? [] : [`Reason: ${comment}`];
  return { content: text(sentence, ...lines, advice), isError: true, _meta: { code } };
}

/**
 * Asks a person and resolves with the validated answer.
 * Rejects with ElicitationTimeoutError, ElicitationNotSupportedError, InvalidInputError or another Problem.
 * An accept is released once: of all runs of one call, only the one that gets it may act on it.
 */
export interface Elicit {
  <S extends ZodForm>(message: string, form: S, options?: ElicitOptions): Promise<ElicitResult<z.output<S>>>;
  (message: string, form: JsonForm, options?: ElicitOptions): Promise<ElicitResult<FormContent>>;
  /** Sends the person to this address; an accept says that they are done there. */
  (message: string, url: string | URL, options?: ElicitOptions): Promise<ElicitResult<FormContent>>;
}

export function createElicit(run: Run): Elicit {
  const elicit = (message: string, asks: Asks, options: ElicitOptions = {}) => {
    const result = askUnderSignals(run, message, asks, options);
    result.catch(() => {}); // a tool that forgets to await must not bring its whole process down
    return result;
  };
  return elicit as Elicit; // the overloads tie the form's type to the content's, which `read` keeps
}

/** Asks as `elicit` does; `asks` may also be what is expected at a provider. */
export async function askUnderSignals(
  run: Run,
  message: string,
  asks: Asks,
  options: ElicitOptions,
): Promise<ElicitResult<unknown>> {
  requireAskable(message, asks, options);
  const step = run.takeStep(options.key);
  const decided = run.turn.begin();
  const linked = linkSignals(run.signal, options.signal);
  try {
    const question = { message, asks, options, step, signal: linked.signal, decided };
    return await ask(run, await run.prepare(() => prepareRequest(run, question)));
  } finally {
    decided();
    linked.release();
  }
}

async function ask(run: Run, asking: Asking): Promise<ElicitResult<unknown>> {
  asking.signal.throwIfAborted();
  const opened = await storeQuestion(run, asking);
  const state = isClosed(opened.status) ? opened : await run.questions.during(decide(run, asking, opened));
  run.questions.remove(opened);
  asking.decided();
  await applyEdits(run, asking, state);
  return resultOf(run, asking, state);
}

/** Asks until the row is closed; a question given up before is withdrawn, so that people do not see it as open. */
async function decide(run: Run, asking: Asking, opened: OpenedElicitation): Promise<ElicitationState> {
  const { signal } = asking;
  try {
    signal.throwIfAborted();
    const channel = channelFor(run, opened);
    if (channel === 'unsupported') throw new ElicitationNotSupportedError(unsupported, opened.mode);
    const question = await buildParams(run, asking, opened, channel);
    return await travel(run, { ...asking, question }, opened, channel);
  } catch (error) {
    abandonQuestion(run, opened);
    throw error;
  }
}

async function travel(
  run: Run,
  asking: Asking,
  opened: OpenedElicitation,
  channel: Exclude<Channel, 'unsupported'>,
): Promise<ElicitationState> {
  const { question, signal } = asking;
  if (channel === 'round') return askInRound(run, asking, opened);
  if (channel === 'relay') return askByRelay(run, asking, opened);
  if (channel === 'task') return endTurn(run, asking, opened); // the process that serves the task continues with its answer
  asking.decided();
  if (channel === 'hold') return holdForApprovers(run, question, opened, signal);
  if (channel === 'push') return askAtClient(run, asking, opened);
  return giveLink(run, question, opened, signal);
}

const unsupported = 'This client cannot ask its person.';

/** Asks at the client. One that turns out unable counts as if it had never declared it: its question takes another channel. */
async function askAtClient(run: Run, asking: Asking, opened: OpenedElicitation): Promise<ElicitationState> {
  const { question, signal } = asking;
  const { urls } = run.call;
  try {
    if (question.mode === 'form' || !urls) return await askRequester(run, question, opened, signal);
    return await askByUrl(run, urls, question, opened, signal);
  } catch (error) {
    const other = error instanceof ElicitationNotSupportedError ? channelFor(run, opened) : 'push';
    if (other === 'push' || other === 'unsupported') throw error;
    return travel(run, asking, opened, other);
  }
}

/** Opens the question, or joins it; if a hook refuses it after it was stored, it is given up like any other. */
async function storeQuestion(run: Run, asking: Asking): Promise<OpenedElicitation> {
  let stored: OpenedElicitation | undefined;
  try {
    return await storeRecord(run, asking, async () => (stored = await openWithGracePeriod(run, asking)));
  } catch (error) {
    if (stored) abandonQuestion(run, stored);
    throw error;
  }
}

async function openWithGracePeriod(run: Run, asking: Asking): Promise<OpenedElicitation> {
  const opening = withGracePeriod(openingGraceMs, asking.signal, (signal) => openQuestion(run, asking, signal));
  run.addCleanup(opening); // the run does not end before it is clear what it opened
  return opening;
}

/** Time an opening may continue after its caller has left: the id is needed to withdraw the question. */
const openingGraceMs = 10_000;

/** Opens a question or joins one. If its caller left meanwhile, the question is given up, and this throws. */
async function openQuestion(run: Run, asking: Asking, signal: AbortSignal): Promise<OpenedElicitation> {
  const recorded = recordedAnswer(run, asking);
  if (recorded) {
    run.enter(recorded.toolCall);
    return { ...recorded, joined: true };
  }
  await untilSettled(asking.request.call);
  const opened = await openOrRenew(run, asking.request, signal);
  run.enter(opened.toolCall);
  await run.memos.keep(run.client, opened.toolCall);
  if (opened.isElsewhere) tellAuthor(otherAddress(run, opened));
  if (!isClosed(opened.status)) run.questions.add(opened);
  if (opened.joined && hasPage(run, opened)) run.questions.addPage(opened);
  if (!asking.signal.aborted) return opened;
  abandonQuestion(run, opened);
  throw asking.signal.reason;
}

const otherAddress = ({ call }: Run, { step, id }: OpenedElicitation): string =>
  `Make the address of ${call.tool.name} (question ${step}) with once(): the handler ran again and made another one. The person has the first (${id}).`;

/** May its person have the page from an earlier run? That page stays if this run is left. */
const hasPage = (run: Run, opened: OpenedElicitation): boolean =>
  opened.mode === 'url' || channelFor(run, opened) === 'link';

/**
 * Opens a question. A requester's call left without an answer is not replayed: the retry asks again, even if it overtakes the
 * end of that run.
 */
async function openOrRenew(run: Run, request: OpenElicitation, signal: AbortSignal): Promise<OpenedElicitation> {
  const opened = await run.ask((attempt) =>
    open(run, { ...request, ...(attempt !== undefined && { attempt }) }, signal),
  );
  const isLeftover = opened.joined && opened.audience === 'requester' && opened.cause === 'caller_gone';
  if (!isLeftover || run.joined !== undefined) return opened;
  await run.client.complete(opened.toolCall, { attempt: 'left-over', delivered: true }, { signal });
  return open(run, request, signal);
}

/** Opens a request with the token, for the orchestrator only: hooks see the request without it. */
const open = ({ client, call: { accessToken, traceparent } }: Run, request: OpenElicitation, signal: AbortSignal) =>
  client.open({ ...request, ...(accessToken !== undefined && { accessToken }) }, { signal, traceparent });

/** The question and its options from the tool. */
interface Asked extends Pick<Asking, 'step' | 'signal' | 'decided'> {
  message: string;
  asks: Asks;
  options: ElicitOptions;
}

const atStep = <S extends string>(stage: S) => ({ flow: 'request', stage }) as const;

/** The first stages: from the tool's arguments to the request to store. */
async function prepareRequest(run: Run, input: Asked): Promise<Asking> {
  const { step, signal, decided, message, asks } = input;
  const { hooks } = run.settings;
  const facts = callContext(run, input);
  const takesEdits = await run.takesEdits();
  const { key: _key, signal: _signal, ...options } = input.options;
  const initial = { settable: { message, asks, options }, shown: () => facts };
  const parsed = await runStage(hooks, atStep('parseInput'), initial, (context) => {
    requireAskable(context.message, context.asks, context.options);
    const question = readQuestion(context.message, context.asks, context.options);
    const draft = draftRequest(run, question, { step, takesEdits }, { ofAuthor: input.options, set: context.options });
    return { keep: { question, draft }, show: () => ({ request: structuredClone(draft) }) };
  });
  const shown = (): object => ({ ...facts, request: structuredClone(parsed.draft) });
  await runStage(hooks, atStep('validateRequest'), { settable: {}, shown }, () => {
    requireStorable(parsed.draft);
    const { url, message: text, schema, facts, reason } = parsed.draft;
    refuseSecrets(run.client, { url, message: text, schema, facts, reason });
    return nothing;
  });
  const { elicitationId } = parsed.draft;
  const named = await runStage(
    hooks,
    atStep('generateElicitId'),
    { settable: { elicitationId }, shown },
    async (context) => {
      const question = withToken(parsed.question, context.elicitationId);
      const request = await nameRequest(run, parsed.draft, question);
      return { keep: { question, request }, show: () => ({ request: structuredClone(request) }) };
    },
  );
  return { ...named, step, signal, decided };
}

function requireStorable(draft: RequestToOpen): void {
  const { error } = RequestToOpen.safeParse(draft, { error: formatIssue });
  if (!error) return;
  const errors = error.issues.map(({ path, message }) => ({ path: path.map(asPath), message }));
  throw new Problem('INVALID_INPUT', { detail: 'Correct the question: parts of it are invalid.', errors });
}

const asPath = (part: PropertyKey): string | number => (typeof part === 'symbol' ? String(part) : part);

const withToken = (question: Question, elicitationId: string | undefined): Question =>
  question.mode === 'url' ? { ...question, elicitationId } : question;

/** Stores the question, or joins that of an earlier run of the same call. */
function storeRecord(run: Run, asking: Asking, store: () => Promise<OpenedElicitation>): Promise<OpenedElicitation> {
  const shown = (): object => ({ ...callContext(run, asking), request: structuredClone(asking.request) });
  return runStage(run.settings.hooks, atStep('storePendingRecord'), { settable: {}, shown }, async () => {
    const opened = await store();
    return { keep: opened, show: () => ({ elicitation: showRecord(opened) }) };
  });
}

/** The last stages, for a question that is about to be sent; returns the question as sent. */
async function buildParams(run: Run, asking: Asking, opened: OpenedElicitation, channel: Channel): Promise<Question> {
  const { hooks } = run.settings;
  const stored = () => ({
    ...callContext(run, asking),
    request: structuredClone(asking.request),
    elicitation: showRecord(opened),
    channel,
  });
  const settable = { meta: undefined as Record<string, unknown> | undefined };
  const built = await runStage(hooks, atStep('buildRequestParams'), { settable, shown: stored }, ({ meta }) => {
    refuseSecrets(run.client, { meta });
    const question = meta ? { ...asking.question, meta } : asking.question;
    return { keep: question, show: () => ({ params: showParams(question, opened) }) };
  });
  const shown = (): BuiltContext => ({ ...stored(), params: showParams(built, opened) });
  await runStage(hooks, atStep('finalize'), { settable: {}, shown }, () => nothing);
  return built;
}

/** The record without the code, which only the requester's own machine may show. */
function showRecord({ code: _code, ...record }: OpenedElicitation): Omit<OpenedElicitation, 'code'> {
  return structuredClone(record);
}

function showParams(question: Question, opened: OpenedElicitation): RequestParams {
  const { message, meta } = question;
  const own = meta && { _meta: meta };
  if (question.mode === 'form')
    return structuredClone({ mode: 'form', message, requestedSchema: question.schema, ...own });
  const { elicitationId = opened.id } = question;
  const { url } = opened;
  return structuredClone({ mode: 'url', message, ...(url !== undefined && { url }), elicitationId, ...own });
}

const at = <S extends string>(stage: S) => ({ flow: 'result', stage }) as const;
const nothing = { keep: undefined, show: () => ({}) };

/** Result of `elicit()` after the row is closed; an accept only for the one run that may act on it. */
export async function resultOf(run: Run, asking: Asking, state: ElicitationState): Promise<ElicitResult<unknown>> {
  const { question } = asking;
  const { hooks } = run.settings;
  const pending = await findPending(run, asking, state);
  const content = await settleContent(run, question, state, pending);
  const shown = () => ({ ...pending(), content: structuredClone(content), result: build(question, state, content) });
  await runStage(hooks, at('publishResult'), { settable: {}, shown }, async () => {
    if (content) await release(run, asking, state);
    return nothing;
  });
  await runStage(hooks, at('finalize'), { settable: {}, shown }, () => nothing);
  return build(question, state, content);
}

async function findPending(run: Run, asking: Asking, state: ElicitationState): Promise<() => PendingContext> {
  const { hooks } = run.settings;
  const received = { ...callContext(run, asking), elicitId: state.id };
  const { comment, cause } = state;
  const answer = { action: actionOf(state), comment, cause };
  const looked = { ...received, ...answer };
  const pending = (): PendingContext => ({ ...looked, elicitation: structuredClone(state) });
  await runStage(hooks, at('parseInput'), { settable: {}, shown: () => received }, () => ({
    ...nothing,
    show: () => answer,
  }));
  await runStage(hooks, at('lookupPending'), { settable: {}, shown: () => looked }, () => ({
    ...nothing,
    show: pending,
  }));
  return pending;
}

/**
 * The recorded answer satisfies its form, but maybe not the zod schema; content from a hook is validated by the form
 * again.
 */
async function settleContent(
  run: Run,
  question: Question,
  state: ElicitationState,
  shown: () => PendingContext,
): Promise<FormContent | undefined> {
  const { hooks } = run.settings;
  const isAccept = state.status === 'accepted';
  const read = (content: unknown) => (isAccept ? readRecorded(question, content) : undefined);
  const recorded = { content: isAccept ? structuredClone(state.content ?? {}) : undefined };
  const checked = await runStage(hooks, at('validateContent'), { settable: recorded, shown }, (context) => {
    const content = read(context.content);
    return { keep: content, show: () => ({ content: structuredClone(content) }) };
  });
  const settable = { content: structuredClone(checked) };
  return runStage(hooks, at('buildResult'), { settable, shown }, (context) => {
    const content = read(context.content);
    return {
      keep: content,
      show: () => ({ content: structuredClone(content), result: build(question, state, content) }),
    };
  });
}

/**
 * Reads the recorded content. Refinements run in the tool alone: answers from the console or a page were not checked against
 * them.
 */
function readRecorded(question: Question, content: unknown): FormContent {
  const faults = faultsOf(question, content);
  if (faults.length > 0) throw new InvalidInputError(faults, unheeded);
  return question.read(content).form;
}

const unheeded =
  'Invalid elicitation result content: the answer was recorded but fails the tool’s own validation. ' +
  'The tool did not use it; call again to ask again.';

/** Releases an accept to one of all runs of its call. */
async function release(run: Run, { question, signal }: Asking, state: ElicitationState): Promise<void> {
  if (run.isReentered) await run.turn.quiet(signal);
  await takeExecution(run, question, state);
}

/** Action of a closed question; an expired one throws. */
function actionOf({ id, status, openedAt, deadlineAt }: ElicitationState) {
  if (status === 'expired') throw new ElicitationTimeoutError(id, deadlineAt - openedAt);
  if (!isClosed(status)) throw new Problem('internal');
  return outcomeAction[status];
}

/** A new copy of the result, so that a hook's changes have no effect. */
function build(question: Question, state: ElicitationState, content: FormContent | undefined): ElicitResult<unknown> {
  const comment = state.comment === null ? {} : { comment: state.comment };
  if (content) return { status: 'accept', content: valueOf(question, state, content), ...comment };
  if (state.status === 'declined') return { status: 'decline', ...comment };
  return { status: 'cancel', ...comment, ...(state.cause && { cause: state.cause }) };
}

/** What a provider has confirmed has the name of its request, to which a later decision can be bound. */
const valueOf = (question: Question, { id }: ElicitationState, content: FormContent): unknown =>
  question.mode === 'url' && question.expects ? { ...content, proof: id } : question.read(content).value;

/** Options of the tool's author, and those set by hooks. */
interface BothOptions {
  ofAuthor: ElicitOptions;
  set: ElicitOptions;
}

/** The request to store, without the name of its call. */
function draftRequest(
  run: Run,
  question: Question,
  { step, takesEdits }: { step: string; takesEdits: boolean },
  both: BothOptions,
): OpenElicitation {
  const { tool, requester, session } = run.call;
  const { set } = both;
  const ttl = set.ttl ?? run.settings.ttl;
  // Questions of one result are shown together; none of them replaces another.
  const supersede = set.supersede ?? (run.isReentered ? 'none' : undefined);
  return {
    tool,
    arguments: plainArguments(run.call.args),
    ...askedIn(question),
    audience: isForRequester(question) ? 'requester' : audienceOf(run, both),
    requester,
    session,
    step,
    ...(takesEdits && { takesEdits }),
    ...(ttl !== undefined && { ttl }),
    ...(set.facts !== undefined && { facts: set.facts }),
    ...(set.reason !== undefined && { reason: set.reason }),
    ...(set.after !== undefined && { after: set.after.map(({ proof }) => proof) }),
    ...(supersede && { supersede }),
  };
}

/** Names the call by its first question: all its questions are one journal, and are settled together. */
export async function nameRequest(run: Run, draft: OpenElicitation, question: Question): Promise<OpenElicitation> {
  const { tool, requester, session } = run.call;
  const { audience = 'requester', arguments: args } = draft;
  const call = await run.nameOnce(() => nameCall({ audience, requester, session, tool, arguments: args }));
  const { continues } = run.call;
  return {
    ...draft,
    ...askedIn(question),
    call,
    ...(continues !== undefined && { toolCall: continues }),
  };
}

/** Audience of the question; a hook may require approvers, and never remove them. */
function audienceOf({ call }: Run, { ofAuthor: authored, set }: BothOptions): Audience {
  const isDestructive = call.tool.annotations?.destructiveHint === true;
  const audiences = [authored, set].map((options) => chooseAudience({ ...options, isDestructive }));
  return audiences.includes('approvers') ? 'approvers' : 'requester';
}

/** Only the requester can connect their own account; this approves nothing. */
const isForRequester = (question: Question): boolean => question.mode === 'url' && question.expects !== undefined;

type QuestionPart = 'message' | 'mode' | 'schema' | 'url' | 'expects' | 'elicitationId' | 'completedBy' | 'state';

function askedIn(question: Question): Pick<OpenElicitation, QuestionPart> {
  const { message, mode, schema } = question;
  if (mode === 'form') return { message, mode, schema };
  const { url, expects, elicitationId, completedBy, state } = question;
  return {
    message,
    mode,
    ...(schema !== undefined && { schema }),
    ...(url !== undefined && { url }),
    ...(expects && { expects }),
    ...(elicitationId !== undefined && { elicitationId }),
    ...(completedBy !== undefined && { completedBy }),
    ...(state !== undefined && { state }),
  };
}

/** Context of the call for hooks at every stage; copies, so that changes have no effect. */
function callContext({ call }: Run, { step, signal }: { step: string; signal: AbortSignal }): CallContext {
  const { tool, requester, session, capabilities, authInfo } = call;
  const args = plainArguments(call.args);
  return { ...structuredClone({ tool, requester, session, capabilities }), args, authInfo, step, signal };
}
