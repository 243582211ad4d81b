import type { Prisma } from '#platform/database/generated/prisma/client';

/** A person's identity at a provider, and the administrator for whom sign-ins with it count as well. */
export interface LinkedIdentity {
  issuer: string;
  subject: string;
  userId: string;
  linkedById: string | null;
  /** All names of the person at MCP clients. */
  subjects: string[];
}

export async function readIdentities(tx: Prisma.TransactionClient): Promise<LinkedIdentity[]> {
  const where = { issuer: { gt: '' } };
  const rows = await tx.federatedIdentity.findMany({ where, include: { user: { select: { subjects: true } } } });
  return rows.map(({ user, ...row }) => ({ ...row, subjects: user.subjects }));
}

/** The entries that connected them, in the order of the log. */
export async function readConnecting(tx: Prisma.TransactionClient): Promise<Uint8Array[]> {
  const rows = await tx.$queryRaw<{ body: Uint8Array }[]>`
    SELECT a.body FROM audit_entry a LEFT JOIN audit_leaf l ON l.entry_id = a.id
     WHERE a.type = 'user.provider-connected' ORDER BY l.idx NULLS LAST, a.seq`;
  return rows.map(({ body }) => body);
}
