import type { Prisma } from '../../generated/prisma/client.ts';

/** What commits together with a change, or prevents it by throwing. */
export type InCommit = (tx: Prisma.TransactionClient) => Promise<void>;
