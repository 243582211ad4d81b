import { Prisma } from '../../generated/prisma/client.ts';
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

/** Of a statement's input, in columns of their own: true where nothing has changed since. Null was not read. */
export const epochFields = ({ users, policies }: Partial<Epoch> = {}) => ({
  users_epoch: users?.toString() ?? null,
  policies_epoch: policies?.toString() ?? null,
});

/** Holds as long as the people and the policies are still those that this row of a statement's input was decided on. */
export const isEpochOf = (input: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (${input}.users_epoch IS NULL OR ${input}.users_epoch = (SELECT value FROM epoch WHERE name = 'users'))
  AND (${input}.policies_epoch IS NULL OR ${input}.policies_epoch = (SELECT value FROM epoch WHERE name = 'policies'))`;

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
