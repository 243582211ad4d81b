/** Milliseconds of a clock that all processes of the machine share. */
export const clock = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Microseconds of CPU since the start of this process. */
export function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
