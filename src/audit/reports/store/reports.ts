import { Prisma } from '#platform/database/generated/prisma/client';
import {
  reportFilters,
  type Cell,
  type Hours,
  type Report,
  type ReportColumn,
  type ReportFilter,
  type ReportId,
} from '../contract/report.ts';
import type { Database } from '#platform/database/database';
import { isBesidePolicy } from '../../entries/store/entries.ts';
import type { Among } from './insights.ts';

/** One question: a view, which of its rows, in which order, and what is shown of each. */
interface Question {
  view: string;
  /** Condition of its rows; absent for all. */
  where?: string;
  /** The time that the period is about; none if the view answers for its end. */
  time: string | null;
  columns: Record<string, ReportColumn['kind']>;
  /** The columns in which a person is sought, if not `person`. */
  people?: string[];
  /** Filters besides its own columns. */
  narrowedBy?: ('client' | 'requester' | 'request')[];
  order: string;
}

const what = { request: 'request', server: 'text', tool: 'text', policy: 'text' } as const;
const decided = { ...what, policy_version: 'number', also_by: 'list' } as const;
const whoAsked: Question['narrowedBy'] = ['client', 'requester'];

/** Each question, in terms of docs/audit-sql.md. */
const questions: Record<ReportId, Question> = {
  approvals: {
    view: 'audit.decisions',
    where: `outcome = 'accepted'`,
    time: 'decided_at',
    columns: {
      ...decided,
      decided_by: 'text',
      approvers: 'people',
      person: 'person',
      asked_at: 'time',
      decided_at: 'time',
    },
    people: ['person', 'approvers'],
    narrowedBy: whoAsked,
    order: 'decided_at, request',
  },
  requests: {
    view: 'audit.decisions',
    time: 'asked_at',
    columns: {
      asked_at: 'time',
      request: 'request',
      server: 'text',
      client: 'text',
      requester: 'requester',
      tool: 'text',
      policy: 'text',
      also_by: 'list',
      outcome: 'text',
      lapse: 'text',
      decided_by: 'text',
      approvers: 'people',
      person: 'person',
      decided_at: 'time',
    },
    people: ['person', 'approvers'],
    order: 'asked_at, request',
  },
  'own-approvals': {
    view: 'audit.votes',
    where: '(by_requester OR by_key_maker)',
    time: 'voted_at',
    columns: {
      ...what,
      person: 'person',
      stands_in_for: 'person',
      by_key_maker: 'flag',
      choice: 'text',
      voted_at: 'time',
    },
    people: ['person', 'stands_in_for'],
    narrowedBy: whoAsked,
    order: 'voted_at, vote',
  },
  automatic: {
    view: `(SELECT d.*, o.approvers AS given_by FROM audit.decisions d LEFT JOIN audit.grants g USING (grant_id)
      LEFT JOIN audit.decisions o ON o.request = g.request)`,
    where: `outcome = 'accepted' AND decided_by = 'policy'`,
    time: 'decided_at',
    columns: { ...decided, grant_id: 'text', given_by: 'people', decided_at: 'time' },
    people: ['given_by'],
    narrowedBy: whoAsked,
    order: 'decided_at, request',
  },
  overrides: {
    view: 'audit.overrides',
    time: 'approved_at',
    columns: {
      ...what,
      person: 'person',
      approved_at: 'time',
      review_due_at: 'time',
      reviewer: 'person',
      reviewed_at: 'time',
      justified: 'flag',
    },
    people: ['person', 'reviewer'],
    order: 'approved_at, request',
  },
  edited: {
    view: 'audit.decisions',
    where: `edited AND outcome = 'accepted'`,
    time: 'decided_at',
    columns: {
      ...decided,
      revision: 'number',
      approvers: 'people',
      person: 'person',
      asked_at: 'time',
      decided_at: 'time',
    },
    people: ['person', 'approvers'],
    narrowedBy: whoAsked,
    order: 'decided_at, request',
  },
  hasty: {
    view: 'audit.votes',
    where: `considered < interval '5 seconds'`,
    time: 'voted_at',
    columns: { ...what, person: 'person', choice: 'text', seen_at: 'time', voted_at: 'time', considered: 'seconds' },
    narrowedBy: whoAsked,
    order: 'voted_at, vote',
  },
  'could-approve': {
    view: `(SELECT r.person, p.name, r.role, r.since, ARRAY(SELECT coalesce(m.group_name, m.group_id)
      FROM audit.membership_at(period.until) m WHERE m.person = r.person ORDER BY 1) AS groups
      FROM audit.roles r JOIN audit.people p USING (person), period WHERE r.enabled AND r.decides
       AND r.since <= period.until AND (r.until IS NULL OR period.until < r.until))`,
    time: null,
    columns: { person: 'person', role: 'text', since: 'time', groups: 'list' },
    order: 'name, person',
  },
  readers: {
    view: 'audit.access',
    where: `access IN ('read', 'looked', 'exported') AND accessed_by = 'user'`,
    time: 'at',
    columns: { at: 'time', person: 'person', access: 'text', what: 'text', request: 'request' },
    narrowedBy: ['request'],
    order: 'at, entry',
  },
  'policy-changes': {
    view: 'audit.policy_changes',
    time: 'at',
    columns: {
      at: 'time',
      change: 'text',
      policy: 'text',
      version: 'number',
      person: 'person',
      author: 'person',
      reviewer: 'person',
      lines_added: 'list',
      lines_removed: 'list',
    },
    people: ['person', 'author', 'reviewer'],
    order: 'at, entry',
  },
  access: {
    view: 'audit.access',
    where: `accessed_by = 'user'`,
    time: 'at',
    columns: { at: 'time', person: 'person', access: 'text', what: 'text', request: 'request', times: 'number' },
    narrowedBy: ['request'],
    order: 'at, entry',
  },
};

