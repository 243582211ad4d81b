import { Prisma } from '#platform/database/generated/prisma/client';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { inBatches } from '#platform/database/database';
import { bytes, moment, recordset, text, time, type RowOf } from '#platform/database/sql';
import { changeWithEntry, type Ledger } from '#audit/entries/store/entries';
import type { AuditEntry } from '#audit/entries/rules/entry';
import { copy } from '#people/directory/store/directory-record';
import type { Verdict } from '../providers/event.ts';

/** What a request expects of a provider. */
export interface Expectation {
  elicitation: ElicitationId;
  provider: string;
  /** Names the request at the provider, and proves nothing. */
  reference: string;
  /** Keyed hash of the provider's id of the session, the payment or the envelope; null before it is made. */
  objectHash: Uint8Array | null;
  /** That id with the address of its page, sealed with the request. */
  object: Uint8Array | null;
  /** Number of times that the provider was asked. */
  looks: number;
}

/** What is known of a request's way to its provider. */
export interface ExpectationProgress extends Pick<Expectation, 'reference' | 'looks'> {
  /** Was the session or the envelope made? */
  isMade: boolean;
  /** Null if the provider is not asked any more. */
  nextLookAt: number | null;
  /** The last that said something. */
  lastEvent: { verdict: Verdict; at: number } | null;
}

/** An event of a provider as it is stored with the change that it makes. */
export const eventColumns = recordset({
  provider: text(),
  eventHash: bytes(),
  bodyMac: bytes(),
  elicitationId: text<ElicitationId | null>(),
  verdict: text<Verdict>(),
  at: time(),
});

export type ProviderEvent = RowOf<typeof eventColumns.columns>;

const selection = Prisma.sql`elicitation_id AS elicitation, provider, reference, object_hash AS "objectHash", object, looks`;

