import { localTime, offsetOf } from '../policy/local-time.ts';
import type { QuietHours, Terms } from '../policy/policy-document.ts';

const minute = 60_000;
const minutesOfDay = 1_440;

/** When to remind, in order and before the deadline: what falls into quiet hours waits for their end. */
export function reminderTimes(
  { reminders, quietHours }: Pick<Terms, 'reminders' | 'quietHours'>,
  openedAt: number,
  deadlineAt: number,
): number[] {
  const moved = reminders.map((after) => afterQuiet(openedAt + after, quietHours));
  return [...new Set(moved)].filter((at) => at < deadlineAt).sort((a, b) => a - b);
}

function afterQuiet(at: number, quiet: QuietHours | null): number {
  if (!quiet) return at;
  const left = quietLeft(at, quiet);
  const moved = at + left;
  // A clock that is moved in between shows another time at the end than was counted.
  return moved + offsetOf(at, quiet.timeZone) - offsetOf(moved, quiet.timeZone);
}

/** Milliseconds until the quiet hours that hold at `at` end; 0 where none hold. */
function quietLeft(at: number, { from, until, timeZone }: QuietHours): number {
  const { hour, minute: minutes, second } = localTime(at, timeZone);
  const clock = hour * 60 + minutes;
  const isQuiet = from < until ? clock >= from && clock < until : clock >= from || clock < until;
  if (!isQuiet) return 0;
  const rest = (until - clock + minutesOfDay) % minutesOfDay;
  return rest * minute - second * 1000 - (at % 1000);
}
