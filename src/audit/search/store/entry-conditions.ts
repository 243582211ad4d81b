import { Prisma } from '#platform/database/generated/prisma/client';
import { startOfDigest } from '../../entries/rules/evidence/search-keys.ts';
import type { LogFilter } from '../../exports/rules/filter.ts';
import type { ElicitationId } from '#platform/model/id';
import { isDecidedBy } from '../../entries/store/entries/decided-by.ts';

/**
 * Joins the request `r` that an entry `e` is about, and its server `s`, if there is one. A search for one request has it
 * at its readings as well.
 */
export const requestOfEntry = ({ request }: Pick<LogFilter, 'request'>): Prisma.Sql => Prisma.sql`
  LEFT JOIN elicitation r ON r.id = ${request ?? Prisma.sql`e.elicitation_id`} LEFT JOIN server s ON s.id = r.server_id`;

/** The entries about a request and its readings, by audit_entry_elicitation_id_seq_idx and audit_entry_read_idx. */
export const entriesAbout = (request: ElicitationId): Prisma.Sql => Prisma.sql`
  SELECT * FROM audit_entry WHERE elicitation_id = ${request}
  UNION ALL
  SELECT * FROM audit_entry WHERE audit.entry(body) #>> '{about,0}' = ${request}
     AND type IN ('access.read', 'access.exported', 'access.refused')`;

/** Whether an entry `e` is by this person: in its columns, by audit_entry_person_at_id_idx. */
export const isBy = (person: string): Prisma.Sql => Prisma.sql`(e.person <> '' AND e.person = ${person})`;

/** The same of an entry from before, which has no such column, by audit_entry_former_person_idx. */
export const wasBy = (person: string): Prisma.Sql => Prisma.sql`(e.person IS NULL
  AND audit.entry(e.body) #>> '{actor,kind}' = 'user' AND audit.entry(e.body) #>> '{actor,id}' = ${person})`;

const isOfDigest = (digest: string): Prisma.Sql => Prisma.sql`audit.entry(e.body) ->> 'digest' = ${digest}`;

/** Whether an entry `e` opened a question of this digest, or left it behind: in its columns, by audit_entry_digest_of_idx. */
export const hasDigest = (digest: string): Prisma.Sql =>
  Prisma.sql`e.digest <> '' AND e.digest = ${startOfDigest(digest)} AND ${isOfDigest(digest)}`;

/** The same of an entry from before, by audit_entry_former_digest_idx. */
export const hadDigest = (digest: string): Prisma.Sql => Prisma.sql`e.person IS NULL
  AND e.type IN ('elicitation.opened', 'elicitation.edited') AND ${isOfDigest(digest)}`;

// True of every request anyway: said, because the index by outcome has only those that have ended.
const isOpen = Prisma.sql`r.closed_at IS NULL`;
const hasEnded = Prisma.sql`r.closed_at IS NOT NULL`;

/** What an entry `e` with its request must fulfil: a filter without its line here does not compile. */
const conditions: { [Name in keyof LogFilter]-?: (value: NonNullable<LogFilter[Name]>) => Prisma.Sql } = {
  from: (from) => Prisma.sql`e.at >= to_timestamp(${from}::float8 / 1000)`,
  to: (to) => Prisma.sql`e.at < to_timestamp(${to}::float8 / 1000)`,
  person: (person) => Prisma.sql`(${isBy(person)} OR ${wasBy(person)})`,
  request: (request) => Prisma.sql`e.id IN (SELECT about.id FROM (${entriesAbout(request)}) about)`,
  server: (server) => Prisma.sql`s.name = ${server}`,
  tool: (tool) => Prisma.sql`r.tool = ${tool}`,
  policy: (policy) => isDecidedBy(policy, Prisma.raw('r')),
  outcome: (outcome) => Prisma.sql`r.status = ${outcome} AND ${outcome === 'open' ? isOpen : hasEnded}`,
  // As an array, so that the planner goes from the few requests to their entries and never the other way.
  digest: (digest) => Prisma.sql`e.elicitation_id = ANY(ARRAY(
    SELECT e.elicitation_id FROM audit_entry e WHERE ${hasDigest(digest)}
    UNION ALL SELECT e.elicitation_id FROM audit_entry e WHERE ${hadDigest(digest)}))`,
};

/** The filters that there are. */
const filterNames = Object.keys(conditions) as (keyof LogFilter)[];

/** All conditions of the filter; an empty value is one as well. */
export const entryConditions = (filter: LogFilter): Prisma.Sql[] =>
  filterNames.flatMap((name) => conditionOf(filter, name));

const conditionOf = (filter: LogFilter, name: keyof LogFilter): Prisma.Sql[] => {
  const value = filter[name];
  return value === undefined ? [] : [(conditions[name] as (value: unknown) => Prisma.Sql)(value)];
};
