import { newId } from '#platform/crypto/random';
import type { NewNotification, Notice, PlannedNotice } from '../store.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import {
  type Place,
  type WantedPlaces,
  type PersonalNotice,
  noticeFacts,
  planEvents,
  planNotices,
  peopleIn,
} from './plan-notices.ts';
import { inTurn } from '#platform/crypto/in-turns';
import type { Directory } from '#policies/document/rules/directory';
import type { ElicitationId, WebhookId, UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { OutboxEvent } from '#requests/asking/store/opening';
import { provenRow } from '#requests/state/verbs/proven-row';
import type { NotificationKind, NotificationSettings } from '../contract/notification.ts';
import { isAdministrator } from '#people/directory/contract/permission';
import { policyPin } from '#policies/contract/policy';
import type { User } from '#people/directory/contract/user';
import { revealAsText } from '#platform/text/visible-text';
import { mayReview } from '#policies/verbs/simulate';
import { confirmersOf, groupsDue } from '#people/groups/verbs';
import { keysToRotate } from '#access/keys/verbs/keys';
import { afterQuietHours } from '#policies/deciding/rules/decide';

/** Places in which people can be notified. */
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

async function wantedPlaces(
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

/**
 * Leaves out people who want no notifications, and delays notices to each one's own time. Programs get them at once, and so do
 * people for urgent ones, if they allow it.
 */
async function inTheirTime(
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

type PlanningEngine = Pick<
  Engine,
  | 'notifications'
  | 'webhooks'
  | 'devices'
  | 'outbox'
  | 'feed'
  | 'reader'
  | 'ring'
  | 'rules'
  | 'environment'
  | 'now'
  | 'sendsMails'
>;

/** Called with a request whose notifications cannot be planned, and the error. */
type OnSetAside = (elicitation: ElicitationId, error: unknown) => void;

/** Milliseconds for which one node plans, unless extended. */
const term = 10_000;
/** Requests planned in one commit. */
const maxPart = 50;

/**
 * Reads changes since the last call, and plans their notifications. One of all nodes does so; if it dies, another continues
 * from the same place. Each part is a separate commit, and a request that cannot be planned is set aside.
 */
export function createPlanner(engine: PlanningEngine, node: string, onSetAside: OnSetAside) {
  let hasNews = true; // since the last node stopped
  const limit = createPersonLimiter();
  const read = async (): Promise<boolean> => {
    const { notifications, outbox, now } = engine;
    const hold = (at: number) => notifications.hold(node, at, at + term);
    const from = await hold(now());
    if (from === null) return true; // the other node may die before it has planned
    const events = await outbox.readFrom(from);
    if (events.length === 0) return false;
    const targets = await readTargets(engine);
    let place = from;
    for (const part of parts(events)) {
      const at = now();
      if ((await hold(at)) !== place) return true;
      const planned = limit(await plan(engine, targets, part.ids, { at, onSetAside }), at);
      await notifications.commit({ node, from: place, to: part.to, at, notifications: planned });
      place = part.to;
    }
    return true; // there may be more
  };
  const stop = engine.feed.onChange(() => (hasNews = true));
  return {
    stop,
    /** Plans new changes; false if there were none. Reads nothing from the database if there is no news. */
    async plan(): Promise<boolean> {
      if (!hasNews) return false;
      hasNews = false; // a change during the reading asks for another one
      const isUnread = await read().catch((error: unknown) => {
        hasNews = true;
        throw error;
      });
      hasNews ||= isUnread;
      return isUnread;
    },
  };
}

interface Part {
  ids: ElicitationId[];
  /** The place of its last event. */
  to: number;
}

/** Cuts events into parts of a bounded number of requests. */
export function parts(events: readonly OutboxEvent[]): Part[] {
  const done: Part[] = [];
  let ids = new Set<ElicitationId>();
  for (const [at, { elicitationId, place }] of events.entries()) {
    ids.add(elicitationId);
    const next = events[at + 1];
    if (next && (ids.size < maxPart || ids.has(next.elicitationId))) continue;
    done.push({ ids: [...ids], to: place });
    ids = new Set();
  }
  return done;
}

interface Targets {
  webhooks: WebhookId[];
  places: WantedPlaces;
}

const readTargets = async (engine: PlanningEngine): Promise<Targets> => ({
  webhooks: (await engine.webhooks.list()).map(({ id }) => id),
  places: await wantedPlaces(engine),
});

async function plan(
  engine: PlanningEngine,
  targets: Targets,
  ids: ElicitationId[],
  { at, onSetAside }: { at: number; onSetAside: OnSetAside },
): Promise<NewNotification[]> {
  if (targets.webhooks.length === 0 && targets.places.size === 0) return []; // no row is read without recipients
  const before = await engine.notifications.planned(ids);
  const directory = targets.places.size > 0 ? (await engine.rules.users()).directory : null;
  const notices = await Promise.all(
    ids.map((id) =>
      planRequest(
        engine,
        { ...targets, directory },
        id,
        before.filter(({ elicitationId }) => elicitationId === id),
      ).catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'database-unavailable') throw error;
        onSetAside(id, error);
        return [];
      }),
    ),
  );
  return inTheirTime(engine, notices.flat(), at);
}

