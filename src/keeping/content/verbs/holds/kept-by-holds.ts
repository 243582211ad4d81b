import { principalHashes } from '#platform/crypto/key-ring/lookup-hash';
import { equalBytes } from '#platform/crypto/random/compare';
import type { ElicitationId, ServerId } from '#platform/model/id';
import type { HoldRecord } from '../../store/stored-hold.ts';
import { readable } from '#requests/state/verbs/change/readable';
import { openQuestion } from '#requests/asking/verbs/question/sealed-question';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

type Reading = Pick<Engine, 'reader' | 'ring'>;
/** Of a request, or of a call that passed, which no hold on a request is about. */
type IsMatch = (content: { id: string; serverId: ServerId; requesterHash: Uint8Array | null }) => boolean;

/** Does any of these holds keep this content? A hold whose requester cannot be read keeps everything. */
export async function keptByHolds(engine: Reading, inForce: HoldRecord[]): Promise<IsMatch> {
  const keeps = await Promise.all(inForce.map((hold) => keptBy(engine, hold)));
  return (content) => keeps.some((keep) => keep(content));
}

async function keptBy(engine: Reading, { scope, request, server }: HoldRecord): Promise<IsMatch> {
  if (scope === 'request') return ({ id }) => id === request;
  if (scope === 'server') return ({ serverId }) => serverId === server;
  const hashes = scope === 'requester' && request ? await requesterHashes(engine, request) : null;
  if (!hashes) return () => true;
  return ({ serverId, requesterHash: own }) =>
    own !== null && hashes(serverId).some((hash) => equalBytes(hash, Buffer.from(own)));
}

/** The hashes by which the requester of this request is found at a server; null if the request cannot be read. */
export async function requesterHashes(
  { reader, ring }: Reading,
  id: ElicitationId,
): Promise<((server: ServerId) => Buffer[]) | null> {
  const row = await reader.elicitation(id);
  const requester = row && readable(() => openQuestion(ring, row))?.requester;
  if (!requester) return null;
  return (server) => principalHashes(ring, server, requester);
}
