import { Prisma } from '#platform/database/generated/prisma/client';
import type { ElicitationId } from '#platform/model/id';
import type { AuditEntry } from '#audit/entries/rules/entry';
import { inBatches } from '#platform/database/database';
import { insertEntry, type Ledger } from '#audit/entries/store/entries';
import { moment } from '#platform/database/sql';

/** A message about a request, leased to be posted or updated. */
export interface ChatMessage {
  elicitationId: ElicitationId;
  /** A room, or a member. */
  target: string;
  /** Place of the message; null before it was posted. */
  place: ChatPlace | null;
  /** Keyed hash of its text. */
  shownHash: Uint8Array | null;
  /** The last reminder sent with or after it; null before the first. */
  remindedAt: number | null;
  /** Failures since it last succeeded. */
  failures: number;
  /** End of the lease. */
  lease: number;
}

export interface ChatPlace {
  /** The conversation that it is in. */
  channel: string;
  /** Name of the message within the conversation. */
  ts: string;
}

interface ShownMessage {
  version: number;
  /** Place and time of posting; null without a place, or if posted there before. */
  place: ChatPlace | null;
  postedAt: number | null;
  hash: Uint8Array | null;
  remindedAt: number | null;
}

interface ChatPlan {
  id: ElicitationId;
  /** Version of the request it was made for. */
  version: number;
  /** Targets of new messages, in addition to those that have one. */
  targets: string[];
  /** True if no change will follow. */
  isOver: boolean;
  at: number;
}

/** Messages in chat, and clicks on them. The requests are the authority. */
export const createChat = ({ prisma, evidence }: Ledger) => ({
  /** Requests that changed since their messages were planned. */
  async unplanned(limit: number): Promise<ElicitationId[]> {
    const rows = await prisma.$queryRaw<{ id: ElicitationId }[]>`
      SELECT e.id FROM chat_request r JOIN elicitation e ON e.id = r.elicitation_id
       WHERE r.planned < e.version LIMIT ${limit}`;
    return rows.map(({ id }) => id);
  },
  /** Makes messages due; does nothing if this version or a later one has been planned. */
  async plan({ id, version, targets, isOver, at }: ChatPlan) {
    const mine = isOver
      ? Prisma.sql`DELETE FROM chat_request WHERE elicitation_id = ${id} AND planned < ${version}`
      : Prisma.sql`UPDATE chat_request SET planned = ${version} WHERE elicitation_id = ${id} AND planned < ${version}`;
    await prisma.$executeRaw`
      WITH mine AS (${mine} RETURNING elicitation_id
      ), told AS (
        INSERT INTO chat_message (elicitation_id, target, wanted, due_at)
        SELECT elicitation_id, unnest(${targets}::text[]), ${version}, ${moment(at)} FROM mine
        ON CONFLICT (elicitation_id, target) DO NOTHING
      )
      UPDATE chat_message m SET wanted = ${version} FROM mine WHERE m.elicitation_id = mine.elicitation_id`;
  },
  /** Takes due messages. Other nodes skip them until `lease`, after which they are due again if this node has died. */
  async take(now: number, lease: number, limit: number): Promise<ChatMessage[]> {
    const messages = await prisma.$queryRaw<TakenMessage[]>`
      UPDATE chat_message SET due_at = ${moment(lease)}
       WHERE (elicitation_id, target) IN (
         SELECT elicitation_id, target FROM chat_message
          WHERE shown < wanted AND due_at <= ${moment(now)}
          ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING elicitation_id, target, channel, ts, shown_hash, reminded_at, failures`;
    return messages.map((row) => messageFrom(row, lease));
  },
  /**
   * Records that the message shows this version, with the entry of its recipients; does nothing if another node has taken it
   * meanwhile.
   */
  settle: (message: ChatMessage, shown: ShownMessage, entry: AuditEntry | null) =>
    prisma.$transaction(async (tx) => {
      const { count } = await tx.chatMessage.updateMany({ where: heldBy(message), data: shownColumns(shown) });
      if (count === 1 && entry) await insertEntry(tx, evidence.seal(entry, {}));
    }),
  /** Records a failure; the message is due again at this time. */
  async postpone(message: ChatMessage, until: number) {
    const data = { dueAt: new Date(until), failures: message.failures + 1 };
    await prisma.chatMessage.updateMany({ where: heldBy(message), data });
  },
  /** Posted messages about a request. */
  async postedAbout(elicitationId: ElicitationId): Promise<{ target: string; at: number }[]> {
    const rows = await prisma.chatMessage.findMany({ where: { elicitationId } });
    return rows.flatMap(({ target, postedAt }) => (postedAt ? [{ target, at: postedAt.getTime() }] : []));
  },
  /** Does this message belong to this request? */
  isPosted: async (elicitationId: ElicitationId, { channel, ts }: ChatPlace): Promise<boolean> =>
    (await prisma.chatMessage.count({ where: { elicitationId, channel, ts } })) > 0,
  ...clicksIn(prisma),
});

/** Refused clicks; a click that counted is its vote. */
const clicksIn = (prisma: Ledger['prisma']) => ({
  wasRefused: async (hash: Uint8Array): Promise<boolean> =>
    (await prisma.chatDelivery.count({ where: { hash: new Uint8Array(hash) } })) > 0,
  /** True for the first of equal deliveries. */
  async noteRefused(hash: Uint8Array, at: number): Promise<boolean> {
    const count = await prisma.$executeRaw`
      INSERT INTO chat_delivery (hash, at) VALUES (${hash}, ${new Date(at)}) ON CONFLICT DO NOTHING`;
    return count > 0;
  },
  /** Deletes older deliveries. */
  async prune(before: number) {
    await inBatches(
      (max) => prisma.$executeRaw`
        DELETE FROM chat_delivery WHERE hash IN (
          SELECT hash FROM chat_delivery WHERE at < ${new Date(before)} ORDER BY at LIMIT ${max})`,
    );
  },
});

const shownColumns = ({ version, place, postedAt, hash, remindedAt }: ShownMessage) => ({
  shown: version,
  failures: 0,
  remindedAt: remindedAt === null ? null : new Date(remindedAt),
  ...(place && { channel: place.channel, ts: place.ts }),
  ...(postedAt !== null && { postedAt: new Date(postedAt) }),
  ...(hash && { shownHash: new Uint8Array(hash) }),
  dueAt: new Date(0),
});

/** The lease of a message; a worker whose lease has ended changes nothing. */
const heldBy = ({ elicitationId, target, lease }: ChatMessage) => ({ elicitationId, target, dueAt: new Date(lease) });

interface TakenMessage {
  elicitation_id: ElicitationId;
  target: string;
  channel: string | null;
  ts: string | null;
  shown_hash: Uint8Array | null;
  reminded_at: Date | null;
  failures: number;
}

const messageFrom = (row: TakenMessage, lease: number): ChatMessage => ({
  elicitationId: row.elicitation_id,
  target: row.target,
  place: row.channel !== null && row.ts !== null ? { channel: row.channel, ts: row.ts } : null,
  shownHash: row.shown_hash,
  remindedAt: row.reminded_at?.getTime() ?? null,
  failures: row.failures,
  lease,
});