async function planRequest(
  engine: PlanningEngine,
  { webhooks, places, directory }: Targets & { directory: Directory | null },
  id: ElicitationId,
  planned: readonly PlannedNotice[],
) {
  const row = await provenRow(engine, id);
  if (!row) return [];
  return inTurn(() => {
    const facts = directory && noticeFacts(engine, directory, row);
    return [...(facts ? planNotices(facts, places, planned) : []), ...planEvents(row, webhooks, planned)];
  });
}

export type NewsKind = Extract<NotificationKind, 'review' | 'key' | 'tool' | 'members' | 'report'>;

/** News about no request. */
interface News {
  kind: NewsKind;
  /**
   * The version of the policy, the id of the key, the tool and the digest of its new definition, the group and the time its
   * members leave, or the request and whether it had ended.
   */
  occasion: string;
  /** Name of the subject: the version, the server, the tool, or the group. */
  subject: string;
  /** Path in the console. */
  path: string;
}

/** Sources of news. */
export type NewsSource = 'callbackReports' | 'policies' | 'servers' | 'serverTools' | 'directory' | 'rules' | 'now';

type NewsEngine = Pick<Engine, NewsSource | 'notifications' | 'devices' | 'sendsMails' | 'users'>;

/**
 * Makes news due: a policy waits for a person's review, a key of their server expires soon, one of its tools differs from its
 * accepted definition, a service reported a result that no call got, or members of a group leave soon. Each is stored once, so
 * any number of nodes may do so at once.
 */
export async function planNews(engine: NewsEngine): Promise<void> {
  const { directory } = await engine.rules.users();
  const people = peopleIn(directory);
  const news = await readNews(engine);
  const addressed = news.flatMap((item) =>
    people.filter((user) => item.isFor(user)).map((user) => ({ ...item, user })),
  );
  if (addressed.length === 0) return;
  const places = await placesOf(engine);
  const notices = addressed.flatMap(({ user: { id }, kind, occasion }) =>
    places.filter((place) => place.user === id).map((place) => ({ ...place, elicitationId: null, kind, occasion })),
  );
  const at = engine.now();
  await engine.notifications.add(await inTheirTime(engine, notices, at), at);
}

/** The news of this kind and occasion, if still true and this person's to know; otherwise null. */
export async function newsFor(
  engine: Pick<NewsEngine, NewsSource | 'users'>,
  id: UserId,
  { kind, occasion }: Pick<News, 'occasion'> & { kind: string },
): Promise<News | null> {
  const user = await engine.users.byId(id);
  const news = await readNews(engine);
  const item = news.find((item) => item.kind === kind && item.occasion === occasion);
  return user && item?.isFor(user) ? item : null;
}

