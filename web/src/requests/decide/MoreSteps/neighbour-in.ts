/** The request before or after this one in the queue; the first if this one has left it, null at the end. */
export function neighbourIn(queue: readonly string[], id: string, step: 1 | -1): string | null {
  const at = queue.indexOf(id);
  return (at < 0 ? queue[0] : queue[at + step]) ?? null;
}
