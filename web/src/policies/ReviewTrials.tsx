import { readPolicyParts } from './policy-parts.ts';
import { CallTrial } from './CallTrial.tsx';
import { Simulator } from './Simulator.tsx';

/** Trials of the version under review: on the latest requests, run at once, and on one call. */
export const ReviewTrials = ({ document }: { document: string }) => (
  <>
    <Simulator document={document} tools={readPolicyParts(document)?.tool ?? []} isReady isAtOnce />
    <CallTrial document={document} isReady />
  </>
);
