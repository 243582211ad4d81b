/** How the members of a group are confirmed. Times are milliseconds since 1970. */
export interface GroupConfirmation {
  /** Someone confirms them every so many days. */
  days: number;
  /** When they were last confirmed, or when it was first asked for. */
  confirmedAt: number;
  /** Set when the owners were warned: members who are not confirmed by then leave the group. */
  lapsesAt: number | null;
}

export const maxConfirmDays = 730;

const day = 86_400_000;

/** How long before members leave their owners are warned, at least: two weeks, or half of a shorter interval. */
const warningTime = (days: number): number => Math.min(14 * day, (days * day) / 2);

/** When they must be confirmed again. */
export const confirmationDue = ({ days, confirmedAt }: GroupConfirmation): number => confirmedAt + days * day;

/**
 * What time makes of it: the owners are warned, with the time at which members leave, or the members leave. No one leaves
 * who was not warned of for the whole warning time, however long no node ran.
 */
export function confirmationStep(
  confirmation: GroupConfirmation,
  now: number,
): { type: 'warn'; lapsesAt: number } | { type: 'lapse' } | null {
  const { days, lapsesAt } = confirmation;
  if (lapsesAt !== null) return lapsesAt <= now ? { type: 'lapse' } : null;
  const due = confirmationDue(confirmation);
  const warning = warningTime(days);
  return due - warning <= now ? { type: 'warn', lapsesAt: Math.max(due, now + warning) } : null;
}
