import { createKeyRing } from '../../src/crypto/key-ring.ts';
import { sequenceLog } from '../../src/engine/sequence-log.ts';
import { verifyLog, type VerifyLogRequest } from '../../src/engine/verify-log.ts';
import type { Store } from '../../src/store/store.ts';
import { testSecrets } from './server.ts';

export const testRing = createKeyRing(testSecrets);

type LogStore = Pick<Store, 'merkleLog' | 'readLog'>;

/** As a node does, until nothing waits. */
export async function sequenceAll({ merkleLog }: Pick<LogStore, 'merkleLog'>, ring = testRing): Promise<void> {
  while ((await sequenceLog({ merkleLog, ring })) || (await merkleLog.isWaiting()));
}

/** What is wrong with the log, or null. */
export const verify = (
  { readLog }: Pick<LogStore, 'readLog'>,
  request: Partial<VerifyLogRequest> = {},
  ring = testRing,
) => verifyLog({ readLog, ring }, { keys: [], kept: [], ...request });