export const createExpectations = ({ prisma, query, evidence }: Ledger) => ({
  /** The expectation of this request, begun with this reference if there is none. */
  async begin(
    elicitation: ElicitationId,
    { provider, reference, until }: { provider: string; reference: string; until: number },
  ): Promise<Expectation> {
    await prisma.$executeRaw`
      INSERT INTO expectation (elicitation_id, provider, reference, until)
      VALUES (${elicitation}, ${provider}, ${reference}, ${moment(until)}) ON CONFLICT DO NOTHING`;
    const [row] = await query<Expectation>(
      Prisma.sql`SELECT ${selection} FROM expectation WHERE elicitation_id = ${elicitation}`,
    );
    if (!row) throw new Problem('idempotency-mismatch'); // the author gave the reference of another request
    return row;
  },
  /** Keeps what was made at the provider, and when to ask there; false if another node was first. */
  async keep(
    elicitation: ElicitationId,
    { objectHash, object, nextLookAt }: { objectHash: Uint8Array; object: Uint8Array; nextLookAt: number },
  ): Promise<boolean> {
    const { count } = await prisma.expectation.updateMany({
      where: { elicitationId: elicitation, objectHash: null },
      data: { objectHash: copy(objectHash), object: copy(object), nextLookAt: new Date(nextLookAt) },
    });
    return count === 1;
  },
  /** The expectation that an event is about: by its reference, or by one of the hashes of its object. */
  async find(provider: string, reference: string | null, hashes: Uint8Array[]): Promise<Expectation | null> {
    const [row] = await query<Expectation>(Prisma.sql`
      SELECT ${selection} FROM expectation
       WHERE provider = ${provider} AND (reference = ${reference} OR object_hash = ANY(${hashes.map(copy)}))
       ORDER BY (reference = ${reference}) DESC NULLS LAST LIMIT 1`);
    return row ?? null;
  },
  /** The next one that the provider is to be asked about, which no one else gets before then; null if none is due. */
  async nextLook({ now, until }: { now: number; until: number }): Promise<Expectation | null> {
    const [row] = await prisma.$queryRaw<Expectation[]>`
      UPDATE expectation SET looks = looks + 1, next_look_at = ${moment(until)} WHERE elicitation_id = (
        SELECT elicitation_id FROM expectation WHERE next_look_at <= ${moment(now)} ORDER BY next_look_at LIMIT 1
           FOR UPDATE SKIP LOCKED)
      RETURNING ${selection}`;
    return row ?? null;
  },
  /**
   * When to ask again, or never. After its end nothing is asked, unless the request is still open: someone moved its deadline,
   * or no node ran at it.
   */
  async schedule(elicitation: ElicitationId, at: number | null) {
    await prisma.$executeRaw`
      UPDATE expectation SET next_look_at = CASE
             WHEN ${moment(at)} <= until THEN ${moment(at)}
             WHEN EXISTS (SELECT FROM elicitation WHERE id = ${elicitation} AND status = 'open') THEN ${moment(at)}
             END
       WHERE elicitation_id = ${elicitation}`;
  },
  /** What is known of the request's way to its provider; null if no one has gone there. */
  async progressOf(elicitation: ElicitationId): Promise<ExpectationProgress | null> {
    const row = await prisma.expectation.findUnique({ where: { elicitationId: elicitation } });
    if (!row) return null;
    const latest = await prisma.providerEvent.findFirst({
      where: { elicitationId: elicitation, verdict: { not: 'nothing' } },
      orderBy: { at: 'desc' },
    });
    return {
      reference: row.reference,
      isMade: row.objectHash !== null,
      looks: row.looks,
      nextLookAt: row.nextLookAt?.getTime() ?? null,
      lastEvent: latest && { verdict: latest.verdict as Verdict, at: latest.at.getTime() },
    };
  },
  /** The event with one of these hashes, and the request that it was about; null if none has come. */
  async event(provider: string, hashes: Uint8Array[]): Promise<Pick<ProviderEvent, 'elicitationId'> | null> {
    const row = await prisma.providerEvent.findFirst({ where: { provider, eventHash: { in: hashes.map(copy) } } });
    return row && { elicitationId: row.elicitationId as ElicitationId | null };
  },
  /** What came from this provider: the latest event, and the latest that moved money or signed something for no request. */
  async reportsOf(provider: string): Promise<ProviderReports> {
    const newest = { orderBy: { at: 'desc' }, select: { verdict: true, at: true } } as const;
    const moved = { provider, elicitationId: null, verdict: { in: ['accept', 'pending'] } };
    const [last, unmatched] = await Promise.all([
      prisma.providerEvent.findFirst({ where: { provider }, ...newest }),
      prisma.providerEvent.findMany({ where: moved, take: mostUnmatched, ...newest }),
    ]);
    return { lastEvent: last && reportOf(last), unmatched: unmatched.map(reportOf) };
  },
  /** How often since then the log says that an event of this provider was refused, and when it last was. */
  async refusalsOf(provider: string, since: number): Promise<{ count: number; at: number | null }> {
    // As the index has it: audit_entry_read_idx
    const [row] = await prisma.$queryRaw<{ count: number; at: number | null }[]>`
      SELECT coalesce(sum((audit.entry(body) ->> 'count')::int), 0)::int AS count,
             (extract(epoch FROM max(at)) * 1000)::float8 AS at
        FROM audit_entry
       WHERE type IN ('access.read', 'access.exported', 'access.refused')
         AND audit.entry(body) #>> '{about,0}' = ${provider} AND type = 'access.refused' AND at >= ${moment(since)}`;
    return row ?? { count: 0, at: null };
  },
  /** Keeps an event that changes no request; false if it is kept already. */
  async keepEvent(event: ProviderEvent): Promise<boolean> {
    const { count } = await prisma.providerEvent.createMany({ data: [rowOf(event)], skipDuplicates: true });
    return count === 1;
  },
  /** The same with an entry. */
  keepUnmatched: ({ provider, eventHash, bodyMac, verdict, at }: ProviderEvent, entry: AuditEntry): Promise<boolean> =>
    changeWithEntry(
      prisma,
      Prisma.sql`
        INSERT INTO provider_event (provider, event_hash, body_mac, verdict, at)
        VALUES (${provider}, ${copy(eventHash)}, ${copy(bodyMac)}, ${verdict}, ${moment(at)})
        ON CONFLICT DO NOTHING RETURNING 1`,
      evidence.seal(entry, {}),
    ),
  /** Deletes events from before this time. */
  prune: (before: number): Promise<number> =>
    inBatches(
      (max) => prisma.$executeRaw`
        DELETE FROM provider_event WHERE (provider, event_hash) IN (
          SELECT provider, event_hash FROM provider_event WHERE at < ${moment(before)} ORDER BY at LIMIT ${max})`,
    ),
});

/** Events of one provider that a page lists. */
const mostUnmatched = 10;

interface ProviderReport {
  verdict: Verdict;
  at: number;
}

/** Reports of one provider. */
export interface ProviderReports {
  lastEvent: ProviderReport | null;
  unmatched: ProviderReport[];
}

const reportOf = ({ verdict, at }: { verdict: string; at: Date }): ProviderReport => ({
  verdict: verdict as Verdict,
  at: at.getTime(),
});

const rowOf = ({ eventHash, bodyMac, at, ...event }: ProviderEvent) => ({
  ...event,
  eventHash: copy(eventHash),
  bodyMac: copy(bodyMac),
  at: new Date(at),
});
