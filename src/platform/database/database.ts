import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient, type Prisma } from './generated/prisma/client.ts';
import { problemFrom } from './fault.ts';
import {
  createQuery,
  createTransact,
  type Query,
  type Transact,
  endIfSilent,
  maxSilenceMs,
  startOptions,
  createStatementNames,
} from './connection.ts';
import { Problem } from '../model/problem.ts';

export interface Database {
  pool: pg.Pool;
  prisma: PrismaClient;
  query: Query;
  transact: Transact;
  close(): Promise<void>;
}

/** Limits in milliseconds. On a busy machine, transactions wait as long as other statements do. */
const transactionOptions = { maxWait: 15_000, timeout: 15_000 };

interface DatabaseOptions {
  /** Limit of connections; 10 by default. */
  poolSize?: number;
  /** Milliseconds to wait for a connection, or a place in the pool. */
  connectTimeout?: number;
  /** Milliseconds a statement may take. */
  statementTimeout?: number;
  /** Milliseconds without an answer after which a connection is replaced. */
  maxSilenceMs?: number;
  /** Is there a pooler that lends a connection for a transaction? Then none keeps a statement or a setting. */
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

/** A separate connection that waits for no other work and gives up soon. */
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

/** The client with statements and transactions that reject with a Problem if the database has a fault. */
function formatProblems(plain: PrismaClient): PrismaClient {
  const rethrow = (error: unknown): never => {
    throw problemFrom(error);
  };
  const extended = plain.$extends({ query: { $allOperations: ({ args, query }) => query(args).catch(rethrow) } });
  const transact = extended.$transaction.bind(extended) as (...work: unknown[]) => Promise<unknown>;
  const $transaction = (...work: unknown[]): Promise<unknown> => transact(...work).catch(rethrow);
  return extended.$extends({ client: { $transaction } }) as unknown as PrismaClient;
}

interface BatchOptions {
  /** Limit of items in one statement. */
  maxSize?: number;
  /** Limit of statements in flight. Items that arrive meanwhile share the next one. */
  concurrency?: number;
}

/** Limit of event loop turns for which a batch waits while others join it. */
const maxTurns = 16;

/**
 * Lets callers that arrive together share one statement: `run` gets their items and answers in the same order. It leaves
 * after the first turn of the event loop in which no one joins. Each caller gets its own answer, or the error of its own
 * item: a failed batch is repeated one by one. After a fault of the database, all callers get it and nothing is repeated,
 * because the items may have been stored.
 */
export function batch<I, O>(run: (items: I[]) => Promise<O[]>, { maxSize = 64, concurrency = 2 }: BatchOptions = {}) {
  const waiting: Waiting<I, O>[] = [];
  let flying = 0;
  let isLeaving = false;

  async function fly(): Promise<void> {
    flying += 1;
    while (waiting.length > 0) await deliver(waiting.splice(0, maxSize), run);
    flying -= 1;
  }

  /** Starts waiting work in its own turn, so that callers one turn later share a statement. */
  function leave(joined: number, turn = 1): void {
    setImmediate(() => {
      const { length } = waiting;
      if (length > joined && length < maxSize && turn < maxTurns) return leave(length, turn + 1);
      isLeaving = false;
      if (flying < concurrency && length > 0) void fly();
    });
  }

  return (item: I): Promise<O> =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isLeaving || flying >= concurrency) return;
      isLeaving = true;
      leave(waiting.length);
    });
}

interface Waiting<I, O> {
  item: I;
  resolve(answer: O): void;
  reject(error: unknown): void;
}

async function deliver<I, O>(waiting: Waiting<I, O>[], run: (items: I[]) => Promise<O[]>): Promise<void> {
  try {
    const answers = await run(waiting.map(({ item }) => item));
    for (const [at, { resolve }] of waiting.entries()) resolve(answers[at] as O);
  } catch (error) {
    if (waiting.length === 1 || isFault(error)) for (const { reject } of waiting) reject(error);
    else for (const each of waiting) await deliver([each], run);
  }
}

const isFault = (error: unknown): boolean => error instanceof Problem && error.code === 'database-unavailable';

/** Rows that a statement can delete within its time limit. */
const maxRows = 10_000;

/** Repeats a statement that changes at most `max` rows until it finds fewer; returns the total. */
export async function inBatches(change: (max: number) => Promise<number>): Promise<number> {
  for (let changed = 0; ;) {
    const count = await change(maxRows);
    changed += count;
    if (count < maxRows) return changed;
  }
}

/** Work that commits together with a change, or prevents it by throwing. */
export type InCommit = (tx: Prisma.TransactionClient) => Promise<void>;

/** Runs the parts one after the other; undefined ones are left out. */
export const inSequence =
  (...parts: (InCommit | undefined)[]): InCommit =>
  async (tx) => {
    for (const part of parts) await part?.(tx);
  };
