import { readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Report } from '#audit/search/contract';
import { reportIds, type ReportId } from '#audit/reports/contract/report';
import { naiveReports } from './naive-reports.ts';
import { readExport } from './read-export.ts';
import type { ReviewedHouse } from './reviewed-house.ts';

/** The statements of the manual, as written, with the sentence before each; the ten usual ones come first. */
export const manualStatements = [
  ...readFileSync('docs/audit-sql.md', 'utf8').matchAll(/\n([^\n]+):\n\n```sql\n([^`]+)```/g),
].map(([, title = '', sql = '']) => ({ title, sql }));

/** What a question is narrowed by, as in the manual: the tool, or the person. */
export const narrowing = (id: ReportId, { people }: ReviewedHouse): Record<string, string> =>
  ({
    approvals: { tool: 'refund' },
    requests: { client: 'Night agent', hours: '22-6', zone: 'Europe/Berlin' },
    access: { person: people.ada.id },
  })[id as string] ?? {};

/** From nothing but the entries of an export: of each row what tells it from others, in one order. */
export async function answerOffline({ server, people }: ReviewedHouse): Promise<Record<ReportId, string[]>> {
  const answers = naiveReports(await readExport(server.engine), people.ada.id, 'refund');
  for (const lines of Object.values(answers)) lines.sort();
  return answers;
}

/** The same of an answer of the server. */
export const answerIn = (id: ReportId, { columns, rows }: Pick<Report, 'columns' | 'rows'>): string[] =>
  linesOf(
    id,
    rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]]))),
  );

/** The same by the statement of the manual, which tells people by name and groups one a line. */
export async function answerInSql(
  id: ReportId,
  by: pg.Client,
  { people }: ReviewedHouse,
  narrower?: Narrower,
): Promise<string[]> {
  const statement = manualStatements[reportIds.indexOf(id)]?.sql ?? '';
  const { rows } = await by.query<Record<string, unknown>>(
    narrower ? `SELECT * FROM (${statement.trim().replace(/;$/, '')}) usual WHERE ${narrower.where}` : statement,
    narrower && [narrower.value],
  );
  if (id !== 'could-approve') return linesOf(id, rows);
  const ids = new Map(Object.values(people).map(({ id: person, name }) => [name, person]));
  return rows.map((row) => `${ids.get(String(row['name']))} ${row['group_name'] === null ? 0 : 1}`).sort();
}

const keys: Record<ReportId, string[]> = {
  approvals: ['request', 'approvers'],
  requests: ['request', 'client', 'requester', 'outcome', 'lapse'],
  'own-approvals': ['request', 'by_key_maker'],
  automatic: ['request', 'grant_id', 'given_by'],
  overrides: ['request', 'reviewed_at'],
  edited: ['request', 'revision', 'approvers'],
  hasty: ['request', 'voted_at'],
  'could-approve': ['person', 'groups'],
  readers: ['at', 'access', 'request'],
  'policy-changes': ['at', 'change', 'policy', 'version'],
  access: ['at', 'access', 'request'],
};

const linesOf = (id: ReportId, rows: Record<string, unknown>[]): string[] =>
  rows.map((row) => keys[id].map((key) => textOf(key, row[key])).join(' ')).sort();

const textOf = (key: string, cell: unknown): string =>
  Array.isArray(cell)
    ? key === 'groups'
      ? String(cell.length)
      : cell.join()
    : cell instanceof Date
      ? String(cell.getTime())
      : String(cell ?? '');

/** Nine of them again, each by one filter more: with the eleven they are twenty. */
export const narrowerQuestions: [ReportId, 'tool' | 'policy' | 'person' | 'request'][] = [
  ['approvals', 'person'],
  ['approvals', 'policy'],
  ['own-approvals', 'tool'],
  ['automatic', 'tool'],
  ['edited', 'tool'],
  ['hasty', 'tool'],
  ['readers', 'request'],
  ['policy-changes', 'policy'],
  ['access', 'request'],
];

export interface Narrower {
  value: string;
  /** In SQL, of the usual answer. */
  where: string;
  /** The same from an export. */
  expected: string[];
}

/** By the value of one of the rows that an export answers with, so that there is an answer. */
export async function narrow(
  [id, by]: (typeof narrowerQuestions)[number],
  { server, people }: ReviewedHouse,
  offline: Record<ReportId, string[]>,
): Promise<Narrower> {
  const opened = (await readExport(server.engine)).filter((entry) => entry.type === 'elicitation.opened');
  const requests = new Map(opened.map((entry) => [String(entry.elicitation), entry]));
  const of = (line: string): string | undefined => {
    const words = line.split(' ');
    if (by === 'request') return words.at(-1);
    if (by === 'policy' && id === 'policy-changes') return words[2];
    const request = requests.get(words[0] ?? '');
    return by === 'tool' ? request?.tool : request?.policy?.replace(/@.*$/, '');
  };
  const lines = offline[id];
  if (by === 'person') {
    const value = people.bob.id;
    return { value, where: '$1 = ANY (approvers)', expected: lines.filter((line) => line.includes(value)) };
  }
  const value = lines.map(of).find((named) => named !== undefined && named !== '') ?? '';
  return { value, where: `${by} = $1`, expected: lines.filter((line) => of(line) === value) };
}
