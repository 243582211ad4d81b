import { rowDigest } from '#audit/entries/rules/evidence';
import { Prisma } from './generated/prisma/client.ts';
import type { Database } from './database.ts';

/** A column's type in PostgreSQL. Times are milliseconds in code, numerics plain digits. */
type ColumnType =
  'text' | 'int' | 'bigint' | 'numeric' | 'boolean' | 'jsonb' | 'text[]' | 'int[]' | 'bytea' | 'timestamptz';

/** One value of a row, and its stored form. */
export interface Column<T> {
  /** Type of each column of PostgreSQL: one, named after the value, unless the value spans several. */
  types: ColumnType | Readonly<Record<string, ColumnType>>;
  split?: (value: T) => object;
  join?: (parts: never) => T;
  /** Rows whose digest includes it. */
  covered: 'always' | 'unless-null' | 'never';
  /** Do reading statements select it? */
  isRead: boolean;
}

const column = <T>(types: ColumnType): Column<T> => ({ types, covered: 'always', isRead: true });
export const text = <T extends string | null = string>() => column<T>('text');
export const integer = <T extends number | null = number>() => column<T>('int');
export const bigint = <T extends bigint | number | null = number>() => column<T>('bigint');
export const numeric = <T extends string | null = string>() => column<T>('numeric');
export const boolean = <T extends boolean | null = boolean>() => column<T>('boolean');
export const json = <T>() => column<T>('jsonb');
export const texts = <T extends string[] | null = string[]>() => column<T>('text[]');
export const integers = () => column<number[]>('int[]');
export const bytes = <T extends Uint8Array | null = Uint8Array>() => column<T>('bytea');
export const time = <T extends number | null = number>() => column<T>('timestamptz');

/** A column with another name in PostgreSQL. */
export const named = <T>(name: string, column: Column<T>): Column<T> => ({
  ...column,
  types: { [name]: column.types as ColumnType },
});

/** A value in several columns, which the digest covers as one. */
export const inSeveral = <T, P extends object>(
  types: Readonly<Record<keyof P & string, ColumnType>>,
  split: (value: T) => P,
  join: (parts: P) => T,
): Column<T> => ({ types, split, join, covered: 'always', isRead: true });

/** A column added later: rows in which it is null keep their digest. */
export const later = <T>(column: Column<T>): Column<T> => ({ ...column, covered: 'unless-null' });

/** A column outside digests. The reason names its other protection, or why it needs none. */
export const uncovered = <T>(_reason: string, column: Column<T>): Uncovered<T> => ({ ...column, covered: 'never' });
type Uncovered<T> = Column<T> & { covered: 'never' };

/** A column that only conditions of statements read. */
export const unread = <C extends { isRead: boolean }>(column: C): C => ({ ...column, isRead: false });

/** A row with these columns, in code. */
export type RowOf<C> = { [K in keyof C]: C[K] extends Column<infer T> ? T : never };

type Covered<C> = { [K in keyof C]: C[K] extends { covered: 'never' } ? never : K }[keyof C];

/** A row in other code: ids as plain texts, times as dates. */
type Digested<T> = T extends string ? string : T extends number ? number | Date : T;

/** Columns of statements, which follow from this list. */
export interface Recordset<C> {
  columns: C;
  /** Their names in PostgreSQL. */
  names: readonly string[];
  /** `id, at`: the columns of an INSERT. */
  list: Prisma.Sql;
  /** `id text, at bigint`: the definition of rows that `toJson` made. */
  definition: Prisma.Sql;
  /** The values of such rows under this name. */
  values(rows: string): Prisma.Sql;
  /** `status = i.status`: assignments of the values of such rows. */
  assignments(rows: string): Prisma.Sql;
  /** As `assignments` where the row has a value in the first of these columns; else the column keeps its own. */
  assignmentsIfAny(rows: string, own: string): Prisma.Sql;
  toJson(row: RowOf<C>): object;
}

