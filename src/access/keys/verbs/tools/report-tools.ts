import { auditEntry, type AuditEntry, type AuditEvent } from '#audit/entries/rules/entry/entry';
import { newId } from '#platform/crypto/random/random';
import type { ServerCaller } from '#people/directory/contract/user';
import type { SeenTool } from '../../store/server-tools.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { coversTool } from '#people/directory/verbs/scope/key-scope';

/**
 * Keeps what the gateway saw of this server's tools. A definition that changed, or was accepted after a change, is an
 * entry of its own; the same report again is none. What the key does not cover is left out.
 */
export async function reportTools(
  { serverTools, now }: Pick<Engine, 'serverTools' | 'now'>,
  server: ServerCaller,
  tools: SeenTool[],
): Promise<void> {
  const latest = new Map(tools.filter(({ name }) => coversTool(server, name)).map((tool) => [tool.name, tool]));
  if (latest.size === 0) return;
  const reported = [...latest.values()];
  const at = now();
  await serverTools.see(server.id, reported, at, (before) =>
    reported.flatMap((tool) => entriesOf(server, before.get(tool.name), tool, at)),
  );
}

function entriesOf(
  { id, name }: ServerCaller,
  before: SeenTool | undefined,
  { name: tool, definition: accepted, changed }: SeenTool,
  at: number,
): AuditEntry[] {
  const about = { server: id, serverName: name, tool, accepted };
  const isAccepted = before !== undefined && before.definition !== accepted;
  const isChanged = changed !== null && changed !== before?.changed;
  const events: AuditEvent[] = [
    ...(isAccepted ? [{ type: 'tool.accepted', ...about, before: before.definition } as const] : []),
    ...(isChanged ? [{ type: 'tool.changed', ...about, changed } as const] : []),
  ];
  return events.map((event) => auditEntry(newId('entry'), at, { kind: 'server', id }, event));
}
