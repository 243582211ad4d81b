/** Runs the work under a signal that follows all of these until the work is done; nothing stays registered. */
export async function underSignals<T>(
  sources: (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const given = sources.filter((source) => source !== undefined);
  const follow = () => own.abort(given.find(({ aborted }) => aborted)?.reason);
  for (const source of given) source.addEventListener('abort', follow);
  if (given.some(({ aborted }) => aborted)) follow();
  try {
    return await work(own.signal);
  } finally {
    for (const source of given) source.removeEventListener('abort', follow);
  }
}
