import { Prisma } from '../../generated/prisma/client.ts';
import type { AuditEntry } from '#core/audit/entry';
import type { StreamState } from '#protocol/model/notifications/log-stream';
import { insertEntry, type Ledger } from './sealed-entry.ts';

/** What a node that holds a stream says of it. */
interface Held {
  name: string;
  node: string;
  at: number;
}

/** How far the log was streamed to each receiver, and which node streams now. */
export interface Streams {
  list(): Promise<StreamState[]>;
  /** Begins a stream at the first entry, with its entry; does nothing if there is one of this name. */
  begin(name: string, entry: AuditEntry): Promise<void>;
  /** How much was delivered, if this node streams until then; null if another one does, or if it is to wait. */
  hold(held: Held, until: number): Promise<number | null>;
  /** Moves on, unless another node has taken over. */
  advance(held: Held, from: number, to: number): Promise<void>;
  /** Records a failure; no node tries again before `until`. */
  fail(held: Held, fault: string, until: number): Promise<void>;
  /** Lets another node go on at once. */
  release(name: string, node: string): Promise<void>;
  /** Forgets how far it is; false if there is none. */
  forget(name: string): Promise<boolean>;
}

const states = Prisma.sql`
  SELECT name, place::float8 AS delivered, coalesce(head.size, 0)::float8 AS size, failures, fault,
    (extract(epoch FROM failing_since) * 1000)::float8 AS "failingSince"
    FROM audit_stream LEFT JOIN (SELECT max(size) AS size FROM audit_checkpoint) head ON true`;

/** All streams as one value of a reading statement, with who streams and until when: rows of `StreamSign`. */
export const streamSigns = Prisma.sql`
  (SELECT coalesce(json_agg(sign), '[]') FROM (
    SELECT state.*, holder, (extract(epoch FROM held_until) * 1000)::float8 AS "heldUntil"
      FROM (${states}) AS state JOIN audit_stream USING (name)) AS sign)`;

export const createStreams = ({ prisma, evidence }: Ledger): Streams => ({
  list: () => prisma.$queryRaw`${states} ORDER BY name`,
  begin: (name, entry) =>
    prisma.$transaction(async (tx) => {
      const { count } = await tx.auditStream.createMany({
        data: { name, heldUntil: new Date(0) },
        skipDuplicates: true,
      });
      if (count === 1) await insertEntry(tx, evidence.seal(entry, {}));
    }),
  async hold({ name, node, at }, until) {
    const [row] = await prisma.$queryRaw<{ place: number }[]>`
      UPDATE audit_stream SET holder = ${node}, held_until = ${new Date(until)}
       WHERE name = ${name} AND (holder = ${node} OR held_until <= ${new Date(at)}) RETURNING place::float8`;
    return row?.place ?? null;
  },
  async advance({ name, node }, from, to) {
    await prisma.$executeRaw`
      UPDATE audit_stream SET place = ${to}, failures = 0, fault = NULL, failing_since = NULL
       WHERE name = ${name} AND holder = ${node} AND place = ${from}`;
  },
  async fail({ name, node, at }, fault, until) {
    await prisma.$executeRaw`
      UPDATE audit_stream SET holder = NULL, held_until = ${new Date(until)}, failures = failures + 1, fault = ${fault},
        failing_since = coalesce(failing_since, ${new Date(at)})
       WHERE name = ${name} AND holder = ${node}`;
  },
  async release(name, node) {
    await prisma.$executeRaw`
      UPDATE audit_stream SET holder = NULL, held_until = 'epoch' WHERE name = ${name} AND holder = ${node}`;
  },
  forget: async (name) => (await prisma.auditStream.deleteMany({ where: { name } })).count === 1,
});
