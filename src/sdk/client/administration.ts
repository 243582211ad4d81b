import type { AppliedDirectory, ApplyDirectory, ChangeState, WaitingDirectory } from '#people/declared/contract';
import type { AppliedPolicies, ApplyPolicies, WaitingPolicies } from '#policies/contract/documents';
import { isPrivateAddress } from '#platform/model/names';
import { invalidInput, Problem, type ProblemCode } from '#platform/model/problem';
import { connectionFault, isUnreached, readAddresses, problemOf, waitAtMost, onAbort } from './transport.ts';
import type { AssentryClient, ClaimToolCall, ToolCallClaim } from './client.ts';

/** What a program administers by its token. */
export interface Administration {
  /** With `request` if it waits for a second administrator. */
  applyDirectory(declared: ApplyDirectory): Promise<AppliedDirectory & Partial<WaitingDirectory>>;
  applyPolicies(policies: ApplyPolicies): Promise<AppliedPolicies & Partial<WaitingPolicies>>;
  showChange(request: string): Promise<ChangeState>;
}

interface AdministrationOptions {
  /** Where Assentry is. Of several nodes, with commas between them, the next is called if one cannot be reached. */
  url: string;
  /** Read at each call, because the token in a file may be replaced. */
  readToken(): Promise<string>;
}

export function createAdministration({ url, readToken }: AdministrationOptions): Administration {
  const addresses = readAddresses(url);
  if (!addresses.every(isPrivateAddress)) {
    const message = 'Give the address of Assentry with https; http is for loopback addresses only.';
    throw invalidInput(['--url'], message);
  }
  const send = async (method: string, path: string, body?: object): Promise<Response> => {
    const token = await readToken();
    for (const [place, address] of addresses.entries())
      try {
        return await fetch(new URL(path, address), {
          method,
          headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
        });
      } catch (cause) {
        if (!isUnreached(cause) || place === addresses.length - 1) throw connectionFault(cause);
      }
    throw new Problem('unavailable');
  };
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await send(method, path, body);
    if (response.status === 401) throw new Problem('unauthenticated', { detail: refusedToken });
    const answer: unknown = await response.json().catch(() => null);
    if (!response.ok) throw problemOf(response.status, answer);
    return answer as T;
  };
  return {
    applyDirectory: (declared) => call('POST', '/api/directory/apply', declared),
    applyPolicies: (policies) => call('POST', '/api/policies/apply', policies),
    showChange: (request) => call('GET', `/api/changes/${request}`),
  };
}

/** A whole company is one commit. */
const timeoutMs = 60_000;

const refusedToken =
  'Check the token: it is none, was revoked, has expired, works only from other networks, or its maker is disabled.';

/** How long a claim may continue after its caller has left. */
const claimGraceMs = 10_000;
/** How long to wait until an execution is given back; after that it is reported in the background. */
const releaseTimeoutMs = 5_000;

interface Claiming {
  /** Aborts when the caller leaves: then nothing may run. */
  signal: AbortSignal | undefined;
  /** Milliseconds the claim may continue after that; 10 000 by default. */
  graceMs?: number;
}

/**
 * Claims for a caller that may leave meanwhile. The claim is not cut off with the caller: it could have been taken all
 * the same, and no one would use it or end it. An execution that was taken, or may have been, and that no one will use
 * is given back; this attempt is then used up.
 * Resolves only while the caller is there, and rejects with the signal's reason, Assentry's answer, or `unavailable`.
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

/** Assentry's own answer, after which the attempt holds no claim. The reason of a signal may look like one. */
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

/** The call is then settled, or its claim counts as dead in time. */
function ignoreRefusal(): void {}

/**
 * Runs the work under its own signal, which aborts this many milliseconds after the given one, so that work in progress
 * can still be finished and undone when its caller has left.
 */
export async function withGracePeriod<T>(
  graceMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => (timer = setTimeout(() => own.abort(signal.reason), graceMs));
  const ignore = onAbort(signal, start);
  try {
    return await work(own.signal);
  } finally {
    ignore();
    clearTimeout(timer);
  }
}