const columnsOf = ({ columns }: Question): ReportColumn[] =>
  Object.entries(columns).map(([name, kind]) => ({ name, kind }));

/** Filters of a question; any other is refused. */
export function filtersOf(id: ReportId): (typeof reportFilters)[number][] {
  const { columns, people, narrowedBy = [], time } = questions[id];
  return reportFilters.filter(
    (name) =>
      (name in columns && name !== 'request') ||
      narrowedBy.some((other) => other === name) ||
      (name === 'person' && people) ||
      (name === 'hours' && time !== null),
  );
}

/** Milliseconds a question may take. */
const timeoutMs = 30_000;

/** Answers of the views that reviewers read with SQL. */
export const createReports = ({ prisma }: Pick<Database, 'prisma'>) => ({
  /** The rows of one question in their order, up to `most`; of these servers alone, unless that is null. */
  async run(id: ReportId, filter: ReportFilter, most: number, among: Among): Promise<Report> {
    const question = questions[id];
    const columns = columnsOf(question);
    const [, result] = await prisma.$transaction([
      prisma.$executeRaw`SELECT set_config('statement_timeout', ${String(timeoutMs)}, true)`,
      prisma.$queryRaw<{ cells: Cell[] }[]>(statementOf(question, columns, filter, among, most + 1)),
    ]);
    return { columns, rows: result.slice(0, most).map(({ cells }) => cells), isCut: result.length > most };
  },
});

const statementOf = (
  question: Question,
  columns: ReportColumn[],
  filter: ReportFilter,
  among: Among,
  most: number,
): Prisma.Sql =>
  Prisma.sql`
    WITH period AS (SELECT to_timestamp(${filter.from}::float8 / 1000) AS since, to_timestamp(${filter.to}::float8 / 1000) AS until)
    SELECT jsonb_build_array(${Prisma.join(columns.map(cellOf))}) AS cells FROM ${Prisma.raw(question.view)} report, period
     WHERE ${Prisma.join([Prisma.raw(question.where ?? 'true'), ...conditionsOf(question, filter, among)], ' AND ')}
     ORDER BY ${Prisma.raw(question.order)} LIMIT ${most}`;

function conditionsOf(
  { time, columns, people = ['person'] }: Question,
  filter: ReportFilter,
  among: Among,
): Prisma.Sql[] {
  const { person, requester, outcome, hours } = filter;
  const column = (name: string): Prisma.Sql => Prisma.raw(`report.${name}`);
  const isIn = time && Prisma.sql`${column(time)} >= period.since AND ${column(time)} < period.until`;
  const isPerson = (name: string) =>
    columns[name] === 'people' ? Prisma.sql`${person} = ANY(${column(name)})` : Prisma.sql`${person} = ${column(name)}`;
  const isBy = person && Prisma.sql`(${Prisma.join(people.map(isPerson), ' OR ')})`;
  const isNamed = (['tool', 'server', 'client', 'request'] as const).map(
    (name) => filter[name] !== undefined && Prisma.sql`${column(name)} = ${filter[name]}`,
  );
  const hasOutcome = outcome && Prisma.sql`(${column('outcome')} = ${outcome} OR ${column('lapse')} = ${outcome})`;
  const isAskedBy = requester && Prisma.sql`${column('requester')} = ANY(${requester}::text[])`;
  const isAtHour = hours && time && hourCondition(column(time), hours);
  const isAmong =
    among && Prisma.sql`${column('server')} IN (SELECT name FROM server WHERE id = ANY(${among}::text[]))`;
  return [isIn, isBy, hasOutcome, isAskedBy, isAtHour, isAmong, policyCondition(columns, filter), ...isNamed].filter(
    (condition) => typeof condition === 'object' && condition !== null,
  );
}

/** Is it of this policy? Of a request also if the policy decided it next to the one that it is under. */
function policyCondition(columns: Question['columns'], { policy }: ReportFilter): Prisma.Sql | null {
  if (policy === undefined) return null;
  const isOwn = Prisma.sql`report.policy = ${policy}`;
  if (!('request' in columns)) return isOwn;
  return Prisma.sql`(${isOwn} OR report.request = ANY(ARRAY(SELECT e.id FROM elicitation e WHERE ${isBesidePolicy(policy)})))`;
}

/** Whether a time is between two hours of the day, of which the second may be on the next day. */
function hourCondition(time: Prisma.Sql, { since, until, zone }: Hours): Prisma.Sql {
  const hour = Prisma.sql`extract(hour FROM ${time} AT TIME ZONE ${zone})::int`;
  const [after, before] = [Prisma.sql`${hour} >= ${since}::int`, Prisma.sql`${hour} < ${until}::int`];
  return since < until ? Prisma.sql`(${after} AND ${before})` : Prisma.sql`(${after} OR ${before})`;
}

function cellOf({ name, kind }: ReportColumn): Prisma.Sql {
  if (kind === 'time') return Prisma.raw(`round(extract(epoch FROM report.${name}) * 1000)`);
  if (kind === 'seconds') return Prisma.raw(`extract(epoch FROM report.${name})`);
  return Prisma.raw(`report.${name}`);
}
