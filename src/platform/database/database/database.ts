import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import { problemFrom } from '../fault.ts';
import { createQuery, createTransact, type Query, type Transact } from '../connection/query.ts';
import { endIfSilent, maxSilenceMs } from '../connection/silence.ts';
import { startOptions } from '../connection/session-settings.ts';
import { createStatementNames } from '../connection/statement-names.ts';

export interface Database {
  pool: pg.Pool;
  prisma: PrismaClient;
  query: Query;
  transact: Transact;
  close(): Promise<void>;
}

/** Milliseconds. On a busy machine, transactions wait as long as other statements do. */
const transactionOptions = { maxWait: 15_000, timeout: 15_000 };

interface DatabaseOptions {
  /** The most connections; 10 by default. */
  poolSize?: number;
  /** Milliseconds until a connection, or a place among those that there may be, is given up. */
  connectTimeout?: number;
  /** Milliseconds a statement may take. */
  statementTimeout?: number;
  /** Milliseconds without an answer after which a connection is replaced. */
  maxSilenceMs?: number;
  /** Whether a pooler is between, which lends a connection for a transaction: none keeps a statement or a setting. */
  isPooled?: boolean;
  /** Called when an idle connection dies; the pool replaces it. */
  onError?: (error: Error) => void;
}

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 5_000;

/** Opens one pool for Prisma and for our own SQL. It connects when first used, and close() ends both. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { pool, report, closeAfter } = openPool(url, options);
  const statementNameGenerator = createStatementNames(options.isPooled ? 0 : undefined); // a name stands for one text
  const adapter = new PrismaPg(pool, { onConnectionError: report, statementNameGenerator });
  const prisma = formatProblems(new PrismaClient({ adapter, transactionOptions }));
  const close = (): Promise<void> => closeAfter(() => prisma.$disconnect()); // it leaves a given pool open
  const query = createQuery(pool, statementNameGenerator);
  return { pool, prisma, query, transact: createTransact(pool, statementNameGenerator), close };
}

/** One connection next to the pool, which waits for no other work and soon gives up. */
export function openHeartbeat(url: string, isPooled: boolean): Pick<Database, 'query' | 'close'> {
  const limits = { poolSize: 1, connectTimeout: 2_000, statementTimeout: 1_000, maxSilenceMs: 2_000, isPooled };
  const { pool, closeAfter } = openPool(url, limits);
  return {
    query: createQuery(pool, createStatementNames(isPooled ? 0 : undefined)),
    close: () => closeAfter(async () => {}),
  };
}

function openPool(url: string, options: DatabaseOptions) {
  const { poolSize = 10, connectTimeout = CONNECT_TIMEOUT_MS, statementTimeout = STATEMENT_TIMEOUT_MS } = options;
  const silence = options.maxSilenceMs ?? Math.max(maxSilenceMs, 2 * statementTimeout);
  let isClosing = false;
  // A connection that is being closed may still report that the server stops.
  const report = (error: Error): void => (isClosing ? undefined : options.onError?.(error));
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: 'assentry',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeout,
    ...(!options.isPooled && { options: startOptions({ statement_timeout: String(statementTimeout) }) }),
  });
  pool.on('error', report); // without a listener, an idle connection that dies ends the process
  pool.on('connect', (client) => {
    client.on('error', () => {}); // one that dies between two statements fails the next, and not the process
    endIfSilent(client as pg.Client, silence);
  });
  const closeAfter = async (disconnect: () => Promise<void>): Promise<void> => {
    isClosing = true;
    await disconnect();
    await pool.end();
  };
  return { pool, report, closeAfter };
}

/** The same client, whose statements and transactions reject with a Problem if the database has a fault. */
function formatProblems(plain: PrismaClient): PrismaClient {
  const rethrow = (error: unknown): never => {
    throw problemFrom(error);
  };
  const extended = plain.$extends({ query: { $allOperations: ({ args, query }) => query(args).catch(rethrow) } });
  const transact = extended.$transaction.bind(extended) as (...work: unknown[]) => Promise<unknown>;
  const $transaction = (...work: unknown[]): Promise<unknown> => transact(...work).catch(rethrow);
  return extended.$extends({ client: { $transaction } }) as unknown as PrismaClient;
}
