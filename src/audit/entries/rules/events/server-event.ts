import type { ServerId, SpaceId, UserId } from '#platform/model/id';
import type { WorkloadTerms } from '#access/workloads/contract';

/** What happened to an MCP server: its owner, its keys, and how it describes its tools. */
export type ServerEvent =
  | { type: 'server.added'; server: ServerId }
  | { type: 'server.owner-changed'; server: ServerId; owner: UserId | null }
  /** Null is global. */
  | { type: 'server.moved'; server: ServerId; space: SpaceId | null }
  | KeyCreated
  /** Another key follows this one, which ends at `endsAt`; the entry that made it stands in the same commit. */
  | { type: 'key.rotated'; server: string; kid: string; next: string; endsAt: number }
  | { type: 'key.revoked'; server: string; kid: string }
  /** Where it works from then on, and before; none is anywhere. */
  | { type: 'key.changed'; server: string; kid: string; before: readonly string[]; networks: readonly string[] }
  /** From then on tokens that fit these terms are taken as a key of the server. */
  | ({ type: 'workload.added'; server: string; workload: string } & WorkloadTerms)
  | { type: 'workload.removed'; server: string; workload: string }
  /** The gateway says that this server describes the tool in another way than was accepted: by these digests. */
  | { type: 'tool.changed'; server: ServerId; serverName: string; tool: string; accepted: string; changed: string }
  /** It says that people accepted this definition in place of the one it named before. */
  | { type: 'tool.accepted'; server: ServerId; serverName: string; tool: string; accepted: string; before: string };

interface KeyCreated {
  type: 'key.created';
  server: string;
  kid: string;
  /** Null if it does not expire. */
  expiresAt: number | null;
  /** The patterns of the tools it may ask about. */
  tools: readonly string[];
  /** Absent if it works from anywhere. */
  networks?: readonly string[];
  /** The key that it follows; absent if it follows none. */
  replaces?: string;
}
