import { Problem } from '#platform/model/problem';
import type { UserId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { isAdministrator } from '#people/directory/contract/permission';
import { userOfRequester, type Directory } from '#policies/document/rules/directory';
import type { ElicitationRow } from '#requests/state/store/row';
import type { Engine } from '#platform/nodes/verbs/engine';
import { policyTerms, against, permission } from '#requests/state/verbs/permissions';
import { requestersOf } from '#requests/asking/verbs/requester';
import { openQuestion } from '#requests/asking/verbs/question';
import type { NotificationChannel, NotificationKind } from '../contract/notification.ts';
import type { NotifyTerms } from '#policies/terms/notify';
import type { Notice, PlannedNotice } from '../store.ts';
import { currentStage } from '#requests/machine/rules/machine';
import { firstOf } from '#requests/voting/contract/stages';
import { builtInPolicy } from '#policies/document/rules/verdict';

/**
 * Facts that decide who is notified of the request now; null for a request that was erased or is sealed under a missing key: it
 * is announced to no one and blocks no other.
 */
export function noticeFacts(
  engine: Pick<Engine, 'ring' | 'environment'>,
  directory: Directory,
  row: ElicitationRow,
): NoticeFacts | null {
  try {
    const requesters = requestersOf(engine, row, { directory });
    const { requester } = openQuestion(engine.ring, row);
    return {
      row,
      notify: policyTerms(engine, row).notify,
      ...recipientsIn(directory),
      requesters,
      requester: userOfRequester(directory, requester)?.id ?? null,
      owner: directory.servers.find(({ name }) => name === row.serverName)?.ownerId ?? null,
    };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

type Recipients = Pick<NoticeFacts, 'people' | 'administrators'>;
const cachedRecipients = new WeakMap<Directory, Recipients>();

/** Recipients in the directory, cached because every request needs them and people seldom change. */
function recipientsIn(directory: Directory): Recipients {
  const recipients = cachedRecipients.get(directory) ?? readRecipients(peopleIn(directory));
  cachedRecipients.set(directory, recipients);
  return recipients;
}

const readRecipients = (people: readonly User[]): Recipients => ({
  people: new Map(people.map((user) => [user.id, user])),
  administrators: people.filter(isAdministrator).map(({ id }) => id),
});

/** All people who can be notified. */
export const peopleIn = ({ users }: Directory): User[] =>
  users.map(({ id, email, name, role, permissions }) => ({
    kind: 'user',
    id: id as UserId,
    email,
    name,
    role,
    permissions,
  }));

interface NoticeFacts {
  row: ElicitationRow;
  /** Policy's terms of notifying approvers. */
  notify: NotifyTerms | null;
  /** All people who can be notified, by id. */
  people: ReadonlyMap<string, User>;
  /** Ids of the people who are or may be the requester. */
  requesters: ReadonlySet<string>;
  /** The certain requester; null if unknown. */
  requester: string | null;
  /** Owner of the asking server; null for none. */
  owner: string | null;
  administrators: readonly string[];
}

/** Notice for one person; an urgent one waits for no quiet hours and no digest, unless the person chose so. */
export type PersonalNotice = Notice & { user: string; isUrgent: boolean };

/**
 * Due notices about the request, with their places. People are notified of each stage once, a bounded number at a time. A
 * reminder is for people who were already notified of their stage.
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

/** Due events for outside programs, which get every request that waits or waited for people. */
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

/** Is this still true for this person, and theirs to know? Checked again when it is sent. */
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

/** Did it wait for people and end other than by withdrawal? */
const isDecided = (row: ElicitationRow): boolean => hasEnded(row) && row.status !== 'cancelled';

/** Did it wait for people, without a decision? */
const isUndecided = (row: ElicitationRow): boolean => hasEnded(row) && row.status === 'expired';

/** Did it wait for people and end? A policy's decision ends a request when it opens. */
const hasEnded = ({ status, openedAt, closedAt }: ElicitationRow): boolean =>
  status !== 'open' && closedAt !== null && closedAt > openedAt;

/** Turn of a request; an edit begins all stages again. */
const turnOf = ({ revision, state }: ElicitationRow): string => `${revision}.${state.context.stage}`;

/** Place of one person: their address, or one of their browsers. */
export interface Place extends Pick<Notice, 'channel' | 'target'> {
  user: string;
}

/** Places of each person, by id; no one else is in it. */
export type WantedPlaces = ReadonlyMap<string, readonly Place[]>;

/**
 * Limit of people notified of a stage at once. Each reminder and each step of an escalation adds as many. A policy may name
 * thousands; everyone who may vote also finds the request in the inbox.
 */
export const maxNotifiedAtOnce = 25;

interface Asked {
  row: Pick<ElicitationRow, 'id' | 'policy' | 'state'>;
  /** Owner of the asking server. */
  owner: string | null;
  administrators: readonly string[];
}

export interface NotificationOrder {
  /** People notified before the others, and alone if they are enough to decide. */
  first: string[];
  others: string[];
  /** Number of required approvals. */
  needed: number;
  /** Steps of an escalation taken so far. */
  steps: number;
}

/**
 * Order of notifications. An escalation turns to the people it brings; a request without a policy turns to the owner of its
 * server and to administrators. The others follow in an order that differs between requests, so that it is not always the same
 * few; it begins at a multiple of the number at once, so that the same people are notified of many requests together.
 */
export function notificationOrder(
  { row, owner, administrators }: Asked,
  everyone: readonly string[],
): NotificationOrder {
  const stage = currentStage(row.state.context);
  const groups = stage?.groups ?? [];
  const steps = (stage?.escalation?.steps ?? []).filter(({ taken }) => taken === true);
  const inCharge = row.policy === builtInPolicy ? [owner, ...administrators] : [];
  const named = groups.some(({ approvers }) => approvers === 'anyone')
    ? everyone
    : [...new Set(groups.flatMap(({ approvers }) => approvers))];
  return {
    first: [...new Set([...steps.flatMap(({ approvers }) => approvers), ...inCharge])].filter((id) => id !== null),
    others: rotate(named, numberOf(row.id)),
    needed: groups.reduce((sum, { approve }) => sum + approve, 0),
    steps: steps.length,
  };
}

interface Room {
  /** People already notified of the stage. */
  notified: ReadonlySet<string>;
  /** Number of planned reminders. */
  reminders: number;
  /** Does it concern them, and do they want notifications? */
  canBeNotified(user: string): boolean;
}

/** The next people, in this order, that fit. */
export function choosePeople({ first, others, needed, steps }: NotificationOrder, room: Room): string[] {
  const { notified, reminders, canBeNotified } = room;
  const isNext = (user: string): boolean => !notified.has(user) && canBeNotified(user);
  const max = maxNotifiedAtOnce * (1 + reminders + steps) - notified.size;
  const next = firstOf(first, max, isNext);
  const able = first.filter((user) => notified.has(user)).length + next.length;
  if (able > 0 && able >= needed && reminders === 0) return next;
  return [...next, ...firstOf(others, max - next.length, (user) => !first.includes(user) && isNext(user))];
}

const rotate = (ids: readonly string[], by: number): string[] => {
  const start = maxNotifiedAtOnce * (by % Math.max(1, Math.ceil(ids.length / maxNotifiedAtOnce)));
  return [...ids.slice(start), ...ids.slice(0, start)];
};

/** Hash of an id, the same at every node. */
const numberOf = (id: string): number => [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
