import type { ServerId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { everyTool, type KeyScope, type ServerCaller } from '../contract/user.ts';
import { matchesGlob } from '#policies/document/rules/directory';
import type { Actor } from '#audit/entries/rules/entry';

/** May a key of this scope ask about the tool? */
export const coversTool = ({ tools }: KeyScope, tool: string): boolean =>
  tools.some((pattern) => matchesGlob(tool, pattern));

interface ToolOfServer {
  serverId: ServerId;
  tool: string;
}

/** Was it asked by another server, or about a tool outside of this scope? */
export const isForeign = ({ serverId, tool }: ToolOfServer, scope: KeyScope): boolean =>
  serverId !== scope.id || !coversTool(scope, tool);

/** Foreign requests count as absent. */
export function assertOwn(call: ToolOfServer, scope: KeyScope): void {
  if (isForeign(call, scope)) throw new Problem('not-found');
}

/** All requests of this server, for Assentry itself: no key is involved. */
export const wholeServer = (id: ServerId): KeyScope => ({ id, tools: everyTool });

/** The actor for the log: the server, with the workload if it showed no key. */
export const actorOfServer = ({ id, proof }: Pick<ServerCaller, 'id' | 'proof'>): Actor => ({
  kind: 'server',
  id,
  ...(proof?.isWorkload && { workload: proof.kid }),
});
