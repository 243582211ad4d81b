import { logSigners } from '#core/audit/log-keys';
import { verifierKey } from '#core/audit/signed-note';
import type { Engine } from '../engine.ts';

/** What verifies this installation's log: one key for each of its secrets, the active one first. */
export async function showLogKeys({ merkleLog, ring }: Pick<Engine, 'merkleLog' | 'ring'>) {
  const origin = await merkleLog.origin();
  const keys = logSigners(ring, origin).map((signer, at) => ({ kid: ring.kids[at] ?? '', key: verifierKey(signer) }));
  return { origin, keys };
}
