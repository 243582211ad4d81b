import { Prisma } from '../../generated/prisma/client.ts';
import { upgrade } from '../../machine/migrations.ts';
import { fullState, type StoredState } from '../../machine/stored-state.ts';
import type { ElicitationRow } from './row.ts';

/** What every reading statement selects, from `elicitation e JOIN server s`. */
export const columns = Prisma.sql`e.id, e.tool_call_id, e.step, e.server_id, s.name AS server_name, e.tool, e.audience,
  e.mode, e.risk, e.status, e.cause, e.caller, e.revision, e.version, e.machine_version, e.snapshot, e.timers,
  e.opened_at, e.deadline_at, e.closed_at, e.request_hash, e.digest, e.policy, e.owner, e.data_key, e.payload, e.answer,
  e.explanation, e.session_hash, e.requester_hash, e.readers, e.equal_hash, e.wish,
  e.traceparent`;

/** Only the transactor writes these columns, so its narrower types are assumed. */
export interface StoredElicitation {
  id: ElicitationRow['id'];
  tool_call_id: ElicitationRow['toolCallId'];
  step: string;
  server_id: ElicitationRow['serverId'];
  server_name: string;
  tool: string;
  audience: ElicitationRow['audience'];
  mode: ElicitationRow['mode'];
  risk: ElicitationRow['risk'];
  status: ElicitationRow['status'];
  cause: ElicitationRow['cause'];
  caller: ElicitationRow['caller'];
  revision: number;
  version: number;
  machine_version: number;
  snapshot: Pick<StoredState, 'value' | 'context'>;
  timers: ElicitationRow['state']['timers'];
  opened_at: Date;
  deadline_at: Date;
  closed_at: Date | null;
  request_hash: Uint8Array;
  digest: string;
  policy: string;
  owner: Uint8Array;
  data_key: Uint8Array | null;
  payload: Uint8Array;
  answer: Uint8Array | null;
  explanation: Uint8Array | null;
  session_hash: Uint8Array | null;
  requester_hash: Uint8Array | null;
  readers: string[];
  equal_hash: Uint8Array | null;
  wish: string;
  traceparent: string | null;
}

/** The state as stored, by any version of the machine. */
export const stateIn = ({ machine_version: version, timers, snapshot }: StoredElicitation): StoredState => ({
  version,
  timers,
  ...snapshot,
});

export function rowFrom(stored: StoredElicitation): ElicitationRow {
  const columns = columnsFrom(stored);
  return { ...columns, state: upgrade(fullState(stateIn(stored), columns)) };
}

const columnsFrom = (stored: StoredElicitation): Omit<ElicitationRow, 'state'> => ({
  id: stored.id,
  toolCallId: stored.tool_call_id,
  step: stored.step,
  serverId: stored.server_id,
  serverName: stored.server_name,
  tool: stored.tool,
  audience: stored.audience,
  mode: stored.mode,
  risk: stored.risk,
  status: stored.status,
  cause: stored.cause,
  caller: stored.caller,
  revision: stored.revision,
  version: stored.version,
  openedAt: stored.opened_at.getTime(),
  deadlineAt: stored.deadline_at.getTime(),
  closedAt: stored.closed_at?.getTime() ?? null,
  requestHash: stored.request_hash,
  digest: stored.digest,
  policy: stored.policy,
  owner: stored.owner,
  dataKey: stored.data_key,
  payload: stored.payload,
  answer: stored.answer,
  explanation: stored.explanation,
  sessionHash: stored.session_hash,
  requesterHash: stored.requester_hash,
  readers: stored.readers,
  equalHash: stored.equal_hash,
  wish: stored.wish,
  traceparent: stored.traceparent,
});
