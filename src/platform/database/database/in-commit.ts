import type { Prisma } from '../generated/prisma/client.ts';

/** What commits together with a change, or prevents it by throwing. */
export type InCommit = (tx: Prisma.TransactionClient) => Promise<void>;

/** One after the other; what is undefined is left out. */
export const inSequence =
  (...parts: (InCommit | undefined)[]): InCommit =>
  async (tx) => {
    for (const part of parts) await part?.(tx);
  };