/** Milliseconds for which an unclaimed report is news: a week, as it is a warning. */
const reportsFor = 604_800_000;

type AddressedNews = News & { isFor(user: User): boolean };

async function readNews(engine: Pick<NewsEngine, NewsSource>): Promise<AddressedNews[]> {
  const users = await engine.rules.users();
  const { directory } = users;
  const versions = await engine.policies.inReview();
  const { expiring: keys } = await keysToRotate(engine);
  const tools = await engine.serverTools.changed();
  const record = await engine.directory.read();
  const reports = await engine.callbackReports.untaken(engine.now() - reportsFor);
  const ownerOf = (name: string) => directory.servers.find((server) => server.name === name)?.ownerId ?? null;
  return [
    ...versions.map((version) => {
      const pin = policyPin(version.name, version.version);
      const path = `/policies/${encodeURIComponent(version.name)}`;
      const isFor = (user: User) => mayReview(users, user, version, directory.accounts);
      return { kind: 'review', occasion: pin, subject: pin, path, isFor } as const;
    }),
    ...keys.map(({ kid, server: { name } }) => {
      const isFor = (user: User) => user.id === ownerOf(name);
      return { kind: 'key', occasion: kid, subject: name, path: '/settings/servers', isFor } as const;
    }),
    ...tools.map(({ server, serverName, tool, changed }) => {
      const isFor = (user: User) => user.id === ownerOf(serverName);
      const subject = `${revealAsText(tool)} (${serverName})`;
      return {
        kind: 'tool',
        occasion: `${server} ${tool} ${changed}`,
        subject,
        path: `/settings/servers/${server}`,
        isFor,
      } as const;
    }),
    ...reports.map(({ elicitation, tool, serverName, isLate }) => {
      const owner = ownerOf(serverName);
      const isFor = (user: User) => (owner === null ? isAdministrator(user) : user.id === owner);
      const occasion = `${elicitation} ${isLate ? 'late' : 'unfit'}`;
      const subject = `${revealAsText(tool)} (${serverName})`;
      return { kind: 'report', occasion, subject, path: `/requests/${elicitation}`, isFor } as const;
    }),
    ...groupsDue(record).map((group) => {
      const confirmers = confirmersOf(record, group);
      const isFor = (user: User) => confirmers.includes(user.id);
      const occasion = `${group.id} ${group.lapsesAt}`;
      return { kind: 'members', occasion, subject: group.name, path: `/settings/groups/${group.id}`, isFor } as const;
    }),
  ];
}

/** Age of the oldest change not yet notified, in ms; 0 if there is none, or if no node plans: then waiting is pointless. */
export async function planningLagMs({ notifications, now }: Pick<Engine, 'notifications' | 'now'>): Promise<number> {
  const [{ since, heldUntil }, at] = [await notifications.lag(), now()];
  return since === null || heldUntil <= at ? 0 : at - since;
}

/** Limit of separate notifications to a person in a minute, in each place; more come together in the next. */
export const maxEachMinute = 10;

const minuteMs = 60_000;

type PersonLimiter = (notifications: readonly NewNotification[], at: number) => NewNotification[];

/** Postpones surplus notifications of a person to the next full minute; programs get all at once. */
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

const hour = 3_600_000;
/** Quiet hours of a daily digest: all of the day but the minute of nine in the morning. */
const exceptNine = { from: 541, until: 540 };

/** Time of a notification from `at`: with the person's digest, outside their quiet hours. */
export function dueTime(at: number, { digest, quiet, timeZone }: NotificationSettings): number {
  const due = digest === 'daily' ? afterQuietHours(at, { ...exceptNine, timeZone }) : at;
  const full = digest === 'hourly' ? Math.ceil(due / hour) * hour : due;
  return quiet ? afterQuietHours(full, { ...quiet, timeZone }) : full;
}
