/** Numbers from 0 to 1, the same for the same seed. */
export function drawFrom(seed: number): () => number {
  let state = Math.max(1, seed % 2147483647);
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}
