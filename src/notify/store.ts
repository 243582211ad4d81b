import type { UserId, ElicitationId, NotificationId } from '#platform/model/id';
import {
  digests,
  defaultNotifications,
  type NotificationSettings,
  type NotificationChannel,
  type NotificationKind,
  type NotificationState,
} from './contract/notification.ts';
import { chooseLanguage } from '#platform/text/language';
import { type Database, inBatches } from '#platform/database/database';
import { Prisma, type Notification as NotificationRow } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { SealedEntry } from '#audit/entries/rules/evidence';
import { entryJson, insertEntries, type Ledger } from '#audit/entries/store/entries';
import type { NotificationQuery } from './webhooks/contract/webhooks.ts';

/** Notification settings of people. */
const createNotificationSettings = ({ prisma }: Pick<Database, 'prisma'>) => ({
  /** Settings of each of these people; the defaults for a person without any. */
  async settingsOf(users: readonly string[]): Promise<Map<string, NotificationSettings>> {
    if (users.length === 0) return new Map();
    const rows = await prisma.notificationSetting.findMany({ where: { userId: { in: [...users] } } });
    const stored = rows.map(({ userId, email, language, timeZone, quietFrom, quietUntil, digest, urgent }) => {
      const quiet = quietFrom === null || quietUntil === null ? null : { from: quietFrom, until: quietUntil };
      const parts = { language: chooseLanguage([language]), digest: digests.find((word) => word === digest) ?? 'none' };
      return [userId, { email, timeZone, quiet, urgent, ...parts }] as const;
    });
    return new Map([...users.map((id) => [id, defaultNotifications] as const), ...stored]);
  },
  /** People who want no mail. */
  async withoutMail(): Promise<Set<string>> {
    const where = { email: false, userId: { gt: '' } }; // by its index
    const rows = await prisma.notificationSetting.findMany({ where, select: { userId: true } });
    return new Set(rows.map(({ userId }) => userId));
  },
  async saveSettings(userId: UserId, { quiet, ...settings }: NotificationSettings) {
    const data = { ...settings, quietFrom: quiet?.from ?? null, quietUntil: quiet?.until ?? null };
    await prisma.notificationSetting.upsert({ where: { userId }, create: { userId, ...data }, update: data });
  },
});

type SettingsOfPeople = ReturnType<typeof createNotificationSettings>;

/** One thing to tell one target. */
export interface Notice {
  /** Null for a notice about no request. */
  elicitationId: ElicitationId | null;
  channel: NotificationChannel;
  target: string;
  kind: NotificationKind;
  /** Distinguishes notices of one kind. */
  occasion: string;
}

export type NewNotification = Notice & { id: NotificationId; dueAt: number };

export type PlannedNotice = Notice & { createdAt: number };

interface Plan {
  node: string;
  from: number;
  to: number;
  at: number;
  notifications: NewNotification[];
}

interface PlanLag {
  changes: number;
  /** Milliseconds since 1970. */
  since: number | null;
  /** End of the node's planning term, unless extended: milliseconds since 1970. */
  heldUntil: number;
}

/** Undelivered mails that were tried more than once, and after which none arrived. */
interface MailFaults {
  mails: number;
  /** Planning time of the first, and the code of the latest failure; null if there is none. */
  since: number | null;
  fault: string | null;
}

