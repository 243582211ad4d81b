import type { Prisma } from '#platform/database/generated/prisma/client';
import type { Database } from '#platform/database/database/database';
import { requireProgram, runProgram, type Target } from './client-program.ts';

/** Milliseconds that a dump may take. */
const maxDumpMs = 24 * 3_600_000;

/**
 * Writes one moment of the whole database to the file, while nodes go on; without owners and rights. Returns what `read`
 * finds at that moment.
 */
export const dumpDatabase = <T>(
  { prisma }: Pick<Database, 'prisma'>,
  target: Target,
  file: string,
  read: (tx: Prisma.TransactionClient, at: Date) => Promise<T>,
): Promise<T> =>
  prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL statement_timeout = 0`;
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      const [moment] = await tx.$queryRaw<[{ at: Date; snapshot: string; server: number }]>`
        SELECT now() AS at, pg_export_snapshot() AS snapshot,
               current_setting('server_version_num')::int / 10000 AS server`;
      const state = await read(tx, moment.at);
      await requireProgram('pg_dump', target, moment.server);
      const plain = ['--format=custom', '--no-owner', '--no-privileges'];
      await runProgram('pg_dump', target, [...plain, `--snapshot=${moment.snapshot}`, `--file=${file}`]);
      return state;
    },
    { isolationLevel: 'RepeatableRead', timeout: maxDumpMs },
  );
