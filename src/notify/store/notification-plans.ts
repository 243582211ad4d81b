import type { NotificationChannel, NotificationKind } from '../contract/notification/notification.ts';
import type { ElicitationId, NotificationId } from '#platform/model/id';
import { Prisma } from '#platform/database/generated/prisma/client';
import type { Database } from '#platform/database/database/database';

/** One thing to tell one target. */
export interface Notice {
  /** Null for what is about no request. */
  elicitationId: ElicitationId | null;
  channel: NotificationChannel;
  target: string;
  kind: NotificationKind;
  /** What differs between two of a kind. */
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
  /** Until when a node plans, unless it goes on: milliseconds since 1970. */
  heldUntil: number;
}

/** Mails that did not arrive, although they were sent more than once, and after which none has. */
interface MailFaults {
  mails: number;
  /** When the first of them was planned, and the code of the latest failure; null if there is none. */
  since: number | null;
  fault: string | null;
}

/** How far the outbox has been planned, and what was planned. */
export const createNotificationPlans = ({ prisma, query }: Pick<Database, 'prisma' | 'query'>) => ({
  /** The place to read the outbox from, if this node plans until then; null if another one does. */
  async hold(node: string, now: number, until: number): Promise<number | null> {
    const [reader] = await prisma.$queryRaw<{ place: number }[]>`
      UPDATE outbox_reader SET holder = ${node}, held_until = ${new Date(until)}
       WHERE name = 'notifications' AND (holder = ${node} OR held_until <= ${new Date(now)}) RETURNING place::float8`;
    return reader?.place ?? null;
  },
  /** How many changes have still to be planned, and since when the first of them waits; null if there is none. */
  async lag(): Promise<PlanLag> {
    const [lag] = await query<PlanLag>(Prisma.sql`
      SELECT ((SELECT place FROM outbox_head WHERE id = 1) - r.place)::int AS changes,
        (SELECT (extract(epoch FROM at) * 1000)::float8 FROM outbox o WHERE o.place > r.place ORDER BY o.place LIMIT 1)
          AS since,
        (extract(epoch FROM held_until) * 1000)::float8 AS "heldUntil"
        FROM outbox_reader r WHERE name = 'notifications'`);
    return lag ?? { changes: 0, since: null, heldUntil: 0 };
  },
  /** Of the mails that were planned from then on. */
  mailFaults: (from: number): Promise<MailFaults> => readMailFaults(query, from),
  /** What has been planned for these requests. */
  planned: (ids: ElicitationId[]): Promise<PlannedNotice[]> =>
    prisma.$queryRaw`
      SELECT elicitation_id AS "elicitationId", channel, target, kind, occasion,
        (extract(epoch FROM created_at) * 1000)::float8 AS "createdAt"
        FROM notification WHERE elicitation_id = ANY(${ids})`,
  /**
   * Stores the notifications and moves the place, in one commit. Does nothing if another node has moved it, and leaves
   * out what was planned before.
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
  /** Stores those that were not stored before. */
  async add(notifications: NewNotification[], at: number) {
    const data = notifications.map(({ dueAt, ...rest }) => ({
      ...rest,
      createdAt: new Date(at),
      dueAt: new Date(dueAt),
    }));
    await prisma.notification.createMany({ data, skipDuplicates: true });
  },
});

export type NotificationPlans = ReturnType<typeof createNotificationPlans>;

/** When the latest mail arrived is asked only if some do not: it may be far back among what other channels sent. */
async function readMailFaults(query: Database['query'], from: number): Promise<MailFaults> {
  const faults = await mailFaultsAfter(query, from);
  if (faults.mails === 0) return faults;
  const [latest] = await query<{ at: number }>(Prisma.sql`
    SELECT (extract(epoch FROM settled_at) * 1000)::float8 AS at FROM notification
     WHERE channel = 'email' AND state = 'sent' AND settled_at > ${new Date(from)} ORDER BY settled_at DESC LIMIT 1`);
  return latest ? mailFaultsAfter(query, latest.at) : faults;
}

/** By notification_mail_faults_idx. */
async function mailFaultsAfter(query: Database['query'], from: number): Promise<MailFaults> {
  const [faults] = await query<MailFaults>(Prisma.sql`
    SELECT count(*)::int AS mails, (extract(epoch FROM min(created_at)) * 1000)::float8 AS since,
      (array_agg(fault ORDER BY created_at DESC))[1] AS fault
      FROM notification
     WHERE channel = 'email' AND failures > 1 AND state IN ('due', 'failed') AND created_at > ${new Date(from)}`);
  return faults ?? { mails: 0, since: null, fault: null };
}
