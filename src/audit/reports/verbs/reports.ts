import { csvLine } from '../../exports/rules/file.ts';
import { invalidInput } from '#platform/model/problem';
import {
  type Cell,
  type ReportColumn,
  isByServer,
  reportFilters,
  type Hours,
  type Report,
  type ReportFilter,
  type ReportId,
} from '../contract/report.ts';
import { isTimeZone } from '#platform/model/names';
import { assertServersOf, withoutPermission } from '#people/directory/verbs/may';
import { filterFacts } from '../../exports/rules/filter.ts';
import type { User } from '#people/directory/contract/user';
import { filtersOf } from '../store/reports.ts';
import { hashOfName } from '../../entries/verbs.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { hashesOfRequester } from '#requests/inbox/verbs/inbox';
import { unknownIn } from '../../search/verbs.ts';
import { principalHashes } from '#platform/crypto/key-ring';
import type { AskedRow } from '../../entries/store/asked-names.ts';
import { readable } from '#requests/state/verbs/change';
import { openQuestion } from '#requests/asking/verbs/question';

/**
 * A report as CSV (RFC 4180): the name stands after each person's id, times are ISO 8601 in UTC, and nothing is a formula.
 * INVALID_INPUT if there are more rows than it has: a table has no place to say so.
 */
export function reportTable({ columns, rows, names, isCut }: NamedReport): string {
  if (isCut) throw invalidInput(['to'], `Choose a shorter period: there are more than ${rows.length} rows.`);
  const head = columns.flatMap(({ name, kind }) =>
    kind === 'person' || kind === 'people' || kind === 'requester' ? [name, `${name}_name`] : [name],
  );
  const lines = rows.map((row) => columns.flatMap((column, at) => textsOf(column, row[at] ?? null, names)));
  return [head, ...lines].map(csvLine).join('');
}

function textsOf({ kind }: ReportColumn, cell: Cell, names: NamedReport['names']): string[] {
  if (kind === 'person' || kind === 'requester')
    return [textOf(cell), typeof cell === 'string' ? (names[cell] ?? '') : ''];
  if (kind === 'people' && Array.isArray(cell)) return [textOf(cell), cell.map((id) => names[id] ?? '').join('\n')];
  return [kind === 'time' && typeof cell === 'number' ? new Date(cell).toISOString() : textOf(cell)];
}

const textOf = (cell: Cell): string => (cell === null ? '' : Array.isArray(cell) ? cell.join('\n') : String(cell));

/** The most rows of one answer. */
const maxRows = 10_000;

interface NamedReport extends Report {
  /** The name of each person in it, by id, and of each requester, by keyed hash. */
  names: Record<string, string>;
  /** For an empty answer, the filters whose value never occurred at the servers that this person reads about. */
  unknown: string[];
}

/** Filters of a question, as people write them. */
interface ReportRequest extends Omit<ReportFilter, 'to' | 'requester' | 'hours'> {
  to?: number | undefined;
  /** The subject, or the keyed hash that stands for it in the views. */
  requester?: string | undefined;
  /** Such as `22-6`, in `zone`. */
  hours?: string | undefined;
  zone?: string | undefined;
}

/** Milliseconds; clocks of readers may be ahead by less. */
const day = 86_400_000;
const notYet = invalidInput(['to'], 'Give a time that is not still to come: who can approve then is not known.');

type ReportEngine = Pick<Engine, 'reports' | 'askedNames' | 'access' | 'rules' | 'ring' | 'directory' | 'now'>;

/**
 * Answers one of the usual questions, for administrators and reviewers; for those of a space, one that is about requests, of its
 * servers. An entry says who asked what first: a requester stands in it as a keyed hash. INVALID_INPUT for a filter that the
 * question does not have.
 */
