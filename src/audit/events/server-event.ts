import type { ServerId, UserId } from '../../model/id.ts';

/** What happened to an MCP server: its owner, its keys, and how it describes its tools. */
export type ServerEvent =
  | { type: 'server.added'; server: ServerId }
  | { type: 'server.owner-changed'; server: ServerId; owner: UserId | null }
  /** `expiresAt` is null if it does not expire; `tools` are the patterns of the tools it may ask about. */
  | { type: 'key.created'; server: string; kid: string; expiresAt: number | null; tools: readonly string[] }
  | { type: 'key.revoked'; server: string; kid: string }
  /** The gateway says that this server describes the tool in another way than was accepted: by these digests. */
  | { type: 'tool.changed'; server: ServerId; serverName: string; tool: string; accepted: string; changed: string }
  /** It says that people accepted this definition in place of the one it named before. */
  | { type: 'tool.accepted'; server: ServerId; serverName: string; tool: string; accepted: string; before: string };
