import { deriveKey, type KeyRing } from '#platform/crypto/key-ring/key-ring';
import { noteSigner, type NoteSigner } from '../notes/signed-note.ts';

/**
 * The keys that sign the log of this name: one for each secret of the ring, the active one first. While an old secret
 * is still in the ring, anyone who trusts its key can still verify. The database holds none of them.
 */
export const logSigners = (ring: KeyRing, origin: string): NoteSigner[] =>
  ring.kids.map((kid) => noteSigner(origin, deriveKey(ring, kid, 'logSign', origin)));
