import type { Database } from '../database/database.ts';

/** That everything as of this time is in a complete backup: for the metrics, so that a backup itself has the one before it. */
export async function recordBackup(prisma: Database['prisma'], at: Date): Promise<void> {
  await prisma.lastBackup.upsert({ where: { id: 1 }, create: { at }, update: { at } });
}
