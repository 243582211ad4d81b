import { createEvidence } from '#audit/entries/rules/evidence';
import { createKeyRing } from '#platform/crypto/key-ring';
import { testSecrets } from '../nodes/server.ts';

export const testRing = createKeyRing(testSecrets);

/** What makes stored rows believable at a test server. */
export const testEvidence = createEvidence(testRing, () => {});
