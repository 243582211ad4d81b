import { localTime, offsetOf } from '../../../document/rules/verdict/local-time.ts';
import type { QuietHours } from '../../../terms/quiet-hours.ts';

const minute = 60_000;
const day = 1_440;

/**
 * The same time, or the end of the quiet hours it falls into; milliseconds since 1970.
 * If the clocks change in between, the end is when the local clock shows it, or the first moment after the skipped
 * hour.
 */
export function afterQuietHours(at: number, quiet: QuietHours): number {
  if (!isQuiet(at, quiet)) return at;
  const full = Math.floor(at / minute) * minute;
  const wait = (quiet.until - minutesOf(full, quiet) + day) % day;
  const guess = full + wait * minute;
  let end = guess - (offsetOf(guess, quiet.timeZone) - offsetOf(full, quiet.timeZone));
  // Of an hour that is skipped or repeated the guess is off by at most that hour.
  while (isQuiet(end, quiet)) end += minute;
  return end;
}

/** The times after opening that fall before the deadline, out of the quiet hours, in order and each once. */
export function remindersBetween(
  openedAt: number,
  deadlineAt: number,
  { reminders, quietHours }: { reminders: readonly number[]; quietHours: QuietHours | null },
): number[] {
  const times = reminders.map((after) => openedAt + after);
  const moved = quietHours ? times.map((at) => afterQuietHours(at, quietHours)) : times;
  return [...new Set(moved)].filter((at) => at < deadlineAt).sort((a, b) => a - b);
}

function isQuiet(at: number, quiet: QuietHours): boolean {
  const { from, until } = quiet;
  const shown = minutesOf(at, quiet);
  return from < until ? from <= shown && shown < until : from <= shown || shown < until;
}

function minutesOf(at: number, { timeZone }: QuietHours): number {
  const { hour, minute: past } = localTime(at, timeZone);
  return hour * 60 + past;
}
