import { createEvidence } from '../../../src/audit/evidence.ts';
import { createKeyRing } from '../../../src/crypto/key-ring.ts';
import { testSecrets } from '../nodes/server.ts';

export const testRing = createKeyRing(testSecrets);

/** What makes stored rows believable at a test server. */
export const testEvidence = createEvidence(testRing, () => {});
