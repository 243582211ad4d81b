import { readdirSync, readFileSync } from 'node:fs';

const tick = 10_000; // microseconds; Linux reports in hundredths of a second

/** Microseconds of CPU of a process, its living children, and those that have ended; null if the system does not tell. */
export function familyCpu(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  let ticks = 0;
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = readStat(name);
    if (!stat) continue;
    if (Number(name) === pid) ticks += stat.own + stat.endedChildren;
    else if (stat.parent === pid) ticks += stat.own;
  }
  return ticks * tick;
}

/** proc(5): after the program's name come state, parent, …; CPU times are fields 14 to 17. */
function readStat(pid: string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const sum = (a: number, b: number): number => Number(fields[a - 3]) + Number(fields[b - 3]);
    return { parent: Number(fields[1]), own: sum(14, 15), endedChildren: sum(16, 17) };
  } catch {
    return undefined; // it ended while we looked
  }
}
