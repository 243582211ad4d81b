import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry/entry';
import type { ElicitationId, ServerId } from '#platform/model/id';
import { entryJson, insertEntries, type Ledger } from '#audit/entries/store/entries/sealed-entry';

/** A tool as its server was last seen to describe it. */
export interface SeenTool {
  name: string;
  annotations: Readonly<Record<string, boolean | undefined>>;
  /** The digest of the accepted definition. */
  definition: string;
  /** The digest of one that no one has accepted; null if there is none. */
  changed: string | null;
}

export interface StoredTool extends SeenTool {
  seenAt: number;
}

interface ChangedTool {
  server: ServerId;
  serverName: string;
  tool: string;
  /** The digest of its new definition. */
  changed: string;
}

/** How many requests about a tool ended in each way, and how many are open. */
export interface ToolOutcomes {
  tool: string;
  open: number;
  accepted: number;
  declined: number;
  cancelled: number;
  expired: number;
}

/** The most tools of one server; the ones that were not seen for the longest time give way. */
const maxTools = 1_000;

export const createServerTools = ({ prisma, evidence }: Ledger) => ({
  /** By name. */
  async list(serverId: ServerId): Promise<StoredTool[]> {
    const rows = await prisma.serverTool.findMany({ where: { serverId }, orderBy: { name: 'asc' } });
    return rows.map((row) => ({ ...toolOf(row), seenAt: row.seenAt.getTime() }));
  },
  /** Keeps what was seen, in one commit with what is to be logged about it. Reports about one server wait for each other. */
  see: (
    serverId: ServerId,
    tools: SeenTool[],
    at: number,
    entriesOf: (before: ReadonlyMap<string, SeenTool>) => AuditEntry[],
  ) =>
    prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM server WHERE id = ${serverId} FOR NO KEY UPDATE`;
      const names = tools.map(({ name }) => name);
      const rows = await tx.serverTool.findMany({ where: { serverId, name: { in: names } } });
      const entries = entriesOf(new Map(rows.map((row) => [row.name, toolOf(row)])));
      await tx.$executeRaw(keep(serverId, tools, at));
      await tx.$executeRaw(forgetOldest(serverId));
      if (entries.length === 0) return;
      const sealed = entryJson(entries.map((entry) => evidence.seal(entry, {})));
      await tx.$executeRaw(insertEntries(Prisma.sql`(SELECT) AS change`, sealed));
    }),
  /** Those of all servers with a definition that no one has accepted. */
  changed: (): Promise<ChangedTool[]> => prisma.$queryRaw<ChangedTool[]>`
      SELECT server.id AS server, server.name AS "serverName", tool.name AS tool, tool.changed
        FROM server_tool AS tool JOIN server ON server.id = tool.server_id
       WHERE tool.changed IS NOT NULL`,
  /** Of the requests that were open at this moment or later. */
  outcomes: (serverId: ServerId, since: number): Promise<ToolOutcomes[]> => prisma.$queryRaw<ToolOutcomes[]>`
      SELECT tool, count(*) FILTER (WHERE status = 'open')::int AS open,
          count(*) FILTER (WHERE status = 'accepted')::int AS accepted,
          count(*) FILTER (WHERE status = 'declined')::int AS declined,
          count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
          count(*) FILTER (WHERE status = 'expired')::int AS expired
        FROM elicitation
       WHERE server_id = ${serverId} AND (closed_at IS NULL OR closed_at >= ${new Date(since)})
       GROUP BY tool`,
  /** The oldest open requests of the server about this tool. */
  async openAbout(serverId: ServerId, tool: string, limit: number): Promise<ElicitationId[]> {
    const rows = await prisma.$queryRaw<{ id: ElicitationId }[]>`
        SELECT id FROM elicitation
         WHERE server_id = ${serverId} AND tool = ${tool} AND closed_at IS NULL ORDER BY opened_at, id LIMIT ${limit}`;
    return rows.map(({ id }) => id);
  },
});

const keep = (serverId: ServerId, tools: SeenTool[], at: number): Prisma.Sql => Prisma.sql`
  INSERT INTO server_tool (server_id, name, annotations, definition, changed, seen_at)
  SELECT ${serverId}, tool.name, tool.annotations, tool.definition, tool.changed, ${new Date(at)}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(tools)}::jsonb)
      AS tool(name text, annotations jsonb, definition text, changed text)
  ON CONFLICT (server_id, name) DO UPDATE SET annotations = excluded.annotations, definition = excluded.definition,
    changed = excluded.changed, seen_at = excluded.seen_at`;

const forgetOldest = (serverId: ServerId): Prisma.Sql => Prisma.sql`
  DELETE FROM server_tool WHERE server_id = ${serverId} AND name IN (
    SELECT name FROM server_tool WHERE server_id = ${serverId} ORDER BY seen_at DESC, name OFFSET ${maxTools})`;

type ToolRow = Omit<Prisma.ServerToolGetPayload<object>, 'serverId' | 'seenAt'>;

const toolOf = ({ name, annotations, definition, changed }: ToolRow): SeenTool => ({
  name,
  annotations: annotations as SeenTool['annotations'],
  definition,
  changed,
});
