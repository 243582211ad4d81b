import type { ElicitationId, NotificationId } from '#platform/model/id';
import type {
  NotificationChannel,
  NotificationKind,
  NotificationState,
} from '../contract/notification/notification.ts';
import { Prisma, type Notification as NotificationRow } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { SealedEntry } from '#audit/entries/rules/evidence';
import { inBatches } from '#platform/database/database/in-batches';
import { entryJson, insertEntries, type Ledger } from '#audit/entries/store/entries';
import { createNotificationSettings, type SettingsOfPeople } from './notification-settings.ts';
import { createNotificationPlans, type Notice, type NotificationPlans } from './notification-plans.ts';

export interface StoredNotification {
  id: NotificationId;
  /** Null for what is about no request. */
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

/** A due notification that this node has taken until `dueAt`. */
export type TakenNotification = Omit<StoredNotification, 'state' | 'settledAt'> & Pick<Notice, 'occasion'>;

/** In this state and on this channel, if they are given. */
export interface NotificationChoice {
  state?: NotificationState | undefined;
  channel?: NotificationChannel | undefined;
  limit: number;
}

/** Of this channel, without those to the skipped targets; with `isBatched`, all that is due for the targets of any. */
interface DueChoice {
  channel: NotificationChannel;
  skipped?: string[];
  isBatched?: boolean;
}

/** Notifications that are taken at once for the same targets. */
const maxTogether = 1_000;

/** What people are told. The requests are the authority. */
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
   * Takes due ones of this channel, up to `limit`, and with `isBatched` everything else that is due for their targets. Other
   * nodes skip them until `lease`, after which they are due again if this node has died.
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
  /** Records that there was nothing left to tell; does nothing, like the next two, if another node has taken it meanwhile. */
  async dismiss(notification: TakenNotification, at: number) {
    const data = { state: 'moot', settledAt: new Date(at) };
    await prisma.notification.updateMany({ where: heldBy(notification), data });
  },
  /**
   * Records with their entry that these were sent; or, with the last fault, given up until someone sends them again.
   * Resolves with false, and records nothing, if another node has taken one of them meanwhile.
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
  /** Those about a request that were sent or given up. */
  async settledAbout(elicitationId: ElicitationId): Promise<StoredNotification[]> {
    const where = { elicitationId, state: { in: ['sent', 'failed'] } };
    return (await prisma.notification.findMany({ where, omit: { occasion: true } })).map(toNotification);
  },
  /** The latest ones. */
  async list({ state, channel, limit }: NotificationChoice): Promise<StoredNotification[]> {
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
  /** Deletes what was settled before. */
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
 * Each place for which something is due is looked up by itself: of a crowded one, which may have thousands, no row is
 * read. Only for channels with few places.
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

/** A worker whose lease has ended changes nothing. */
const heldBy = ({ id, dueAt }: TakenNotification) => ({ id, state: 'due', dueAt: new Date(dueAt) });

interface TakenRow extends Omit<TakenNotification, 'elicitationId' | 'createdAt' | 'dueAt'> {
  elicitation_id: ElicitationId | null;
  created_at: Date;
}
