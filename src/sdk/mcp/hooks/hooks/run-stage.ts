import { Problem } from '#platform/model/problem';
import { HookFailedError } from '../../question/errors/errors.ts';
import type { Flows } from './hook-contexts.ts';
import type { Hook, Moment } from './hooks.ts';

/** The result of a stage's own work: the value for the flow, and what hooks see of it. */
interface StageWork<T> {
  keep: T;
  show: () => object;
}

/** What hooks are shown before the stage's own work, which takes of it only what a hook may set. */
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