/** Progress of planning in the outbox, and planned notifications. */
const createNotificationPlans = ({ prisma, query }: Pick<Database, 'prisma' | 'query'>) => ({
  /** Place to read the outbox from, if this node plans until then; null if another one does. */
  async hold(node: string, now: number, until: number): Promise<number | null> {
    const [reader] = await prisma.$queryRaw<{ place: number }[]>`
      UPDATE outbox_reader SET holder = ${node}, held_until = ${new Date(until)}
       WHERE name = 'notifications' AND (holder = ${node} OR held_until <= ${new Date(now)}) RETURNING place::float8`;
    return reader?.place ?? null;
  },
  /** Number of changes to be planned, and waiting time of the first; null if there is none. */
  async lag(): Promise<PlanLag> {
    const [lag] = await query<PlanLag>(Prisma.sql`
      SELECT ((SELECT place FROM outbox_head WHERE id = 1) - r.place)::int AS changes,
        (SELECT (extract(epoch FROM at) * 1000)::float8 FROM outbox o WHERE o.place > r.place ORDER BY o.place LIMIT 1)
          AS since,
        (extract(epoch FROM held_until) * 1000)::float8 AS "heldUntil"
        FROM outbox_reader r WHERE name = 'notifications'`);
    return lag ?? { changes: 0, since: null, heldUntil: 0 };
  },
  /** Faults of mails planned from then on. */
  mailFaults: (from: number): Promise<MailFaults> => readMailFaults(query, from),
  /** Notices planned for these requests. */
  planned: (ids: ElicitationId[]): Promise<PlannedNotice[]> =>
    prisma.$queryRaw`
      SELECT elicitation_id AS "elicitationId", channel, target, kind, occasion,
        (extract(epoch FROM created_at) * 1000)::float8 AS "createdAt"
        FROM notification WHERE elicitation_id = ANY(${ids})`,
  /**
   * Stores the notifications and moves the place, in one commit. Does nothing if another node has moved it, and leaves out
   * earlier ones.
   */
  async commit({ node, from, to, at, notifications }: Plan) {
    await prisma.$executeRaw`
      WITH moved AS (
        UPDATE outbox_reader SET place = ${to}
         WHERE name = 'notifications' AND holder = ${node} AND place = ${from} RETURNING name
      )
      INSERT INTO notification (id, elicitation_id, channel, target, kind, occasion, created_at, due_at)
      SELECT n.id, n."elicitationId", n.channel, n.target, n.kind, n.occasion, ${new Date(at)},
        to_timestamp(n."dueAt" / 1000.0)
        FROM moved, jsonb_to_recordset(${JSON.stringify(notifications)}::jsonb) AS n(
          id text, "elicitationId" text, channel text, target text, kind text, occasion text, "dueAt" bigint)
      ON CONFLICT DO NOTHING`;
  },
  /** Stores the new ones among these. */
  async add(notifications: NewNotification[], at: number) {
    const data = notifications.map(({ dueAt, ...rest }) => ({
      ...rest,
      createdAt: new Date(at),
      dueAt: new Date(dueAt),
    }));
    await prisma.notification.createMany({ data, skipDuplicates: true });
  },
});

type NotificationPlans = ReturnType<typeof createNotificationPlans>;

/**
 * Reads mail faults; looks for the latest arrival only if there are some: it may be far back among other channels'
 * notifications.
 */
async function readMailFaults(query: Database['query'], from: number): Promise<MailFaults> {
  const faults = await mailFaultsAfter(query, from);
  if (faults.mails === 0) return faults;
  const [latest] = await query<{ at: number }>(Prisma.sql`
    SELECT (extract(epoch FROM settled_at) * 1000)::float8 AS at FROM notification
     WHERE channel = 'email' AND state = 'sent' AND settled_at > ${new Date(from)} ORDER BY settled_at DESC LIMIT 1`);
  return latest ? mailFaultsAfter(query, latest.at) : faults;
}

/** Faults, read by notification_mail_faults_idx. */
async function mailFaultsAfter(query: Database['query'], from: number): Promise<MailFaults> {
  const [faults] = await query<MailFaults>(Prisma.sql`
    SELECT count(*)::int AS mails, (extract(epoch FROM min(created_at)) * 1000)::float8 AS since,
      (array_agg(fault ORDER BY created_at DESC))[1] AS fault
      FROM notification
     WHERE channel = 'email' AND failures > 1 AND state IN ('due', 'failed') AND created_at > ${new Date(from)}`);
  return faults ?? { mails: 0, since: null, fault: null };
}

interface StoredNotification {
  id: NotificationId;
  /** Null for a notice about no request. */
  elicitationId: ElicitationId | null;
  channel: NotificationChannel;
  target: string;
  kind: NotificationKind;
  state: NotificationState;
  /** Milliseconds since 1970, like all times here. */
  createdAt: number;
  dueAt: number;
  settledAt: number | null;
  failures: number;
  /** The code of the last failure. */
  fault: string | null;
}

/** A due notification that this node has leased until `dueAt`. */
export type TakenNotification = Omit<StoredNotification, 'state' | 'settledAt'> & Pick<Notice, 'occasion'>;

