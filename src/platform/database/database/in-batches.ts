/** So many rows a statement deletes within its time limit. */
const maxRows = 10_000;

/** Repeats a statement that changes at most so many rows until it finds fewer; returns how many it changed in all. */
export async function inBatches(change: (max: number) => Promise<number>): Promise<number> {
  for (let changed = 0; ;) {
    const count = await change(maxRows);
    changed += count;
    if (count < maxRows) return changed;
  }
}
