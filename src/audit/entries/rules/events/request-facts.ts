import type { ServerId } from '#platform/model/id';

/** What every entry about a request says of it, so that no reader needs another entry to know which one it is. */
export interface RequestFacts {
  server: ServerId;
  serverName: string;
  tool: string;
  /** name@version */
  policy: string;
  /** Stands for the requester: a keyed hash, the same for the same one at the same server. */
  requester: string;
}

/** The same of a request that is under way, or whose call is. */
export interface RequestProgress extends RequestFacts {
  /** The stage that it was in, counted from 0. */
  stage: number;
  /** Milliseconds since it was asked. */
  waited: number;
}

interface StoredFacts extends Pick<RequestFacts, 'serverName' | 'tool' | 'policy'> {
  serverId: ServerId;
  requesterHash: Uint8Array | null;
}

interface StoredProgress extends StoredFacts {
  state: { context: { stage: number } };
  openedAt: number;
}

export const requestFacts = ({ serverId, serverName, tool, policy, requesterHash }: StoredFacts): RequestFacts => ({
  server: serverId,
  serverName,
  tool,
  policy,
  requester: Buffer.from(requesterHash ?? []).toString('hex'),
});

export const requestProgress = (row: StoredProgress, at: number): RequestProgress => ({
  ...requestFacts(row),
  stage: row.state.context.stage,
  waited: Math.max(0, at - row.openedAt),
});
