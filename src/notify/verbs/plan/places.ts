import { newId } from '#platform/crypto/random/random';
import type { NewNotification, Notice } from '../../store/notification-plans.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { dueTime } from './due-time.ts';
import type { Place, WantedPlaces } from '../plan-notices/place.ts';
import type { PersonalNotice } from '../plan-notices/plan-notices.ts';

/** Where people can be notified. */
export async function placesOf({
  devices,
  rules,
  sendsMails,
}: Pick<Engine, 'devices' | 'rules' | 'sendsMails'>): Promise<Place[]> {
  const { users } = sendsMails ? (await rules.users()).directory : { users: [] };
  return [
    ...users.map(({ id }) => ({ channel: 'email' as const, target: id, user: id })),
    ...(await devices.list()).map(({ id, userId }) => ({ channel: 'push' as const, target: id, user: userId })),
  ];
}

export async function wantedPlaces(
  engine: Pick<Engine, 'devices' | 'rules' | 'sendsMails' | 'notifications'>,
): Promise<WantedPlaces> {
  const places = await placesOf(engine);
  const withoutMail = await engine.notifications.withoutMail();
  const placesByUser = new Map<string, Place[]>();
  for (const place of places) {
    if (place.channel === 'email' && withoutMail.has(place.user)) continue;
    const others = placesByUser.get(place.user);
    if (others) others.push(place);
    else placesByUser.set(place.user, [place]);
  }
  return placesByUser;
}

/** Leaves out those who do not want to be told, and waits for everyone's own time. Programs are told at once, and so
 * are people of what is urgent, if they let it. */
export async function inTheirTime(
  engine: Pick<Engine, 'notifications'>,
  notices: (Notice & Partial<Pick<PersonalNotice, 'user' | 'isUrgent'>>)[],
  at: number,
): Promise<NewNotification[]> {
  const people = notices.flatMap(({ user }) => (user === undefined ? [] : [user]));
  const settings = await engine.notifications.settingsOf([...new Set(people)]);
  return notices.flatMap(({ user, isUrgent, ...notice }) => {
    const wish = settings.get(user ?? '');
    const dueAt = wish && !(isUrgent && wish.urgent) ? dueTime(at, wish) : at;
    return wish && notice.channel === 'email' && !wish.email ? [] : [{ ...notice, id: newId('notification'), dueAt }];
  });
}