/** A stored kind of row. */
export interface Table<C> extends Recordset<C> {
  name: string;
  /** `e.tool_call_id AS "toolCallId"`: selected columns for `read`. */
  selection(table: string): Prisma.Sql;
  /** The selected row, without other columns of the statement. */
  read(selected: object): RowOf<C>;
  /** The digest of a row: it covers all columns, in this order, except uncovered ones. */
  digest(row: { [K in Covered<C>]: Digested<RowOf<C>[K]> }): string;
  /** An INSERT of one row, which a statement may extend. */
  insertion(row: RowOf<C>): Prisma.Sql;
  /** Some of its columns. */
  only<K extends keyof C>(...names: K[]): Recordset<Pick<C, K>>;
  /** `state = $1, …`: assignments of these values of the row, as parameters. */
  set<K extends keyof C>(row: RowOf<Pick<C, K>>, ...names: K[]): Prisma.Sql;
}

interface Field {
  property: string;
  column: Column<unknown>;
  parts: Part[];
}

interface Part {
  name: string;
  type: ColumnType;
}

/** Base64 of bytes, which travel to PostgreSQL inside JSON. */
export const base64 = (source: Uint8Array | null): string | null =>
  source && Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('base64');

export function recordset<C extends object>(columns: C): Recordset<C> {
  const fields = fieldsOf(columns);
  const parts = fields.flatMap((field) => field.parts);
  const assigned = (rows: string) => parts.map((part) => [part.name, valueIn(part, rows)] as const);
  const [first] = parts;
  return {
    columns,
    names: parts.map(({ name }) => name),
    list: listed(parts.map(({ name }) => name)),
    definition: listed(parts.map(({ name, type }) => `${name} ${jsonTypes[type] ?? type}`)),
    values: (rows) => listed(assigned(rows).map(([, value]) => value)),
    assignments: (rows) => listed(assigned(rows).map(([name, value]) => `${name} = ${value}`)),
    assignmentsIfAny: (rows, own) =>
      listed(
        assigned(rows).map(
          ([name, value]) => `${name} = CASE WHEN ${rows}.${first?.name} IS NULL THEN ${own}.${name} ELSE ${value} END`,
        ),
      ),
    toJson: writerOf(fields),
  };
}

export function defineTable<C extends object>(name: string, columns: C): Table<C> {
  const fields = fieldsOf(columns);
  const readFields = fields.filter(({ column }) => column.isRead);
  const pick = (names: (keyof C)[]) => Object.fromEntries(names.map((property) => [property, columns[property]]));
  const rows = recordset(columns);
  const insert = Prisma.sql`INSERT INTO ${Prisma.raw(name)} (${rows.list})
    SELECT ${rows.values('new')} FROM jsonb_to_record(${null}::jsonb) AS new(${rows.definition})`;
  return {
    ...rows,
    name,
    selection: (table) => listed(readFields.flatMap((field) => selected(field, table))),
    read: readerOf<C>(readFields),
    digest: digesterOf(name, fields),
    insertion: (row) => new Prisma.Sql(insert.strings, [JSON.stringify(rows.toJson(row))]),
    only: (...names) => recordset(pick(names) as never),
    set: (row, ...names) =>
      Prisma.join(
        fieldsOf(pick(names)).map(({ property, parts: [part] }) => assignment(part, (row as Values)[property])),
      ),
  };
}

type Values = Record<string, unknown>;

const fieldsOf = (columns: object): Field[] =>
  Object.entries(columns as Record<string, Column<unknown>>).map(([property, column]) => {
    const { types } = column;
    const named = typeof types === 'string' ? { [inSql(property)]: types } : types;
    return { property, column, parts: Object.entries(named).map(([name, type]) => ({ name, type })) };
  });

const inSql = (property: string): string => property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const listed = (items: string[]): Prisma.Sql => Prisma.raw(items.join(', '));

/** Column types with another type in JSON. */
const jsonTypes: Partial<Record<ColumnType, string>> = { bytea: 'text', timestamptz: 'bigint' };

function valueIn({ name, type }: Part, rows: string): string {
  if (type === 'bytea') return `decode(${rows}.${name}, 'base64')`;
  return type === 'timestamptz' ? `to_timestamp(${rows}.${name} / 1000.0)` : `${rows}.${name}`;
}