/**
 * Choice of this channel's due notifications, without skipped targets; with `isBatched`, all due ones for the targets of any.
 */
interface DueChoice {
  channel: NotificationChannel;
  skipped?: string[];
  isBatched?: boolean;
}

/** Limit of notifications taken at once for the same targets. */
const maxTogether = 1_000;

/** Notifications to people. The requests are the authority. */
export type Notifications = ReturnType<typeof createDeliveries> &
  ReturnType<typeof createNotificationList> &
  NotificationPlans &
  SettingsOfPeople;

export const createNotifications = (ledger: Ledger): Notifications => ({
  ...createDeliveries(ledger),
  ...createNotificationList(ledger),
  ...createNotificationPlans(ledger),
  ...createNotificationSettings(ledger),
});

const createDeliveries = ({ prisma, evidence }: Ledger) => ({
  /**
   * Takes due ones of this channel, up to `limit`, and with `isBatched` all others due for their targets. Other nodes skip them
   * until `lease`, after which they are due again if this node has died.
   */
  async take(
    { channel, skipped = [], isBatched = false }: DueChoice,
    now: number,
    lease: number,
    limit: number,
  ): Promise<TakenNotification[]> {
    const isDue = Prisma.sql`state = 'due' AND channel = ${channel} AND due_at <= ${new Date(now)}`;
    const first =
      isBatched || skipped.length === 0
        ? Prisma.sql`
            SELECT id, target FROM notification WHERE ${isDue} AND target <> ALL(${skipped})
             ORDER BY due_at, elicitation_id LIMIT ${limit} FOR UPDATE SKIP LOCKED`
        : dueElsewhere({ channel, skipped, now, limit });
    const rows = await prisma.$queryRaw<TakenRow[]>`
      WITH first AS (${first}
      ), together AS (
        SELECT id FROM notification WHERE ${isBatched} AND ${isDue} AND target IN (SELECT target FROM first)
         LIMIT ${maxTogether} FOR UPDATE SKIP LOCKED
      )
      UPDATE notification SET due_at = ${new Date(lease)}
       WHERE id IN (SELECT id FROM first UNION SELECT id FROM together)
      RETURNING id, elicitation_id, channel, target, kind, occasion, created_at, failures, fault`;
    return rows.map(({ elicitation_id, created_at, ...row }) => ({
      ...row,
      elicitationId: elicitation_id,
      createdAt: created_at.getTime(),
      dueAt: lease,
    }));
  },
  /** Records that nothing was left to send; does nothing, like the next two, if another node has taken it meanwhile. */
  async dismiss(notification: TakenNotification, at: number) {
    const data = { state: 'moot', settledAt: new Date(at) };
    await prisma.notification.updateMany({ where: heldBy(notification), data });
  },
  /**
   * Records with their entry that these were sent; or, with the last fault, given up until someone sends them again. Resolves
   * with false, and records nothing, if another node has taken one of them meanwhile.
   */
  async end(notifications: readonly TakenNotification[], fault: string | null, entry: AuditEntry): Promise<boolean> {
    return (await prisma.$executeRaw(endStatement(notifications, fault, evidence.seal(entry, {})))) > 0;
  },
  /** Records a failure; it is due again at `until`. */
  async postpone(notification: TakenNotification, fault: string, until: number) {
    const data = { dueAt: new Date(until), fault, failures: notification.failures + 1 };
    await prisma.notification.updateMany({ where: heldBy(notification), data });
  },
});

