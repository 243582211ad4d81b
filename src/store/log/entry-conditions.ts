import { Prisma } from '../../generated/prisma/client.ts';
import type { LogFilter } from '../../audit/log-filter.ts';

/** What an entry `e` must fulfil to fit the filter. */
export function entryConditions({ from, to, person, request, ...rest }: LogFilter): Prisma.Sql[] {
  const conditions = [
    from !== undefined && Prisma.sql`e.at >= to_timestamp(${from}::float8 / 1000)`,
    to !== undefined && Prisma.sql`e.at < to_timestamp(${to}::float8 / 1000)`,
    // As the index has it: audit_entry_person_idx
    person &&
      Prisma.sql`audit.entry(e.body) #>> '{actor,kind}' = 'user' AND audit.entry(e.body) #>> '{actor,id}' = ${person}`,
    request && Prisma.sql`e.elicitation_id = ${request}`,
    ...requestConditions(rest),
  ];
  return conditions.filter((condition) => typeof condition === 'object');
}

type RequestFilter = Omit<LogFilter, 'from' | 'to' | 'person' | 'request'>;

function requestConditions({ server, tool, policy, outcome, digest }: RequestFilter): Prisma.Sql[] {
  const conditions = [
    server && Prisma.sql`r.server_id = (SELECT id FROM server WHERE name = ${server})`,
    tool && Prisma.sql`r.tool = ${tool}`,
    policy && Prisma.sql`split_part(r.policy, '@', 1) = ${policy}`,
    outcome && Prisma.sql`r.status = ${outcome}`,
  ].filter((condition) => typeof condition === 'object');
  const ofRequest = conditions.length > 0 && [
    Prisma.sql`EXISTS (SELECT FROM elicitation r WHERE r.id = e.elicitation_id AND ${Prisma.join(conditions, ' AND ')})`,
  ];
  const ofDigest = digest && [
    Prisma.sql`e.elicitation_id IN (SELECT asked.elicitation_id FROM audit_entry asked
      WHERE asked.type IN ('elicitation.opened', 'elicitation.edited') AND audit.entry(asked.body) ->> 'digest' = ${digest})`,
  ];
  return [...(ofRequest || []), ...(ofDigest || [])];
}
