import { createKeyRing } from '#platform/crypto/key-ring';

export const oldSecret = { kid: 'k1', secret: 'the-old-secret-of-this-installation' };
export const newSecret = { kid: 'k2', secret: 'the-new-secret-of-this-installation' };

/** Before a rotation, during it, and after the old secret was dropped. */
export const oldRing = createKeyRing([oldSecret]);
export const rotatedRing = createKeyRing([newSecret, oldSecret]);
export const newRing = createKeyRing([newSecret]);

/** Another installation, which happens to use the same key id. */
export const foreignRing = createKeyRing([{ kid: 'k1', secret: 'a-secret-of-some-other-installation' }]);
