import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { rowsOf, type SeenStatement } from '../statement-watch.ts';

type Row = Record<string, unknown>;

/** The four statements of one lifecycle as the engine sent them, one row each. */
export interface Recording {
  open: { text: string; row: Row };
  change: { text: string; row: Row };
  read: { text: string };
}

/** What is sent in one lifecycle; made before the clock starts. */
export interface BareLifecycle {
  open: [string];
  change: [string];
  read: [[string]];
}

export function recordLifecycle(values: SeenStatement[]): Recording {
  const find = (kind: SeenStatement['kind']): SeenStatement => {
    const statements = values.filter((statement) => statement.kind === kind);
    if (!statements[0] || rowsOf(statements[0]).length !== 1)
      throw new TypeError(`There is no statement of one row: ${kind}.`);
    return statements[0];
  };
  const withRow = (statement: SeenStatement) => ({ text: statement.text, row: rowsOf(statement)[0] as Row });
  if (values.filter(({ kind }) => kind === 'read').length !== 2)
    throw new TypeError('A lifecycle reads its row twice.');
  return { open: withRow(find('open')), change: withRow(find('change')), read: { text: find('read').text } };
}

/** The recorded rows under new ids of the same length. */
export function makeBareLifecycle({ open, change }: Recording): BareLifecycle {
  const id = newId('eli');
  const callId = newId('call');
  const entriesOf = ({ row }: { row: Row }, subject: string | null) =>
    (row['entries'] as Row[]).map((entry) => ({ ...entry, id: newId('aud'), elicitation_id: id, subject_id: subject }));
  const newHash = (): string => randomBytes(32).toString('base64');
  const call = { ...(open.row['call'] as Row), id: callId, key_hash: newHash() };
  const names = { id, tool_call_id: callId, wish: callId, equal_hash: newHash() };
  const opening = { ...names, call, entries: entriesOf(open, callId) };
  const vote = { ...(change.row['vote'] as Row), id: newId('vot'), elicitation_id: id };
  const changing = { id, vote, entries: entriesOf(change, null) };
  return {
    open: [JSON.stringify([{ ...open.row, ...opening }])],
    change: [JSON.stringify([{ ...change.row, ...changing }])],
    read: [[id]],
  };
}

const newId = (prefix: string): string => `${prefix}_${randomBytes(16).toString('base64url')}`;

/** The same SQL by nothing but a pool of connections with prepared statements: no keys, no checks, no machine. */
export async function runBareLifecycle(
  pool: pg.Pool,
  recording: Recording,
  { open, change, read }: BareLifecycle,
): Promise<void> {
  const send = async (name: keyof Recording, values: unknown[]): Promise<void> => {
    const { rowCount } = await pool.query({ name, text: recording[name].text, values });
    if (rowCount !== 1) throw new TypeError(`The statement ${name} found nothing to do.`);
  };
  await send('open', open);
  await send('read', read);
  await send('change', change);
  await send('read', read);
}
