/** Text for an unknown name: `There is no group finanse. Did you mean finance?` */
export function formatUnknown(what: string, name: string, names: Iterable<string>): string {
  const near = nearestName(name, names);
  return `There is no ${what} ${name}.${near === null ? '' : ` Did you mean ${near}?`}`;
}

/** The probable known name: one or two typing errors away, ignoring case; null if none is near. */
export function nearestName(name: string, names: Iterable<string>): string | null {
  const most = Math.min(3, Math.ceil(name.length / 3));
  let nearest: { name: string; distance: number } | null = null;
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) > most) continue;
    const distance = distanceBetween(candidate.toLowerCase(), name.toLowerCase());
    if (distance <= most && distance < (nearest?.distance ?? most + 1)) nearest = { name: candidate, distance };
  }
  return nearest?.name ?? null;
}

/** Number of letters to insert, leave out, change or swap with their neighbour. */
function distanceBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
