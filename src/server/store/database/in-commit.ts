import type { Prisma } from '../../generated/prisma/client.ts';

/** What commits together with a change, or prevents it by throwing. */
export type InCommit = (tx: Prisma.TransactionClient) => Promise<void>;

/** One after the other. */
export const together =
  (...parts: InCommit[]): InCommit =>
  async (tx) => {
    for (const part of parts) await part(tx);
  };
