import { Prisma } from '#platform/database/generated/prisma/client';
import type { Proof } from '../../rules/evidence/evidence.ts';

/** The columns of a row's latest entry, as a statement that joins `latestEntry` selects them. */
export const proofColumns = Prisma.sql`proof.id AS proof_id, proof.body AS proof_body, proof.mac AS proof_mac`;

/** Joins the entry that describes a row's current state: the latest one for which the condition on `a` holds. */
export const latestEntry = (condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
  LEFT JOIN LATERAL (SELECT a.id, a.body, a.mac FROM audit_entry a WHERE ${condition} ORDER BY a.seq DESC LIMIT 1) proof ON true`;

export interface StoredProof {
  proof_id: string | null;
  proof_body: Uint8Array | null;
  proof_mac: Uint8Array | null;
}

/** Null if the log says nothing about the row. */
export const proofFrom = ({ proof_id: id, proof_body: body, proof_mac: mac }: StoredProof): Proof | null =>
  id === null || body === null || mac === null ? null : { id, body, mac };