const selected = ({ property, parts, column }: Field, table: string): string[] =>
  parts.map(({ name, type }) => {
    const value = type === 'numeric' ? `${table}.${name}::text` : `${table}.${name}`;
    return `${value} AS "${column.join ? name : property}"`;
  });

function assignment(part: Part | undefined, value: unknown): Prisma.Sql {
  const { name, type } = part ?? { name: '', type: 'text' };
  const assigned = type === 'timestamptz' ? Prisma.sql`to_timestamp(${value}::bigint / 1000.0)` : Prisma.sql`${value}`;
  return Prisma.sql`${Prisma.raw(name)} = ${assigned}`;
}

/** Writer that leaves out null: a row of the definition has null there. */
function writerOf(fields: Field[]) {
  const writers = fields.map(({ property, column: { split }, parts }) => ({
    property,
    split,
    parts: parts.map(({ name, type }) => ({ name, write: writes[type] ?? asItIs })),
  }));
  return (row: object): object => {
    const written: Values = {};
    for (const { property, split, parts } of writers) {
      const own = (row as Values)[property];
      const pieces = split && (split(own) as Values);
      for (const { name, write } of parts) {
        const value = pieces ? pieces[name] : own;
        if (value !== null && value !== undefined) written[name] = write(value);
      }
    }
    return written;
  };
}

const asItIs = (value: unknown): unknown => value;
/** Digits of a bigint: JSON has no integers of 64 bits. */
const inDigits = (value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
const writes: Partial<Record<ColumnType, (value: unknown) => unknown>> = {
  bytea: base64 as (value: unknown) => unknown,
  bigint: inDigits,
};

function readerOf<C>(fields: Field[]) {
  return (selected: object): RowOf<C> => {
    const row: Values = {};
    for (const { property, column } of fields) {
      const value = (selected as Values)[property];
      row[property] = column.join ? column.join(selected as never) : value instanceof Date ? value.getTime() : value;
    }
    return row as RowOf<C>;
  };
}

function digesterOf(name: string, fields: Field[]) {
  const always = fields.filter(({ column }) => column.covered === 'always').map(({ property }) => property);
  const sometimes = fields.filter(({ column }) => column.covered === 'unless-null').map(({ property }) => property);
  return (row: object): string => {
    const values = row as Record<string, string | null>;
    const rest = sometimes.flatMap((property, at) => {
      const value = values[property] ?? null;
      if (value === null) return [];
      // With its name, but for the first: no value can pass for that of another column that is null.
      return [at === 0 ? value : { [property]: value }];
    });
    return rowDigest(name, [...always.map((property) => values[property]), ...rest]);
  };
}

/**
 * `ANY` of a parameter such as `$1::text[]`. No plan depends on how long the list is, so PostgreSQL keeps one; a
 * statement whose costs differ with its parameters is planned each time.
 */
export const anyOf = (list: Prisma.Sql): Prisma.Sql => Prisma.sql`ANY(ARRAY(SELECT unnest(${list})))`;

/** The database's current time as a column: milliseconds since 1970. */
export const timeColumn = Prisma.sql`(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at`;

/** This time, in milliseconds since 1970, for a statement to compare with. */
export const moment = (at: number | null): Prisma.Sql => Prisma.sql`to_timestamp(${at}::bigint / 1000.0)`;

export async function readTime(prisma: Pick<Database['prisma'], '$queryRaw'>): Promise<{ at: number }> {
  const [answer] = await prisma.$queryRaw<[{ at: number }]>`SELECT ${timeColumn}`;
  return answer;
}

/** The numbers of Assentry's advisory locks, one for each use. Prisma's lock for migrations is another one. */
export const locks = {
  directory: 4_700_001,
  policy: 4_700_002,
  shadow: 4_700_003,
  sequencer: 4_700_004,
  secrets: 4_700_005,
  keeping: 4_700_006,
  latestEntry: 4_700_007,
} as const;
