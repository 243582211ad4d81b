import type { Database } from '#platform/database/database/database';

/** What the last complete backup is as of, in milliseconds since 1970; null if there never was one. */
export const createReadLastBackup =
  ({ prisma }: Pick<Database, 'prisma'>) =>
  async (): Promise<number | null> =>
    (await prisma.lastBackup.findUnique({ where: { id: 1 } }))?.at.getTime() ?? null;

/** When this database was made, in milliseconds since 1970. */
export const createReadInstalledAt =
  ({ prisma }: Pick<Database, 'prisma'>) =>
  async (): Promise<number | null> => {
    const [row] = await prisma.$queryRaw<[{ at: Date | null }]>`SELECT min(started_at) AS at FROM _prisma_migrations`;
    return row.at?.getTime() ?? null;
  };

/** That everything as of this time is in a complete backup: for the metrics, so that a backup itself has the one before it. */
export async function recordBackup(prisma: Database['prisma'], at: Date): Promise<void> {
  await prisma.lastBackup.upsert({ where: { id: 1 }, create: { at }, update: { at } });
}
