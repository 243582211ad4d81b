import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '../entries/rules/entry.ts';
import { insertEntry, type Ledger } from '../entries/store/entries.ts';
import type { StreamState } from '#platform/nodes/contract/ready';

/** A stream, as the node that holds it knows it. */
interface Held {
  name: string;
  node: string;
  at: number;
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

/** Progress of the log at each receiver, and the node that streams now. */
export const createStreams = ({ prisma, evidence }: Ledger) => ({
  list: (): Promise<StreamState[]> => prisma.$queryRaw`${states} ORDER BY name`,
  /** Begins a stream at the first entry, with its entry; does nothing if there is one of this name. */
  begin: (name: string, entry: AuditEntry) =>
    prisma.$transaction(async (tx) => {
      const { count } = await tx.auditStream.createMany({
        data: { name, heldUntil: new Date(0) },
        skipDuplicates: true,
      });
      if (count === 1) await insertEntry(tx, evidence.seal(entry, {}));
    }),
  /** Number of delivered entries, if this node streams until then; null if another one does, or if it is to wait. */
  async hold({ name, node, at }: Held, until: number): Promise<number | null> {
    const [row] = await prisma.$queryRaw<{ place: number }[]>`
      UPDATE audit_stream SET holder = ${node}, held_until = ${new Date(until)}
       WHERE name = ${name} AND (holder = ${node} OR held_until <= ${new Date(at)}) RETURNING place::float8`;
    return row?.place ?? null;
  },
  /** Moves on, unless another node has taken over. */
  async advance({ name, node }: Held, from: number, to: number) {
    await prisma.$executeRaw`
      UPDATE audit_stream SET place = ${to}, failures = 0, fault = NULL, failing_since = NULL
       WHERE name = ${name} AND holder = ${node} AND place = ${from}`;
  },
  /** Records a failure; no node tries again before `until`. */
  async fail({ name, node, at }: Held, fault: string, until: number) {
    await prisma.$executeRaw`
      UPDATE audit_stream SET holder = NULL, held_until = ${new Date(until)}, failures = failures + 1, fault = ${fault},
        failing_since = coalesce(failing_since, ${new Date(at)})
       WHERE name = ${name} AND holder = ${node}`;
  },
  /** Lets another node go on at once. */
  async release(name: string, node: string) {
    await prisma.$executeRaw`
      UPDATE audit_stream SET holder = NULL, held_until = 'epoch' WHERE name = ${name} AND holder = ${node}`;
  },
  /** Forgets how far it is; false if there is none. */
  forget: async (name: string): Promise<boolean> =>
    (await prisma.auditStream.deleteMany({ where: { name } })).count === 1,
});
