const yardstick = JSON.stringify(Array.from({ length: 50_000 }, (_, at) => ({ at, text: 'x'.repeat(20) })));

/**
 * CPU time that a call takes, as a multiple of the time for reading 2 MB of JSON: neither a slow machine nor a busy one
 * changes it much.
 */
export function workOf(call: () => unknown): number {
  const unit = Math.min(...Array.from({ length: 3 }, () => cpuTime(() => JSON.parse(yardstick))));
  return cpuTime(call) / unit;
}

function cpuTime(call: () => unknown): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, user + system);
}
