import { Problem } from '#platform/model/problem';
import { HookFailedError } from '../question/errors.ts';
import type { ElicitationState, OpenedElicitation, OpenElicitation } from '../../client/client.ts';
import type { FormContent, ResultSchema } from '#platform/form/schema';
import type { Action, CancelCause } from '#requests/asking/contract/elicitation';
import type { ElicitationCapabilities, Channel, CallAuthorization } from '../question/call.ts';
import type { ElicitOptions, Asks } from '../question/question.ts';
import type { ElicitResult } from '../question/result.ts';

/** The result of a stage's own work: the value for the flow, and the context for hooks. */
interface StageWork<T> {
  keep: T;
  show: () => object;
}

/** Context for hooks before the stage's own work, which reads only settable members of it. */
interface StageContext<Settable extends object> {
  settable: Settable;
  shown: () => object;
}

/**
 * Runs a stage with its hooks, in the order in which they are listed; of those around it the first is the outermost.
 * The stage's own work is done exactly once: hooks can prepare or refuse it, but not skip it, and its failure is the
 * stage's failure. A stage without hooks costs its own work only: nothing is copied to be shown.
 */
export async function runStage<F extends keyof Flows, Settable extends object, T>(
  hooks: readonly Hook[],
  { flow, stage }: { flow: F; stage: keyof Flows[F] },
  { settable, shown }: StageContext<Settable>,
  work: (settable: Settable) => Promise<StageWork<T>> | StageWork<T>,
): Promise<T> {
  const own = hooks.filter((hook) => hook.flow === flow && hook.stage === stage);
  if (own.length === 0) return (await work(settable)).keep;
  const context = { ...shown(), ...settable };
  const at = (moment: Moment): Hook[] => own.filter((hook) => hook.moment === moment);
  const once = new Once(async () => {
    const replacement = at('stage').find((hook) => isMeant(hook, context));
    if (replacement) await callHook(replacement, context);
    const { keep, show } = await work(context);
    Object.assign(context, show());
    return keep;
  });
  for (const hook of at('will')) await callIfMeant(hook, context);
  await runAround(at('around'), context, once);
  const kept = await once.get();
  for (const hook of at('did')) await callIfMeant(hook, context);
  return kept;
}

