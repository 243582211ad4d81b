import { Problem } from '#platform/model/problem';
import { stages, type Flows } from './hook-contexts.ts';

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
  /** If it returns false, the hook is skipped. */
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

/** What a hook of the request flow is given: `RequestHookContext<'storePendingRecord', 'did'>`. */
export type RequestHookContext<N extends keyof Flows['request'], M extends Moment = 'will'> = ContextAt<
  M,
  Flows['request'][N]
>;

/** What a hook of the result flow is given: `ResultHookContext<'buildResult'>`. */
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
  // The table says for each moment which functions it takes; nothing of it is left at run time.
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

/** Each instance has its own hooks, which call its methods. */
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