const createNotificationList = ({ prisma }: Pick<Ledger, 'prisma'>) => ({
  /** Makes a test for this person or webhook due. */
  async addTest(id: NotificationId, channel: NotificationChannel, target: string, at: number) {
    const times = { createdAt: new Date(at), dueAt: new Date(at) };
    await prisma.notification.create({ data: { id, channel, target, kind: 'test', occasion: id, ...times } });
  },
  /** Notifications about a request that were sent or given up. */
  async settledAbout(elicitationId: ElicitationId): Promise<StoredNotification[]> {
    const where = { elicitationId, state: { in: ['sent', 'failed'] } };
    return (await prisma.notification.findMany({ where, omit: { occasion: true } })).map(toNotification);
  },
  /** The latest notifications. */
  async list({ state, channel, limit }: NotificationQuery): Promise<StoredNotification[]> {
    const where = { ...(state && { state }), ...(channel && { channel }) };
    const rows = await prisma.notification.findMany({
      where,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit,
      omit: { occasion: true },
    });
    return rows.map(toNotification);
  },
  /** Makes failed ones due again, by id or all; returns how many. */
  async replay(ids: NotificationId[] | 'all', at: number): Promise<number> {
    const where = { state: 'failed', ...(ids !== 'all' && { id: { in: ids } }) };
    const data = { state: 'due', failures: 0, fault: null, settledAt: null, dueAt: new Date(at) };
    return (await prisma.notification.updateMany({ where, data })).count;
  },
  /** Deletes notifications settled before this time. */
  async prune(before: number) {
    await inBatches(
      (max) => prisma.$executeRaw`
        DELETE FROM notification WHERE id IN (
          SELECT id FROM notification WHERE state <> 'due' AND settled_at < ${new Date(before)}
           ORDER BY settled_at LIMIT ${max})`,
    );
  },
});

/**
 * Looks up each place with due notifications separately: of a crowded one, which may have thousands, no row is read. Only for
 * channels with few places.
 */
function dueElsewhere({
  channel,
  skipped,
  now,
  limit,
}: Required<Pick<DueChoice, 'channel' | 'skipped'>> & { now: number; limit: number }): Prisma.Sql {
  const due = Prisma.sql`FROM notification n WHERE state = 'due' AND channel = ${channel}`;
  return Prisma.sql`
    WITH RECURSIVE place(target) AS (
      (SELECT target ${due} ORDER BY target LIMIT 1)
      UNION ALL
      SELECT (SELECT n.target ${due} AND n.target > place.target ORDER BY n.target LIMIT 1)
        FROM place WHERE target IS NOT NULL
    )
    SELECT next.id, place.target FROM place CROSS JOIN LATERAL (
      SELECT id, due_at ${due} AND n.target = place.target AND due_at <= ${new Date(now)}
       ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) next
     WHERE place.target <> ALL(${skipped}) ORDER BY next.due_at LIMIT ${limit}`;
}

const toNotification = ({
  createdAt,
  dueAt,
  settledAt,
  ...row
}: Omit<NotificationRow, 'occasion'>): StoredNotification => ({
  ...(row as Omit<StoredNotification, 'createdAt' | 'dueAt' | 'settledAt'>),
  createdAt: createdAt.getTime(),
  dueAt: dueAt.getTime(),
  settledAt: settledAt?.getTime() ?? null,
});

const endStatement = (
  notifications: readonly TakenNotification[],
  fault: string | null,
  entry: SealedEntry,
): Prisma.Sql => {
  const failed = Prisma.sql`state = 'failed', fault = ${fault}, failures = failures + 1`;
  const ids = notifications.map(({ id }) => id);
  const leases = JSON.stringify(notifications.map(({ id, dueAt }) => ({ id, dueAt })));
  return Prisma.sql`
    WITH locked AS (
      SELECT id, state, due_at FROM notification WHERE id = ANY(${ids}) FOR UPDATE -- no state: by its index all due ones would be read
    ), held AS (
      SELECT id FROM locked JOIN jsonb_to_recordset(${leases}::jsonb) AS t(id text, "dueAt" bigint) USING (id)
       WHERE state = 'due' AND due_at = to_timestamp(t."dueAt" / 1000.0)
    ), ended AS (
      UPDATE notification SET settled_at = ${new Date(entry.at)}, ${fault === null ? Prisma.sql`state = 'sent'` : failed}
       WHERE id IN (SELECT id FROM held) AND (SELECT count(*) FROM held) = ${notifications.length} RETURNING id
    ) ${insertEntries(Prisma.sql`(SELECT FROM ended LIMIT 1) AS change`, entryJson([entry]))}`;
};

/** The lease of a notification; a worker whose lease has ended changes nothing. */
const heldBy = ({ id, dueAt }: TakenNotification) => ({ id, state: 'due', dueAt: new Date(dueAt) });

interface TakenRow extends Omit<TakenNotification, 'elicitationId' | 'createdAt' | 'dueAt'> {
  elicitation_id: ElicitationId | null;
  created_at: Date;
}
