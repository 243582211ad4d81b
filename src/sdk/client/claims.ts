import { Problem, type ProblemCode } from '#platform/model/problem';
import { waitAtMost } from './transport.ts';
import type { AssentryClient, ClaimToolCall, ToolCallClaim } from './client.ts';
import { withGracePeriod } from './grace-period.ts';

/** Milliseconds for which a claim may continue after its caller has left. */
const claimGraceMs = 10_000;

/** Milliseconds to wait until an execution is given back; after that it is reported in the background. */
const releaseTimeoutMs = 5_000;

interface Claiming {
  /** Aborts when the caller leaves: nothing may run after that. */
  signal: AbortSignal | undefined;
  /** Milliseconds the claim may continue after that; 10 000 by default. */
  graceMs?: number;
}

/**
 * Claims for a caller that may leave meanwhile. The claim is not cut off with the caller: it could still be taken, and no one
 * would use or end it. An execution that was or may have been taken, and will not be used, is given back; this attempt is then
 * used up. Resolves only while the caller is there, and rejects with the signal's reason, Assentry's answer, or `unavailable`.
 */
export async function claimOnce(
  client: Pick<AssentryClient, 'claim' | 'release'>,
  toolCall: string,
  claim: ClaimToolCall,
  { signal = new AbortController().signal, graceMs = claimGraceMs }: Claiming,
): Promise<ToolCallClaim> {
  const { attempt } = claim;
  const claimed = withGracePeriod(graceMs, signal, (own) => client.claim(toolCall, claim, { signal: own }));
  const mayHold = await claimed.then(
    ({ state }) => signal.aborted && state === 'claimed',
    (error: unknown) => !isAnswer(error, signal),
  );
  if (mayHold) await giveBackUnused(client, toolCall, attempt);
  signal.throwIfAborted();
  return claimed;
}

/** Gives back an execution that this attempt will not use; waits a moment for it, and never rejects. */
export const giveBackUnused = (
  client: Pick<AssentryClient, 'release'>,
  toolCall: string,
  attempt: string,
): Promise<void> => waitAtMost(releaseTimeoutMs, client.release(toolCall, { attempt }).catch(ignoreRefusal));

/** Is it Assentry's own answer, after which the attempt holds no claim? The reason of a signal may look like one. */
const isAnswer = (error: unknown, { reason }: AbortSignal): boolean =>
  error instanceof Problem && error !== reason && answers.has(error.code);

const answers = new Set<ProblemCode>([
  'already-closed',
  'already-executed',
  'approval-lapsed',
  'digest-mismatch',
  'forbidden',
  'INVALID_INPUT',
  'not-claimed',
  'not-found',
  'not-now',
  'outcome-unknown',
  'stopped',
  'unauthenticated',
]);

/** Ignores a refusal: the call is settled, or its claim counts as dead in time. */
function ignoreRefusal(): void {}
