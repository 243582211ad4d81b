import { refuseApprover } from '../log/read-log.ts';
import { Problem } from '../../model/problem.ts';
import { reportFilters, type Report, type ReportFilter, type ReportId } from '../../model/report.ts';
import type { User } from '../../model/user.ts';
import { filtersOf } from '../../store/log/reports.ts';
import type { Engine } from '../engine.ts';

/** The most rows of one answer. */
const most = 10_000;

export interface NamedReport extends Report {
  /** The name of each person in it, by id. */
  names: Record<string, string>;
}

/**
 * Answers one of the usual questions, for administrators and reviewers. An entry says who asked what first. INVALID_INPUT
 * for a filter that the question does not know.
 */
export async function runReport(
  { reports, access, rules, now }: Pick<Engine, 'reports' | 'access' | 'rules' | 'now'>,
  user: User,
  id: ReportId,
  { from, to = now(), ...filters }: Omit<ReportFilter, 'to'> & { to?: number | undefined },
  isTaken = false,
): Promise<NamedReport> {
  refuseApprover(user);
  const filter: ReportFilter = { from, to, ...filters };
  refuseForeignFilter(id, filter);
  const subjects = [
    id,
    ...Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`)),
  ];
  const type = isTaken ? 'access.exported' : 'access.listed';
  await access.recordAccess({ type, what: 'report', by: { kind: 'user', id: user.id }, about: subjects });
  const report = await reports.run(id, filter, most);
  const { names } = await rules.users();
  return { ...report, names: Object.fromEntries(peopleIn(report).map((id) => [id, names.get(id) ?? id])) };
}

function refuseForeignFilter(id: ReportId, filter: ReportFilter): void {
  if (filter.to < filter.from) throw wrong('to', 'Give an end that is not before the beginning.');
  const filters = filtersOf(id);
  const foreign = reportFilters.find((name) => filter[name] !== undefined && !filters.includes(name));
  if (foreign) throw wrong(foreign, `Leave this out: the question can be narrowed by ${filters.join(', ')} and time.`);
  if (id === 'access' && filter.person === undefined)
    throw wrong('person', 'Name the person whose access it is about.');
}

const wrong = (name: string, message: string): Problem =>
  new Problem('INVALID_INPUT', { errors: [{ path: [name], message }] });

function peopleIn({ columns, rows }: Report): string[] {
  const places = columns.flatMap(({ kind }, at) => (kind === 'person' || kind === 'people' ? [at] : []));
  const ids = rows.flatMap((row) => places.flatMap((at) => row[at] ?? []));
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}
