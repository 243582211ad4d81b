import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client.ts';
import { problemFrom } from './fault.ts';
import { createQuery, type Query } from './query.ts';
import { createStatementNames } from './statement-names.ts';

export interface Database {
  pool: pg.Pool;
  prisma: PrismaClient;
  query: Query;
  close(): Promise<void>;
}

/** Milliseconds: a busy machine is waited for, as every other statement waits for it. */
const patience = { maxWait: 15_000, timeout: 15_000 };

export interface DatabaseOptions {
  /** Connections at most. 10 unless told. */
  poolSize?: number;
  /** Is told of a connection that died while idle; the pool replaces it. */
  onError?: (error: Error) => void;
}

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 2_000; // shorter, so that waiting for another writer is told apart from a slow statement

/**
 * A statement's plan is kept for as long as its connection, and the first are made while tables are small: reading all
 * of such a table looks cheap, and would go on when it has grown. Every statement of ours has an index to go by.
 */
export const planByIndex = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';

/** Prisma takes every time that it reads for one in UTC, whatever zone stands behind it. */
const inUtc = '-c timezone=UTC';

/** Opens one pool for Prisma and for our own SQL. It connects when first used, and close() ends both. */
export function openDatabase(url: string, { poolSize = 10, onError = () => {} }: DatabaseOptions = {}): Database {
  let isClosing = false;
  // A connection that is being closed may still hear that the server goes.
  const report = (error: Error): void => (isClosing ? undefined : onError(error));
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: 'assentry',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    options: `${planByIndex} ${inUtc}`,
  });
  pool.on('error', report); // without a listener, an idle connection that dies ends the process
  const statementNameGenerator = createStatementNames(); // a connection knows each name by one text
  const adapter = new PrismaPg(pool, { onConnectionError: report, statementNameGenerator });
  const prisma = sayProblems(new PrismaClient({ adapter, transactionOptions: patience }));
  const close = async (): Promise<void> => {
    isClosing = true;
    await prisma.$disconnect(); // leaves a pool that it was given open
    await pool.end();
  };
  return { pool, prisma, query: createQuery(pool, statementNameGenerator), close };
}

/** The same client, whose statements and transactions reject with a Problem if the database has a fault. */
function sayProblems(plain: PrismaClient): PrismaClient {
  const rethrow = (error: unknown): never => {
    throw problemFrom(error);
  };
  const extended = plain.$extends({ query: { $allOperations: ({ args, query }) => query(args).catch(rethrow) } });
  const transact = extended.$transaction.bind(extended) as (...work: unknown[]) => Promise<unknown>;
  const $transaction = (...work: unknown[]): Promise<unknown> => transact(...work).catch(rethrow);
  return extended.$extends({ client: { $transaction } }) as unknown as PrismaClient;
}
