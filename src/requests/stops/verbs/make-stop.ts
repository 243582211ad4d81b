import { auditEntry } from '#audit/entries/rules/entry';
import { assertMay, assertMayOfOwn } from '#policies/deciding/verbs/rules';
import { sha256Hex } from '#platform/crypto/digest';
import { newId } from '#platform/crypto/random';
import type { ElicitationId, ServerId } from '#platform/model/id';
import { ownServer } from '#platform/model/names';
import type { ChangingEngine } from '../../state/verbs/change/change.ts';
import { endStopped } from '../../state/verbs/end/cancel-elicitation.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { actorOf, issuerOf, type Administrator } from '#people/directory/verbs/directory';
import { serverNamed } from '#people/directory/verbs/directory';
import { showStop, type ShownStop } from './show-stops.ts';

export type StopEngine = ChangingEngine & Pick<Engine, 'stops' | 'directory'>;

/** A server by its name, a tool, both, or neither for everything. */
export interface StopRequest {
  server?: string | undefined;
  tool?: string | undefined;
  reason: string;
}

/** Requests that are ended together. */
const batchSize = 50;

/**
 * The kill switch. When it resolves, no node opens or claims anything in its scope, and open requests have ended; a run
 * that was claimed before continues. Problem `forbidden` for anyone but those who may stop
 * calls, everywhere or in the server's space, and its owner.
 */
export async function stopCalls(
  engine: StopEngine,
  by: Administrator,
  { server, tool, reason }: StopRequest,
): Promise<ShownStop & { ended: number }> {
  const serverId = server === undefined ? null : await findServer(engine, by, server);
  if (serverId === null) assertMay(by, 'stop-calls');
  const scope = { serverId, tool: tool ?? null };
  const id = newId('stop');
  const at = engine.now();
  const reasonDigest = sha256Hex(reason);
  const event = { type: 'stop.made', stop: id, server: serverId, tool: scope.tool, said: reasonDigest } as const;
  const stoppedBy = issuerOf(by);
  const stop = { id, ...scope, reason, stoppedBy, at };
  const open = await engine.stops.make(stop, auditEntry(newId('entry'), at, actorOf(by), event));
  return { ...(await showStop(engine, id)), ended: await endAll(engine, open) };
}

async function findServer({ directory }: StopEngine, by: Administrator, name: string): Promise<ServerId> {
  const record = await directory.read();
  const servers = record.servers.filter(({ id }) => id !== ownServer.id);
  assertMayOfOwn(
    record,
    by,
    'stop-calls',
    servers.find((server) => server.name === name),
  );
  return serverNamed(servers, name);
}

/** A request that cannot be ended now becomes due, and is ended as soon as possible. */
async function endAll(engine: StopEngine, ids: ElicitationId[]): Promise<number> {
  let ended = 0;
  for (let from = 0; from < ids.length; from += batchSize) {
    const rows = await Promise.allSettled(ids.slice(from, from + batchSize).map((id) => endStopped(engine, id)));
    ended += rows.filter((row) => row.status === 'fulfilled' && row.value.status === 'cancelled').length;
  }
  return ended;
}
