import { Prisma } from './generated/prisma/client.ts';
import { batch, type Database } from './database.ts';
import { bigint, type RowOf } from './sql.ts';

/** Change counters of the things that nodes keep in memory. */
export interface Epoch {
  policies: bigint;
  users: bigint;
  stops: bigint;
  /** Changes of server keys, without the time of their last use. */
  keys: bigint;
}

/** With the counters that only streams keep. */
export interface CurrentEpoch extends Epoch {
  /** Changes of sessions that ended or got another secret, without new sessions and the time of last use. */
  sessions: bigint;
}

/** Columns of a statement's input that `isEpochOf` compares. Null means that the counter was not read. */
export const epochInput = {
  usersEpoch: bigint<bigint | null>(),
  policiesEpoch: bigint<bigint | null>(),
  stopsEpoch: bigint<bigint | null>(),
  keysEpoch: bigint<bigint | null>(),
};

export const epochFields = (epoch: Partial<Epoch> = {}): RowOf<typeof epochInput> => ({
  usersEpoch: epoch.users ?? null,
  policiesEpoch: epoch.policies ?? null,
  stopsEpoch: epoch.stops ?? null,
  keysEpoch: epoch.keys ?? null,
});

/** Counters of people and keys alone: while they stay, a valid caller is still valid. */
export const callerEpoch = Prisma.sql`(SELECT value FROM epoch WHERE name = 'users') AS users,
  (SELECT value FROM epoch WHERE name = 'keys') AS keys`;

/** The epochs at the moment of a reading statement, as its last columns. */
export const epochColumns = Prisma.sql`${callerEpoch},
  (SELECT value FROM epoch WHERE name = 'policies') AS policies, (SELECT value FROM epoch WHERE name = 'stops') AS stops`;

/** True while people and policies are those of this epoch. Without an epoch always true. */
export const isEpoch = (epoch?: Pick<Epoch, 'users' | 'policies'>): Prisma.Sql =>
  epoch === undefined
    ? Prisma.sql`true`
    : Prisma.sql`${epoch.users} = (SELECT value FROM epoch WHERE name = 'users')
        AND ${epoch.policies} = (SELECT value FROM epoch WHERE name = 'policies')`;

/** True while people, policies, stops and keys are those on which this row of a statement's input was decided. */
export const isEpochOf = (input: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (${input}.users_epoch IS NULL OR ${input}.users_epoch = (SELECT value FROM epoch WHERE name = 'users'))
  AND (${input}.policies_epoch IS NULL OR ${input}.policies_epoch = (SELECT value FROM epoch WHERE name = 'policies'))
  AND (${input}.stops_epoch IS NULL OR ${input}.stops_epoch = (SELECT value FROM epoch WHERE name = 'stops'))
  AND (${input}.keys_epoch IS NULL OR ${input}.keys_epoch = (SELECT value FROM epoch WHERE name = 'keys'))`;

/**
 * Holds votes for a change of who may vote: waits for the votes that PostgreSQL is storing, and delays later ones until this
 * transaction ends. Each vote is then before the change in the log, or judged by its result.
 */
export const holdVotes = (tx: Pick<Prisma.TransactionClient, '$executeRaw'>): Promise<unknown> =>
  // Each change of a request writes to this table, so it takes this lock before it reads the epoch.
  tx.$executeRaw`LOCK TABLE approver_turn IN SHARE ROW EXCLUSIVE MODE`;

export function createEpochs({ query }: Pick<Database, 'query'>) {
  const read = batch(async (askers: null[]) => {
    const rows = await query<{ name: string; value: bigint }>(
      Prisma.sql`SELECT name, value FROM epoch WHERE name IN ('policies', 'users', 'stops', 'keys', 'sessions')`,
    );
    const valueOf = (name: keyof CurrentEpoch): bigint => rows.find((row) => row.name === name)?.value ?? 0n;
    const epoch = {
      policies: valueOf('policies'),
      users: valueOf('users'),
      stops: valueOf('stops'),
      keys: valueOf('keys'),
      sessions: valueOf('sessions'),
    };
    return askers.map(() => epoch);
  }, shared);
  return {
    /** Counters as of the last commit before the call. Callers that ask together share a statement. */
    read: (): Promise<CurrentEpoch> => read(null),
  };
}

/** One statement answers all waiting callers. */
const shared = { maxSize: Number.MAX_SAFE_INTEGER };
