import type { ElicitationId, ServerId } from '#platform/model/id';
import { type Rules } from '#policies/deciding/verbs/rules';
import { assertMayIn } from '#people/directory/verbs/may';
import { connectingTool, definitionTool, isBuiltIn, refusalTool } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import type { User, ServerCaller } from '#people/directory/contract/user';
import { decide } from '#policies/deciding/rules/decide';
import { ignoresArguments } from '#policies/deciding/rules/describe';
import type { StoredTool, ToolOutcomes } from '../store.ts';
import { outcomeOfVerdict } from '#policies/deciding/verbs/judge';
import { askedIn, factsOf } from '#requests/state/verbs/change';
import type { Engine } from '#platform/nodes/verbs/engine';
import { auditEntry, type AuditEntry, type AuditEvent } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random';
import { coversTool } from '#people/directory/verbs/scope';
import { sha256 } from '#platform/crypto/digest';
import type { SeenTool } from '../contract/key.ts';

/** Milliseconds for which requests that ended are counted. */
const period = 30 * 86_400_000;
/** More open requests about changed definitions than this are not looked at. */
const maxLookedAt = 50;

const noOutcomes = { open: 0, accepted: 0, declined: 0, cancelled: 0, expired: 0 };

/**
 * The tools of a server: as the gateway has seen them, what became of requests about them, and what the policies in
 * force say of a call.
 */
export async function showServerTools(engine: Engine, by: User, id: ServerId) {
  const directory = await engine.directory.read();
  const server = directory.servers.find((server) => server.id === id && !isBuiltIn(id));
  assertMayIn(directory, by, 'read-tools', server?.spaceId);
  if (!server) throw new Problem('not-found');
  const since = engine.now() - period;
  const [stored, outcomes, rules] = await Promise.all([
    engine.serverTools.list(id),
    engine.serverTools.outcomes(id, since),
    engine.rules.current(),
  ]);
  const isBlocked = stored.some(({ changed }) => changed !== null);
  const requests = isBlocked ? await requestsByTool(engine, id) : new Map<string, ElicitationId>();
  const tools = namesOf(stored, outcomes).map((name) => {
    const tool = stored.find((tool) => tool.name === name);
    const { tool: _tool, ...counts } = outcomes.find(({ tool }) => tool === name) ?? { tool: name, ...noOutcomes };
    return {
      name,
      seen: tool ? seenPart(tool) : null,
      outcomes: counts,
      rule: tool ? ruleFor(engine, rules, server.name, tool) : null,
      policyName: toolPolicyName(server.name, name),
      request: requests.get(name) ?? null,
    };
  });
  return { server: { id, name: server.name }, since, tools };
}

const namesOf = (stored: StoredTool[], outcomes: ToolOutcomes[]): string[] =>
  [...new Set([...stored.map(({ name }) => name), ...outcomes.map(({ tool }) => tool)])]
    .filter((name) => ![definitionTool, refusalTool, connectingTool].includes(name))
    .toSorted();

const seenPart = ({ annotations, definition, changed, seenAt: at }: StoredTool) => ({
  annotations,
  definition,
  changed,
  at,
});

/** Verdict on a call by an unknown requester, with the accepted definition. */
function ruleFor(engine: Engine, { book, directory }: Rules, server: string, tool: StoredTool) {
  const { name, annotations, definition } = tool;
  const facts = factsOf({ ...anyCall, server, tool: name, annotations, definition }, directory, engine, engine.now());
  const verdict = decide(book, facts);
  return { outcome: outcomeOfVerdict(verdict), policy: verdict.policy, varies: !ignoresArguments(book, facts) };
}

/** The gateway asks approvers, with a form without fields. */
const anyCall = {
  arguments: {},
  mode: 'form',
  audience: 'approvers',
  reason: null,
  requester: { subject: 'someone', verified: false },
  schema: { type: 'object', properties: {} },
} as const;

/** The open requests to accept a changed definition, by the tool they are about. */
async function requestsByTool(engine: Engine, server: ServerId): Promise<Map<string, ElicitationId>> {
  const ids = await engine.serverTools.openAbout(server, definitionTool, maxLookedAt);
  const rows = await Promise.all(ids.map((id) => engine.reader.elicitation(id)));
  const pairs = rows.flatMap((row): [string, ElicitationId][] => {
    const tool = row?.status === 'open' ? askedIn(engine, row).arguments['tool'] : undefined;
    return row && typeof tool === 'string' ? [[tool, row.id]] : [];
  });
  return new Map(pairs.toReversed());
}

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

/** More characters than this are not readable as a name, and policies allow 64. */
const maxNameLength = 50;

/**
 * The name of the policy for one tool of a server, which no other tool has: both names, and a few digits of a digest if
 * something of them is lost.
 */
export function toolPolicyName(server: string, tool: string): string {
  const plain = `${server}-${tool}`;
  const name = plain
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxNameLength);
  const isWhole = name === plain && !server.includes('-');
  return isWhole ? name : `${name}-${sha256(`${server}\n${tool}`).subarray(0, 4).toString('hex')}`;
}
