import { logSigners } from '../rules/checkpoint/log-keys.ts';
import { verifierKey } from '../rules/notes/signed-note.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

/** What verifies this installation's log: one key for each of its secrets, the active one first. */
export async function showLogKeys({ merkleLog, ring }: Pick<Engine, 'merkleLog' | 'ring'>) {
  const origin = await merkleLog.origin();
  const keys = logSigners(ring, origin).map((signer, at) => ({ kid: ring.kids[at] ?? '', key: verifierKey(signer) }));
  return { origin, keys };
}
