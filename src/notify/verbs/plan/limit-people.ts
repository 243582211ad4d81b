import type { NewNotification } from '../../store/notification-plans.ts';

/** How many notifications a person gets one by one in a minute, in each place; what is more comes together in the next. */
export const maxEachMinute = 10;

const minuteMs = 60_000;

type PersonLimiter = (notifications: readonly NewNotification[], at: number) => NewNotification[];

/** Postpones to the next full minute what would be too much for a person in this one; programs get everything at once. */
export function createPersonLimiter(): PersonLimiter {
  let minute = 0;
  const counts = new Map<string, number>();
  return (notifications, at) => {
    const now = Math.floor(at / minuteMs);
    if (now !== minute) counts.clear();
    minute = now;
    return notifications.map((notification) => {
      const { channel, target, dueAt } = notification;
      if (channel === 'webhook' || dueAt > at) return notification;
      const place = `${channel} ${target}`;
      const count = (counts.get(place) ?? 0) + 1;
      counts.set(place, count);
      return count > maxEachMinute ? { ...notification, dueAt: (now + 1) * minuteMs } : notification;
    });
  };
}
