import { readPolicyParts } from './policy-parts.ts';
import { CallTrial } from './CallTrial.tsx';
import { Simulator } from './Simulator.tsx';

/** What the version under review would decide of the latest requests, told at once, and of one call. */
export const ReviewTrials = ({ document }: { document: string }) => (
  <>
    <Simulator document={document} tools={readPolicyParts(document)?.tool ?? []} isReady isAtOnce />
    <CallTrial document={document} isReady />
  </>
);
