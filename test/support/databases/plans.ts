/** A part of what EXPLAIN (ANALYZE, FORMAT JSON) tells. */
export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Plan[];
}

export const scansOf = (table: string, plan: Plan): Plan[] => [
  ...(plan['Relation Name'] === table ? [plan] : []),
  ...(plan.Plans ?? []).flatMap((part) => scansOf(table, part)),
];

/** The scans of requests and votes. */
export const scansIn = (plan: Plan): Plan[] => [...scansOf('elicitation', plan), ...scansOf('vote', plan)];

/** How many rows of requests and votes a statement looked at. */
export const readBy = (plan: Plan): number =>
  scansIn(plan).reduce(
    (sum, scan) => sum + (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'],
    0,
  );

/** How many rows a statement made or threw away, at all steps of its plan: a join of two lists counts their product. */
export const comparedBy = (plan: Plan): number =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0)) *
    plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, part) => sum + comparedBy(part), 0);
