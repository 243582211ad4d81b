import { Problem } from '#platform/model/problem';

interface Followed {
  acts: Set<() => void>;
  listener: () => void;
}

/** What is to happen when a signal aborts. One listener does all of it: Node warns of more than ten on one signal. */
const followed = new WeakMap<AbortSignal, Followed>();

/** Acts when the signal aborts; the returned function ends that. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  const { acts, listener } = followed.get(signal) ?? listenTo(signal);
  acts.add(act);
  return () => {
    acts.delete(act);
    if (acts.size > 0) return;
    signal.removeEventListener('abort', listener);
    followed.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Followed {
  const acts = new Set<() => void>();
  const listener = () => {
    for (const act of acts) act();
  };
  followed.set(signal, { acts, listener });
  signal.addEventListener('abort', listener);
  return { acts, listener };
}

/** For code without types: throws `INVALID_INPUT` for what is no signal, such as the controller that has it. */
export function assertSignal(signal: unknown): asserts signal is AbortSignal | undefined {
  if (signal === undefined || (isSignalLike(signal) && typeof signal.addEventListener === 'function')) return;
  throw new Problem('INVALID_INPUT', {
    detail: 'Give an AbortSignal as signal, such as that of an AbortController.',
    errors: [{ path: ['signal'], message: 'Give an AbortSignal.' }],
  });
}

const isSignalLike = (value: unknown): value is { aborted: boolean; addEventListener?: unknown } =>
  typeof value === 'object' && value !== null && 'aborted' in value && typeof value.aborted === 'boolean';

/** A signal that follows others until it is released; AbortSignal.any would stay registered with long-lived signals. */
interface LinkedSignal {
  signal: AbortSignal;
  abort(reason: unknown): void;
  /** Stops following; the signal itself is left as it is. */
  release(): void;
}

export function linkSignals(...sources: (AbortSignal | undefined)[]): LinkedSignal {
  const own = new AbortController();
  const signals = sources.filter((source) => source !== undefined);
  const follow = () => own.abort(signals.find(({ aborted }) => aborted)?.reason);
  const endings = signals.map((source) => onAbort(source, follow));
  if (signals.some(({ aborted }) => aborted)) follow();
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    release: () => {
      for (const end of endings) end();
    },
  };
}

/** Runs the work under a signal that follows all of these until the work is done. */
export async function underSignals<T>(
  sources: (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const linked = linkSignals(...sources);
  try {
    return await work(linked.signal);
  } finally {
    linked.release();
  }
}
