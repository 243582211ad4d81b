import { readFileSync } from 'node:fs';

/** What makes PostgreSQL write the plan of every statement into its log. */
export const logPlans = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  log_line_prefix: '%a:', // the name of the application
};

interface LoggedPlan {
  'Query Text': string;
  Plan: { 'Total Cost': number };
}

/** Above this estimate PostgreSQL compiles a statement, if it may: its default for `jit_above_cost`. */
export const jitAboveCost = 100_000;

/** The statements of nodes that a log has plans of, each with its highest estimate. */
export function readCosts(log: string): Map<string, number> {
  const costs = new Map<string, number>();
  // the lines of a plan begin with a tab, and no other line does
  for (const [, text = ''] of readFileSync(log, 'utf8').matchAll(/^assentry:LOG: .* plan:\n((?:\t.*\n)+)/gm)) {
    const { 'Query Text': statement, Plan: plan } = JSON.parse(text) as LoggedPlan;
    costs.set(statement, Math.max(plan['Total Cost'], costs.get(statement) ?? 0));
  }
  return costs;
}
