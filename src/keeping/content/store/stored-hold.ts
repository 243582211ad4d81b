import { Prisma } from '#platform/database/generated/prisma/client';
import type { Actor, HoldPlaced, StoredEvent } from '#audit/entries/rules/entry';
import { rowDigest, type Evidence } from '#audit/entries/rules/evidence';
import type { HoldId } from '#platform/model/id';

/** A legal hold by its entries in the log; its scope is everything if they do not prove the stored one. */
export interface HoldRecord extends Pick<HoldPlaced, 'scope' | 'request' | 'server'> {
  id: HoldId;
  reason: string;
  placed: Act | null;
  /** Null while it is in force. */
  released: Act | null;
}

/** Who did it, and when. */
export interface Act {
  actor: Actor;
  at: number;
}

export const holdDigest = ({ id, reason }: { id: string; reason: string }): string => rowDigest('hold', [id, reason]);

/** Every hold that has a row or an entry, the latest first. */
export async function readHolds(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  evidence: Evidence,
): Promise<HoldRecord[]> {
  const rows = await tx.$queryRaw<StoredHold[]>`
    WITH told AS (SELECT * FROM audit_entry WHERE type LIKE 'hold.%'),
      known AS (SELECT id FROM hold WHERE id > '' UNION SELECT subject_id FROM told WHERE type = 'hold.placed')
    SELECT known.id, h.reason, p.id AS "placedId", p.body AS "placedBody", p.mac AS "placedMac",
        r.id AS "releasedId", r.body AS "releasedBody", r.mac AS "releasedMac"
      FROM known LEFT JOIN hold h ON h.id = known.id
        LEFT JOIN told p ON p.type = 'hold.placed' AND p.subject_id = known.id
        LEFT JOIN told r ON r.type = 'hold.released' AND r.subject_id = known.id
     ORDER BY p.seq DESC NULLS FIRST`;
  return rows.map((row) => holdOf(evidence, row));
}

interface StoredHold {
  id: HoldId;
  reason: string | null;
  placedId: string | null;
  placedBody: Uint8Array | null;
  placedMac: Uint8Array | null;
  releasedId: string | null;
  releasedBody: Uint8Array | null;
  releasedMac: Uint8Array | null;
}

function holdOf(evidence: Evidence, row: StoredHold): HoldRecord {
  const { id, reason } = row;
  const placed = open(evidence, row.placedId, row.placedBody, row.placedMac);
  const released = open(evidence, row.releasedId, row.releasedBody, row.releasedMac);
  const isTrue = placed?.type === 'hold.placed' && reason !== null && placed.rows?.[id] === holdDigest({ id, reason });
  if (!isTrue) evidence.report(id);
  const { scope, request, server } = isTrue ? placed : everything;
  return {
    id,
    scope,
    ...(request && { request }),
    ...(server && { server }),
    reason: reason ?? '',
    placed: placed && actOf(placed),
    released: isTrue && released?.type === 'hold.released' && released.hold === id ? actOf(released) : null,
  };
}

const everything: Pick<HoldRecord, 'scope' | 'request' | 'server'> = { scope: 'everything' };

const open = (evidence: Evidence, id: string | null, body: Uint8Array | null, mac: Uint8Array | null) =>
  id === null || body === null || mac === null ? null : evidence.open({ id, body, mac });

const actOf = ({ actor, at }: StoredEvent): Act => ({ actor, at: Date.parse(at) });
