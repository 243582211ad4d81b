import { answerFaults } from './answers.ts';
import { callerFaults } from './callers.ts';
import { channelFaults } from './channels.ts';
import { cryptoFaults } from './crypto.ts';
import { decisionFaults } from './decisions.ts';
import { edgeFaults } from './edge.ts';
import { engineFaults } from './engine.ts';
import type { Fault } from './fault.ts';
import { passkeyFaults } from './passkeys.ts';
import { scimFaults } from './scim.ts';
import { secondFactorFaults } from './second-factor.ts';
import { stateFaults } from './states.ts';
import { storeFaults } from './store.ts';

/** What the tests ought to see, from the pure decisions outwards. */
export const faults: readonly Fault[] = [
  ...decisionFaults,
  ...answerFaults,
  ...cryptoFaults,
  ...storeFaults,
  ...engineFaults,
  ...edgeFaults,
  ...callerFaults,
  ...stateFaults,
  ...channelFaults,
  ...passkeyFaults,
  ...secondFactorFaults,
  ...scimFaults,
];
