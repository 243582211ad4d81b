import { batch } from './batch.ts';
import type { Database } from './database.ts';

/** How often each thing that nodes keep in memory has changed. */
export interface Epoch {
  policies: bigint;
  users: bigint;
}

export interface Epochs {
  /** As last committed when asked: whoever knows of a commit finds it counted. Those who ask together share a statement. */
  read(): Promise<Epoch>;
}

export function createEpochs({ prisma }: Pick<Database, 'prisma'>): Epochs {
  const read = batch(async (askers: null[]) => {
    const rows = await prisma.$queryRaw<{ name: string; value: bigint }[]>`
      SELECT name, value FROM epoch WHERE name IN ('policies', 'users')`;
    const valueOf = (name: keyof Epoch): bigint => rows.find((row) => row.name === name)?.value ?? 0n;
    const epoch = { policies: valueOf('policies'), users: valueOf('users') };
    return askers.map(() => epoch);
  });
  return { read: () => read(null) };
}
