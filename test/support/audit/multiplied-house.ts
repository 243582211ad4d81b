import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { leafHash } from '#audit/entries/rules/entry';
import { canonicalJson } from '#platform/crypto/digest';
import { ringMac } from '#platform/crypto/key-ring';
import { openQuestion, ownerOf, sealQuestion } from '#requests/asking/verbs/question';
import type { ElicitationId } from '#platform/model/id';
import { sequenceAll, testRing } from '../nodes/log.ts';
import type { ReviewedHouse } from './reviewed-house.ts';

/** A row as PostgreSQL writes it in JSON. */
type Row = Record<string, unknown>;

/** What belongs to a request that has ended, and its entries in their order. */
interface Requests {
  tables: { table: string; rows: Row[] }[];
  entries: Entry[];
  ids: string[];
}

interface Entry {
  event: { id: string; at: string; type: string; elicitation?: string; rows?: Record<string, string> };
  /** The call whose state follows from it. */
  subject: string | null;
}

/** Another request in place of each, some time later: how its ids and times are written. */
interface Copy {
  rename(text: string): string;
  retell<T>(value: T): T;
}

/**
 * Repeats each ended request of a house so many times, each time later, as if people had asked and decided again: rows
 * and entries under ids of their own, sealed as nodes seal them, so that the log verifies. Comments and answers of the
 * copies do not open.
 */
export async function multiplyRequests(house: ReviewedHouse, copies: number): Promise<void> {
  const client = new pg.Client({ connectionString: house.server.databaseUrl });
  await client.connect();
  try {
    const requests = await readRequests(client);
    const span = house.to - house.from;
    const all = Array.from({ length: copies }, (_, at) => copyOf(requests, (at + 1) * span));
    // The rows come without their entries, which the triggers would miss.
    await client.query('SET session_replication_role = replica');
    for (const copy of all)
      for (const { table, rows } of requests.tables) await insert(client, table, rows.map(copyRow(table, copy)));
    await client.query('RESET session_replication_role');
    const digests = await readDigests(house);
    for (const copy of all)
      await insert(
        client,
        'audit_entry',
        requests.entries.map((entry) => copyEntry(entry, copy, digests)),
      );
    await sequenceAll(house.server.engine);
    await client.query('ANALYZE');
    house.goBy(copies * span);
  } finally {
    await client.end();
  }
}

const belonging = ['vote', 'revision', 'remark', 'break_glass', 'look'];

async function readRequests(client: pg.Client): Promise<Requests> {
  const read = async (table: string, where: string): Promise<{ table: string; rows: Row[] }> => {
    const { rows } = await client.query<{ row: Row }>(`SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${where}`);
    return { table, rows: rows.map(({ row }) => row) };
  };
  const ended = `status <> 'open' AND data_key IS NOT NULL`;
  const requests = `(SELECT id FROM elicitation WHERE ${ended})`;
  const tables = [
    await read('tool_call', `id IN (SELECT tool_call_id FROM elicitation WHERE ${ended})`),
    await read('elicitation', ended),
  ];
  for (const table of belonging) tables.push(await read(table, `elicitation_id IN ${requests}`));
  const rowIds = tables.flatMap(({ rows }) => rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])));
  const { rows } = await client.query<Entry>(
    `SELECT convert_from(body, 'UTF8')::json AS event, subject_id AS subject FROM audit_entry ORDER BY seq`,
  );
  const copied = new Set(rowIds);
  const entries = rows.filter((entry) => idsIn(entry).some((id) => copied.has(id)));
  return { tables, entries, ids: [...rowIds, ...entries.map(({ event }) => event.id)] };
}

const anyId = /\b[a-z]+_[\w-]{22}/g;
/** Times as the database, the log and snapshots write them. */
const anyTime = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)|\b17\d{11}\b/g;

/** What it is about, apart from rows, among which are those of others. */
const idsIn = ({ event: { rows: _rows, ...event } }: Entry): string[] => JSON.stringify(event).match(anyId) ?? [];

function copyOf({ ids }: Requests, shift: number): Copy {
  const names = new Map(ids.map((id) => [id, `${id.split('_')[0]}_${randomBytes(16).toString('base64url')}`]));
  const rename = (text: string): string => text.replace(anyId, (id) => names.get(id) ?? id);
  const later = (time: string): string =>
    /^\d{13}$/.test(time) ? String(Number(time) + shift) : new Date(Date.parse(time) + shift).toISOString();
  const retell = <T>(value: T): T => JSON.parse(rename(JSON.stringify(value)).replace(anyTime, later)) as T;
  return { rename, retell };
}

function copyRow(table: string, { retell }: Copy): (row: Row) => Row {
  if (table === 'tool_call') return (row) => ({ ...retell(row), key_hash: hex(randomBytes(32)) });
  if (table !== 'elicitation') return retell;
  return (row) => {
    const original = {
      id: row['id'] as ElicitationId,
      owner: bytes(row['owner']),
      dataKey: bytes(row['data_key']),
      payload: bytes(row['payload']),
    };
    const { id, ...copy } = retell(row);
    const question = openQuestion(testRing, original);
    const sealed = sealQuestion(testRing, id as ElicitationId, ownerOf(testRing, original), question);
    return { ...copy, id, owner: hex(sealed.owner), data_key: hex(sealed.dataKey), payload: hex(sealed.payload) };
  };
}

const bytes = (text: unknown): Buffer => Buffer.from(String(text).slice(2), 'hex');
const hex = (value: Uint8Array): string => `\\x${Buffer.from(value).toString('hex')}`;

/** What the log must say of each row. */
async function readDigests({ server }: ReviewedHouse): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  await server.engine.readLog(async ({ requestPage, callPage }) => {
    for (const read of [requestPage, callPage])
      for (let after: string | null = ''; after !== null;) {
        const page: Awaited<ReturnType<typeof read>> = await read(after);
        for (const [row, digest] of Object.entries(page.rows)) digests.set(row, digest);
        after = page.next;
      }
  });
  return digests;
}

/** The latest entry about a row says what is stored; of rows that are not copied it says nothing. */
function copyEntry({ event, subject }: Entry, { rename, retell }: Copy, digests: Map<string, string>): Row {
  const isCopied = (row: string): boolean => rename(row) !== row;
  const digestOf = (row: string, digest: string) => (digests.get(row) === digest ? digests.get(retell(row)) : digest);
  const rows = Object.entries(event.rows ?? {}).filter(([row]) => isCopied(row));
  const copy = {
    ...retell(event),
    ...(event.rows && { rows: Object.fromEntries(rows.map(([row, digest]) => [retell(row), digestOf(row, digest)])) }),
  };
  const body = Buffer.from(canonicalJson(copy));
  return {
    id: copy.id,
    at: copy.at,
    type: copy.type,
    elicitation_id: copy.elicitation ?? null,
    subject_id: subject && isCopied(subject) ? rename(subject) : null,
    body: hex(body),
    leaf_hash: hex(leafHash(body)),
    mac: hex(ringMac(testRing, 'evidence', body)),
  };
}

async function insert(client: pg.Client, table: string, rows: Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first).join(', ');
  const text = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1)`;
  await client.query(text, [JSON.stringify(rows)]);
}