export async function runReport(
  engine: ReportEngine,
  user: User,
  id: ReportId,
  { requester, hours, zone = 'UTC', ...request }: ReportRequest,
  isTaken = false,
): Promise<NamedReport> {
  const { reports, access, rules, ring, now } = engine;
  const among = assertServersOf(await engine.directory.read(), user, 'read-log');
  if (among !== null && !isByServer(id)) throw withoutPermission('read-log');
  const filter: ReportFilter = {
    ...request,
    to: request.to ?? now(),
    ...(requester !== undefined && { requester: await hashesOf(engine, requester) }),
    ...(hours !== undefined && { hours: readHours(hours, zone) }),
  };
  assertOwnFilters(id, filter);
  if (id === 'could-approve' && filter.to > now() + day) throw notYet;
  const { requester: _hashes, hours: _hours, ...plain } = filter;
  const written = {
    ...plain,
    ...(requester !== undefined && { requester: hashOfName(ring, 'requester', requester) }),
    ...(hours !== undefined && { hours: `${hours} ${zone}` }),
  };
  const type = isTaken ? 'access.exported' : 'access.listed';
  const about = [id, ...filterFacts(written)];
  await access.recordAccess({ type, what: 'report', by: { kind: 'user', id: user.id }, about });
  const report = await reports.run(id, filter, maxRows, among);
  const { names } = await rules.users();
  return {
    ...report,
    names: {
      ...Object.fromEntries(peopleIn(report).map((person) => [person, names.get(person) ?? person])),
      ...(await nameRequesters(engine, report)),
    },
    unknown: report.rows.length === 0 ? await unknownIn(engine, filter, among) : [],
  };
}

/** The keyed hashes of a requester at each server; one that is copied from a view is itself. */
async function hashesOf({ ring, directory }: ReportEngine, requester: string): Promise<string[]> {
  if (/^[\da-f]{64}$/.test(requester)) return [requester];
  return hashesOfRequester(ring, requester, await directory.read()).map((hash) => hash.toString('hex'));
}

function readHours(hours: string, zone: string): Hours {
  if (!isTimeZone(zone)) throw invalidInput(['zone'], 'Name a time zone such as Europe/Berlin.');
  const [since = 0, until = 0] = hours.split('-').map(Number);
  return { since, until, zone };
}

function assertOwnFilters(id: ReportId, filter: ReportFilter): void {
  if (filter.to < filter.from) throw invalidInput(['to'], 'Give an end that is not before the beginning.');
  const filters = filtersOf(id);
  const foreign = reportFilters.find((name) => filter[name] !== undefined && !filters.includes(name));
  if (foreign)
    throw invalidInput([foreign], `Leave this out: the question can be narrowed by ${filters.join(', ')} and time.`);
  if (id === 'access' && filter.person === undefined)
    throw invalidInput(['person'], 'Name the person whose access it is about.');
}

function peopleIn({ columns, rows }: Report): string[] {
  const places = columns.flatMap(({ kind }, at) => (kind === 'person' || kind === 'people' ? [at] : []));
  const ids = rows.flatMap((row) => places.flatMap((at) => row[at] ?? []));
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}

/** The most requesters whose names one answer has, and how many of their requests are opened for each. */
const maxNamed = 200;
const attempts = 2;

/**
 * The names behind the keyed hashes of an answer: only of requesters with a request in it whose content was not erased,
 * for whose name the request itself vouches.
 */
async function nameRequesters(
  { askedNames, ring }: Pick<Engine, 'askedNames' | 'ring'>,
  { columns, rows }: Report,
): Promise<Record<string, string>> {
  const placeOf = (kind: string): number => columns.findIndex((column) => column.kind === kind);
  const [requester, request] = [placeOf('requester'), placeOf('request')];
  if (requester < 0) return {};
  const requests = new Map<string, string[]>();
  for (const row of rows) {
    const [hash, id] = [row[requester], row[request]];
    if (typeof hash !== 'string' || hash === '' || typeof id !== 'string') continue;
    const before = requests.get(hash) ?? [];
    if (before.length < attempts && (before.length > 0 || requests.size < maxNamed))
      requests.set(hash, [...before, id]);
  }
  const vouching = await askedNames.sealed([...requests.values()].flat());
  return Object.fromEntries(vouching.flatMap((row) => namesBehind(ring, row)));
}

/** A row that was given the hash of someone else names no one. */
function namesBehind(ring: Engine['ring'], row: AskedRow): [string, string][] {
  const question = readable(() => openQuestion(ring, row));
  if (!question) return [];
  const { requester } = question;
  return principalHashes(ring, row.serverId, requester).map((hash) => [hash.toString('hex'), requester.subject]);
}
