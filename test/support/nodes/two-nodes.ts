import { openDatabase } from '#platform/database/database';
import type { ServerOptions } from '#server/server';
import { askingAt, type Asking } from './asking.ts';
import { startTestServer, type TestServer } from './server.ts';

export interface TwoNodes {
  /** Equal processes on one database. */
  nodes: [TestServer, TestServer];
  /** One MCP server's key, used at the first node. */
  asking: Asking;
  /** All values of one statement's rows, in one list. */
  query(sql: string, values?: unknown[]): Promise<unknown[]>;
  stop(): Promise<void>;
}

/** Two real nodes that know nothing of each other but the database. */
export async function startTwoNodes(
  options: Partial<ServerOptions> = {},
  second: Partial<ServerOptions> = options,
): Promise<TwoNodes> {
  const first = await startTestServer(options);
  const other = await startTestServer({ ...second, databaseUrl: first.databaseUrl });
  const database = openDatabase(first.databaseUrl);
  return {
    nodes: [first, other],
    asking: askingAt(first.url, await first.newServerKey()),
    async query(text, values) {
      const { rows } = await database.pool.query({ text, values: values ?? [], rowMode: 'array' });
      return rows.flat();
    },
    async stop() {
      await database.close();
      await other.stop();
      await first.stop();
    },
  };
}

/** The audit entries of one elicitation, oldest first; without the one that `openStaged` wrote. */
export const entriesOf = async ({ query }: Pick<TwoNodes, 'query'>, id: string): Promise<Record<string, unknown>[]> =>
  (await query(`SELECT entry FROM audit_log WHERE elicitation_id = $1 AND ${isNotStaged} ${asWritten}`, [
    id,
  ])) as Record<string, unknown>[];

/** Orders rows of `audit_log` as they were written: two of one millisecond are told apart by nothing in the view. */
export const asWritten = 'ORDER BY (SELECT seq FROM audit_entry WHERE audit_entry.id = audit_log.id)';

const isNotStaged = `NOT (type = 'elicitation.caller' AND entry #>> '{actor,kind}' = 'operator')`;
