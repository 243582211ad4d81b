import type { NotificationSettings } from '../../contract/notification/notification-settings.ts';
import { afterQuietHours } from '#policies/deciding/rules/decide/quiet-hours';

const hour = 3_600_000;
/** All of the day but the minute of nine in the morning. */
const exceptNine = { from: 541, until: 540 };

/** When a person is notified of something from `at`: with their digest, outside their quiet hours. */
export function dueTime(at: number, { digest, quiet, timeZone }: NotificationSettings): number {
  const due = digest === 'daily' ? afterQuietHours(at, { ...exceptNine, timeZone }) : at;
  const full = digest === 'hourly' ? Math.ceil(due / hour) * hour : due;
  return quiet ? afterQuietHours(full, { ...quiet, timeZone }) : full;
}
