import type { NotificationChannel, NotificationKind } from '../../contract/notification/notification.ts';
import type { User } from '#people/directory/contract/user';
import type { NotifyTerms } from '#policies/terms/notify';
import type { ElicitationRow } from '#requests/state/store/row/row';
import type { Notice, PlannedNotice } from '../../store/notification-plans.ts';
import { against, permission } from '#requests/state/verbs/permissions/permissions';
import { choosePeople, notificationOrder } from './choose-people.ts';
import type { WantedPlaces } from './place.ts';

export interface NoticeFacts {
  row: ElicitationRow;
  /** How its policy has approvers notified. */
  notify: NotifyTerms | null;
  /** Everyone who can be told, by their id. */
  people: ReadonlyMap<string, User>;
  /** Ids of the people who are or may be the requester. */
  requesters: ReadonlySet<string>;
  /** The one person whom the requester surely is; null if that is not known. */
  requester: string | null;
  /** The owner of the server that asked; null for none. */
  owner: string | null;
  administrators: readonly string[];
}

/** What to tell one person; what is urgent waits for no quiet hours and no digest, unless they have said so. */
export type PersonalNotice = Notice & { user: string; isUrgent: boolean };

/**
 * The notices that are due about the request now, and where. People are notified of each stage once, a bounded number of
 * them at a time. A reminder is for those who were notified of their stage before it.
 */
export function planNotices(
  facts: NoticeFacts,
  places: WantedPlaces,
  planned: readonly PlannedNotice[],
): PersonalNotice[] {
  const isUrgent = (kind: NotificationKind): boolean => facts.notify?.urgent === true && isForApprovers(kind);
  return peopleToTell(facts, places, planned).flatMap((user) =>
    (places.get(user) ?? []).flatMap(({ channel, target }) =>
      noticesFor({ channel, target }, facts.row, planned, (kind) => appliesTo(facts, user, kind, channel)).map(
        (notice) => ({ ...notice, user, isUrgent: isUrgent(notice.kind) }),
      ),
    ),
  );
}

function peopleToTell(facts: NoticeFacts, places: WantedPlaces, planned: readonly PlannedNotice[]): string[] {
  const { row, requester, owner } = facts;
  if (hasEnded(row)) return [...new Set([requester, owner])].filter((id) => id !== null);
  const turns = planned.filter(({ kind, occasion }) => kind === 'turn' && occasion === turnOf(row));
  const targets = new Set(turns.map(({ target }) => target));
  const notifiedPlaces =
    targets.size === 0 ? [] : [...places].filter(([, its]) => its.some(({ target }) => targets.has(target)));
  const informed = new Set(notifiedPlaces.map(([user]) => user));
  const canBeNotified = (user: string): boolean =>
    (places.get(user) ?? []).some(({ channel }) => appliesTo(facts, user, 'turn', channel));
  const reminders = new Set(planned.filter(({ kind }) => kind === 'reminder').map(({ occasion }) => occasion));
  const order = notificationOrder(facts, [...places.keys()]);
  return [...informed, ...choosePeople(order, { notified: informed, reminders: reminders.size, canBeNotified })];
}

/** The same for programs outside, which are told of every request that waits or waited for people. */
export const planEvents = (
  row: ElicitationRow,
  webhooks: readonly string[],
  planned: readonly PlannedNotice[],
): Notice[] => {
  if (row.audience !== 'approvers') return [];
  const applies = (kind: NotificationKind): boolean => (kind === 'outcome' ? hasEnded(row) : row.status === 'open');
  return webhooks.flatMap((target) => noticesFor({ channel: 'webhook', target }, row, planned, applies));
};

function noticesFor(
  to: Pick<Notice, 'channel' | 'target'>,
  row: ElicitationRow,
  planned: readonly PlannedNotice[],
  applies: (kind: NotificationKind) => boolean,
): Notice[] {
  const target = { elicitationId: row.id, ...to };
  if (applies('outcome')) return [{ ...target, kind: 'outcome', occasion: row.status }];
  if (!applies('turn')) return [];
  const turn = { ...target, kind: 'turn', occasion: turnOf(row) } as const;
  const earlier = planned.find(
    (notice) =>
      notice.channel === to.channel &&
      notice.target === to.target &&
      notice.kind === 'turn' &&
      notice.occasion === turn.occasion,
  );
  if (!earlier) return [turn];
  const { remindedAt = 0 } = row.state.context;
  return earlier.createdAt < remindedAt ? [{ ...target, kind: 'reminder', occasion: String(remindedAt) }] : [];
}

/** Is this still true for this person, and theirs to know? Looked at again when it is sent. */
export function appliesTo(
  { row, notify, people, requesters, requester, owner }: NoticeFacts,
  target: string,
  kind: NotificationKind,
  channel: NotificationChannel,
): boolean {
  const user = people.get(target);
  if (!user || row.audience !== 'approvers') return false;
  if (isForApprovers(kind) && notify?.channels && !notify.channels.some((permitted) => permitted === channel))
    return false;
  switch (kind) {
    case 'turn':
    case 'reminder':
      return permission(against.vote(user, row, { requesters })).allowed;
    case 'outcome':
      return (target === requester && isDecided(row)) || (target === owner && isUndecided(row));
    case 'review':
    case 'key':
    case 'tool':
    case 'members':
    case 'report':
    case 'sign-in':
    case 'link':
    case 'test':
      return true;
  }
}

const isForApprovers = (kind: NotificationKind): boolean => kind === 'turn' || kind === 'reminder';

/** Did it wait for people and end otherwise than by being withdrawn? */
const isDecided = (row: ElicitationRow): boolean => hasEnded(row) && row.status !== 'cancelled';

/** Did it wait for people, and no one decided? */
const isUndecided = (row: ElicitationRow): boolean => hasEnded(row) && row.status === 'expired';

/** Did it wait for people and end? What a policy decides ends when it opens. */
const hasEnded = ({ status, openedAt, closedAt }: ElicitationRow): boolean =>
  status !== 'open' && closedAt !== null && closedAt > openedAt;

/** An edit begins all stages again. */
const turnOf = ({ revision, state }: ElicitationRow): string => `${revision}.${state.context.stage}`;
