const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long is left: "2 d 4 h", "3 h 58 min", "12:07" in the last hour; null once it is over. Milliseconds. */
export function describeTimeLeft(until: number, now: number): string | null {
  const left = Math.floor((until - now) / second) * second;
  if (left <= 0) return null;
  if (left >= day) return joined(left, day, 'd', hour, 'h');
  if (left >= hour) return joined(left, hour, 'h', minute, 'min');
  const seconds = Math.floor((left % minute) / second);
  return `${Math.floor(left / minute)}:${String(seconds).padStart(2, '0')}`;
}

/** How long ago: "just now", "5 min ago", "3 h ago", "2 d ago". */
export function describeAge(at: number, now: number): string {
  const age = now - at;
  if (age < minute) return 'just now';
  if (age < hour) return `${Math.floor(age / minute)} min ago`;
  if (age < day) return `${Math.floor(age / hour)} h ago`;
  return `${Math.floor(age / day)} d ago`;
}

/** "in 3 h 58 min", "in 12 min", or how long ago. Milliseconds. */
export function describeWhen(at: number, now: number): string {
  const left = at - now;
  if (left <= 0) return describeAge(at, now);
  return `in ${left >= hour ? describeTimeLeft(at, now) : `${Math.ceil(left / minute)} min`}`;
}

/** The moment itself, with its time zone: "21 Nov 2026, 14:05:09 GMT+1". */
export const describeMoment = (at: number, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'long',
    ...(timeZone !== undefined && { timeZone }),
  }).format(at);

function joined(left: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((left % large) / small);
  return `${Math.floor(left / large)} ${largeName}${rest > 0 ? ` ${rest} ${smallName}` : ''}`;
}
