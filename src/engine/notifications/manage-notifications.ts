import { newId } from '../../crypto/random.ts';
import type { NotificationId, UserId } from '../../model/id.ts';
import type { NotificationState } from '../../model/notifications/notification.ts';
import { Problem } from '../../model/problem.ts';
import type { StoredNotification } from '../../store/notifications/notifications.ts';
import type { Engine } from '../engine.ts';

type NotifyingEngine = Pick<Engine, 'notifications' | 'users' | 'now'>;

/** A notification, with whom it is for. */
export interface ShownNotification extends Omit<StoredNotification, 'target'> {
  to: { id: string; name: string };
}

/** Notifications shown at most. */
const most = 500;

/** The latest notifications, in this state if one is given. They hold no content of a request. */
export async function listNotifications(
  { notifications, users }: NotifyingEngine,
  state: NotificationState | null,
): Promise<ShownNotification[]> {
  const stored = await notifications.list(state, most);
  const names = await users.names(stored.map(({ target }) => target));
  return stored.map(({ target, ...rest }) => ({ ...rest, to: { id: target, name: names.get(target) ?? '' } }));
}

/** Sends failed notifications again, by id or all; returns how many. What no longer applies is not sent. */
export async function replayNotifications(
  { notifications, now }: NotifyingEngine,
  ids: NotificationId[] | 'all',
): Promise<number> {
  const count = await notifications.replay(ids, now());
  if (ids !== 'all' && count === 0)
    throw new Problem('not-found', { detail: 'Check the ids: none of them is a failed notification.' });
  return count;
}

/** Makes a test to this person due, which goes the same way as every notification. */
export async function testNotification({ notifications, now }: NotifyingEngine, user: UserId): Promise<NotificationId> {
  const id = newId('notification');
  await notifications.addTest(id, 'email', user, now());
  return id;
}