/** Work that is done at most once, and whose failure cannot be swallowed. */
class Once<T> {
  readonly #work: () => Promise<T>;
  #done: Promise<T> | undefined;
  #failure: { error: unknown } | undefined;

  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  get(): Promise<T> {
    if (this.#done) return this.#done;
    this.#done = this.#work();
    this.#done.catch((error: unknown) => (this.#failure = { error })); // a hook may forget to await it
    return this.#done;
  }

  hasFailedWith(error: unknown): boolean {
    return this.#failure !== undefined && this.#failure.error === error;
  }
}

async function runAround(hooks: readonly Hook[], context: object, once: Once<unknown>): Promise<object> {
  const [outermost, ...inner] = hooks;
  const next = async (): Promise<object> => {
    await (inner.length > 0 ? runAround(inner, context, once) : once.get());
    return context;
  };
  if (!outermost) await once.get();
  else if (isMeant(outermost, context)) await callHook(outermost, context, next, once);
  else await next();
  return context;
}

async function callIfMeant(hook: Hook, context: object): Promise<void> {
  if (isMeant(hook, context)) await callHook(hook, context);
}

function isMeant(hook: Hook, context: object): boolean {
  try {
    return hook.filter(context);
  } catch (error) {
    throw failureOf(hook, error);
  }
}

async function callHook(hook: Hook, context: object, next = async () => context, once?: Once<unknown>): Promise<void> {
  try {
    await hook.run(context, next);
  } catch (error) {
    throw once?.hasFailedWith(error) ? error : failureOf(hook, error);
  }
}

/** A Problem thrown by a hook is passed on unchanged. */
const failureOf = (hook: Hook, cause: unknown): Problem =>
  cause instanceof Problem ? cause : new HookFailedError(hook, cause);

/** Context for hooks at every stage: the call and the question. Everything is read-only unless stated otherwise. */
export interface CallContext {
  readonly tool: OpenElicitation['tool'];
  /** The arguments the tool will run with. */
  readonly args: Record<string, unknown>;
  readonly requester: OpenElicitation['requester'];
  /** The connection this call came by. */
  readonly session: string;
  readonly capabilities: ElicitationCapabilities | undefined;
  /** From the caller's access token, if there is one and the caller is still there. */
  readonly authInfo: CallAuthorization | undefined;
  /** Names the question within the call. */
  readonly step: string;
  /** Aborts when no one waits for the question any more. */
  readonly signal: AbortSignal;
}

/** The tool's question; all three members may be changed or replaced. */
interface AskedContext extends CallContext {
  message: string;
  asks: Asks;
  /** An audience of approvers cannot be changed. */
  options: Omit<ElicitOptions, 'key' | 'signal'>;
}

/** The question to store. To change it, set its parts at parseInput. */
interface RequestContext extends CallContext {
  readonly request: Readonly<OpenElicitation>;
}

interface NamingContext extends RequestContext {
  /** May be set in URL mode: the token of the question. */
  elicitationId: string | undefined;
}

interface StoredContext extends RequestContext {
  /** With `joined`, the question of an earlier run of the same call. */
  readonly elicitation: Readonly<Omit<OpenedElicitation, 'code'>>;
}

interface SendingContext extends StoredContext {
  readonly channel: Channel;
  /** May be set: goes to the MCP client as `_meta`. The person always reads the stored question. */
  meta: Record<string, unknown> | undefined;
}

export interface BuiltContext extends StoredContext {
  readonly channel: Channel;
  readonly params: RequestParams;
}

/** The parameters of `elicitation/create`; the channels that end with a person in a browser show the same there. */
export type RequestParams =
  | { mode: 'form'; message: string; requestedSchema: ResultSchema; _meta?: Record<string, unknown> }
  | { mode: 'url'; message: string; url?: string; elicitationId: string; _meta?: Record<string, unknown> };

interface ReceivedContext extends CallContext {
  readonly elicitId: string;
}

interface AnswerContext extends ReceivedContext {
  readonly action: Action;
  readonly cause: CancelCause | null;
  /** Comment of the deciding person. */
  readonly comment: string | null;
}

export interface PendingContext extends AnswerContext {
  /** The closed row; its times are in milliseconds of one clock. */
  readonly elicitation: Readonly<ElicitationState>;
}

interface ContentContext extends PendingContext {
  /** Only of an accept; may be changed or replaced, and is validated again afterwards. The recorded answer stays. */
  content: FormContent | undefined;
}

interface CheckedContext extends PendingContext {
  readonly content: Readonly<FormContent> | undefined;
}

interface ResultContext extends CheckedContext {
  readonly result: Readonly<ElicitResult<unknown>>;
}

/** Stages from `elicit()` to sending the question, with the contexts before and after each. */
interface RequestStages {
  parseInput: { before: AskedContext; after: RequestContext };
  validateRequest: { before: RequestContext; after: RequestContext };
  generateElicitId: { before: NamingContext; after: RequestContext };
  storePendingRecord: { before: RequestContext; after: StoredContext };
  buildRequestParams: { before: SendingContext; after: BuiltContext };
  finalize: { before: BuiltContext; after: BuiltContext };
}

/** Stages from the recorded answer to the result of `elicit()`. */
interface ResultStages {
  parseInput: { before: ReceivedContext; after: AnswerContext };
  lookupPending: { before: AnswerContext; after: PendingContext };
  validateContent: { before: ContentContext; after: CheckedContext };
  buildResult: { before: ContentContext; after: ResultContext };
  publishResult: { before: ResultContext; after: ResultContext };
  finalize: { before: ResultContext; after: ResultContext };
}

interface Flows {
  request: RequestStages;
  result: ResultStages;
}

export const stages = {
  request: [
    'parseInput',
    'validateRequest',
    'generateElicitId',
    'storePendingRecord',
    'buildRequestParams',
    'finalize',
  ],
  result: ['parseInput', 'lookupPending', 'validateContent', 'buildResult', 'publishResult', 'finalize'],
} as const satisfies { [F in keyof Flows]: (keyof Flows[F])[] };

const moments = ['will', 'did', 'stage', 'around'] as const;
export type Moment = (typeof moments)[number];

/** Runs the rest of the stage, once; resolves with the context after it. */
type Next<After> = () => Promise<After>;

interface Sides {
  before: object;
  after: object;
}

type ContextAt<M extends Moment, S extends Sides> = M extends 'did' ? S['after'] : S['before'];

type Run<M extends Moment, S extends Sides> = M extends 'around'
  ? (context: S['before'], next: Next<S['after']>) => unknown
  : (context: ContextAt<M, S>) => unknown;

interface HookOptions<Context> {
  /** Skips the hook if it returns false. */
  filter?: (context: Context) => boolean;
}

/** Code that takes part in a stage of every question. Made by `onRequest` and `onResult`. */
export interface Hook {
  readonly flow: keyof Flows;
  readonly stage: string;
  readonly moment: Moment;
  readonly run: (context: object, next: Next<object>) => unknown;
  readonly filter: (context: object) => boolean;
}

/** With a function it makes a hook; without one, a decorator for a method. */
interface MakeHook<M extends Moment, Stages> {
  <N extends keyof Stages>(
    stage: N,
    run: Run<M, At<Stages, N>>,
    options?: HookOptions<ContextAt<M, At<Stages, N>>>,
  ): Hook;
  <N extends keyof Stages>(
    stage: N,
    options?: HookOptions<ContextAt<M, At<Stages, N>>>,
  ): HookDecorator<Parameters<Run<M, At<Stages, N>>>>;
}

type At<Stages, N extends keyof Stages> = Extract<Stages[N], Sides>;

type HookDecorator<Parameters extends unknown[]> = <This extends object>(
  method: (this: This, ...parameters: Parameters) => unknown,
  context: ClassMethodDecoratorContext<This, (this: This, ...parameters: Parameters) => unknown>,
) => void;

/** `will` runs before the stage, `did` after it, `stage` in its place, `around` before and after it, with `next()`. */
type HookMaker<F extends keyof Flows> = { readonly [M in Moment]: MakeHook<M, Flows[F]> };

/** Context for a hook of the request flow: `RequestHookContext<'storePendingRecord', 'did'>`. */
export type RequestHookContext<N extends keyof Flows['request'], M extends Moment = 'will'> = ContextAt<
  M,
  Flows['request'][N]
>;

/** Context for a hook of the result flow: `ResultHookContext<'buildResult'>`. */
export type ResultHookContext<N extends keyof Flows['result'], M extends Moment = 'will'> = ContextAt<
  M,
  Flows['result'][N]
>;

/**
 * Makes hooks for the flow from `elicit()` to sending the question, as functions or as method decorators.
 * A hook that throws fails the call: with HookFailedError, or with the Problem it threw.
 *
 * ```ts
 * onRequest.will('parseInput', ({ args, options }) => {
 *   if (Number(args['amount']) > 1000) options.approval = true;
 * });
 * ```
 */
export const onRequest: HookMaker<'request'> = makeHooks('request');

/**
 * Makes hooks for the flow from the recorded answer to the result of `elicit()`. Content they set is validated again,
 * and the record stays unchanged.
 *
 * ```ts
 * onResult.will('buildResult', (context) => {
 *   const { note } = context.content ?? {};
 *   if (typeof note === 'string') context.content = { ...context.content, note: note.trim() };
 * });
 * ```
 */
export const onResult: HookMaker<'result'> = makeHooks('result');

/**
 * The hooks in a list of hooks and objects with decorated methods, in order; throws `config-invalid` for anything else.
 */
export const readHooks = (entries: readonly object[]): Hook[] => entries.flatMap((entry) => hooksOf(entry));

const ownHooks = new WeakSet<object>();
const decorated = new WeakMap<object, Hook[]>();

function hooksOf(entry: object): readonly Hook[] {
  if (ownHooks.has(entry)) return [entry as Hook];
  const hooks = decorated.get(entry);
  if (hooks) return hooks;
  throw new Problem('config-invalid', {
    detail: 'Make each entry of hooks with onRequest or onResult, or give an object with decorated methods.',
  });
}

function makeHooks<F extends keyof Flows>(flow: F): HookMaker<F> {
  const makers = moments.map((moment) => [moment, makeHook(flow, moment)] as const);
  // The table types the functions of each moment; it vanishes at run time.
  return Object.fromEntries(makers) as unknown as HookMaker<F>;
}

function makeHook(flow: keyof Flows, moment: Moment) {
  return (stage: string, ...rest: [Hook['run'], Partial<Hook>?] | [Partial<Hook>?]) => {
    requireStage(flow, stage);
    const [first, second] = rest;
    const { filter = always } = (typeof first === 'function' ? second : first) ?? {};
    const hookOf = (run: Hook['run']): Hook => {
      const hook = { flow, stage, moment, run, filter };
      ownHooks.add(hook);
      return hook;
    };
    return typeof first === 'function' ? hookOf(first) : decoratorOf(hookOf);
  };
}

/** Decorator for a method: each instance has its own hooks, which call its methods. */
const decoratorOf =
  (hookOf: (run: Hook['run']) => Hook) =>
  (method: Hook['run'], context: ClassMethodDecoratorContext<object>): void => {
    context.addInitializer(function () {
      const hook = hookOf((...parameters) => method.apply(this, parameters));
      decorated.set(this, [...(decorated.get(this) ?? []), hook]);
    });
  };

const always = (): boolean => true;

function requireStage(flow: keyof Flows, stage: string): void {
  const names: readonly string[] = stages[flow];
  if (names.includes(stage)) return;
  throw new Problem('config-invalid', {
    detail: `Use one of ${names.join(', ')}: the ${flow} flow has no stage "${stage}".`,
  });
}
