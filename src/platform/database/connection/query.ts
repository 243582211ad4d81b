import pg from 'pg';
import type { Prisma } from '../generated/prisma/client.ts';
import { problemFrom } from '../fault.ts';

/**
 * Sends one statement by itself, never inside a transaction of Prisma's: the same pool and the same prepared statements
 * as `$queryRaw`, at a quarter of its cost. Whole numbers of 64 bits come as bigint, times as Date, bytes as they are.
 */
export type Query = <Row>(statement: Prisma.Sql) => Promise<Row[]>;

export function createQuery(on: Pick<pg.Pool, 'query'>, nameOf: NameOf): Query {
  return async <Row>({ text, values }: Prisma.Sql): Promise<Row[]> => {
    try {
      const name = nameOf({ sql: text });
      const { rows } = await on.query({ ...(name !== '' && { name }), text, values, types });
      return rows as Row[];
    } catch (error) {
      throw problemFrom(error);
    }
  };
}

type NameOf = (query: { sql: string }) => string;

/** Commits all statements of the work together, or none if it throws: for loops, at a fraction of Prisma's cost. */
export type Transact = <T>(work: (query: Query) => Promise<T>) => Promise<T>;

export function createTransact(pool: pg.Pool, nameOf: NameOf): Transact {
  return async (work) => {
    const client = await pool.connect().catch((error: unknown) => {
      throw problemFrom(error);
    });
    try {
      await client.query('BEGIN');
      const result = await work(createQuery(client, nameOf));
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      await client.query('ROLLBACK').then(
        () => client.release(),
        () => client.release(true), // its connection is gone or of unknown state
      );
      throw problemFrom(error);
    }
  };
}

/** Sends statements inside a transaction of Prisma's. */
export const queryIn =
  (tx: Pick<Prisma.TransactionClient, '$queryRaw'>): Query =>
  (statement) =>
    tx.$queryRaw(statement);

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig;
