import type { ServerId } from '#platform/model/id';
import { ownServer } from '#platform/model/names';

/** Scope of a stop: one tool, all of one server, one tool of one server, or everything if both are null. */
export interface StopScope {
  serverId: ServerId | null;
  tool: string | null;
}

/** Does this stop reach a tool of this server? None reaches Assentry’s own requests, one of which lifts it. */
export const isInScope = (scope: StopScope, { serverId, tool }: { serverId: ServerId; tool: string }): boolean =>
  serverId !== ownServer.id &&
  (scope.serverId === null || scope.serverId === serverId) &&
  (scope.tool === null || scope.tool === tool);
