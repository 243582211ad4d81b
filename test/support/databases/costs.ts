import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { nodeLogin } from './node-login.ts';

/** What makes PostgreSQL write the plan of every statement into its log. */
export const logPlans = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  log_line_prefix: '%a/%u:', // the names of the application and of the login
};

/** Above this estimate PostgreSQL compiles a statement, if it may: its default for `jit_above_cost`. */
export const jitAboveCost = 100_000;

/** Tests look into the database as its owner. */
const isOfNode = new RegExp(`^assentry/${nodeLogin.name}:LOG: {2}duration: .* plan:$`);

/** The statements of nodes that a log has plans of, each with its highest estimate. */
export async function readCosts(log: string): Promise<Map<string, number>> {
  const costs = new Map<string, number>();
  let statement: string | null = null;
  // a plan begins with the text of its statement, and its first line with a cost is the whole statement's
  for await (const line of createInterface({ input: createReadStream(log) })) {
    if (!line.startsWith('\t')) statement = isOfNode.test(line) ? '' : null;
    if (statement === null || !line.startsWith('\t')) continue;
    const [, cost] = /\(cost=[\d.]+\.\.([\d.]+) rows=/.exec(line) ?? [];
    if (cost === undefined) statement += `${line.trim().replace(/^Query Text: /, '')}\n`;
    else {
      costs.set(statement, Math.max(Number(cost), costs.get(statement) ?? 0));
      statement = null;
    }
  }
  return costs;
}
