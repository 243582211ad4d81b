import type { AppliedDirectory, ApplyDirectory, ChangeState, WaitingDirectory } from '#people/declared/contract';
import type { AppliedPolicies, ApplyPolicies, WaitingPolicies } from '#policies/contract/documents';
import { isPrivateAddress } from '#platform/model/names';
import { invalidInput, Problem } from '#platform/model/problem';
import { connectionFault, isUnreached, readAddresses, problemOf } from './transport.ts';

/** API of a program that administers by its token. */
export interface Administration {
  /** With `request` if it waits for a second administrator. */
  applyDirectory(declared: ApplyDirectory): Promise<AppliedDirectory & Partial<WaitingDirectory>>;
  applyPolicies(policies: ApplyPolicies): Promise<AppliedPolicies & Partial<WaitingPolicies>>;
  showChange(request: string): Promise<ChangeState>;
}

interface AdministrationOptions {
  /** Address of Assentry. Several nodes are separated by commas; the next is called if one cannot be reached. */
  url: string;
  /** Called for each request, because the token in a file may be replaced. */
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

/** Milliseconds, because a whole company is one commit. */
const timeoutMs = 60_000;

const refusedToken =
  'Check the token: it is none, was revoked, has expired, works only from other networks, or its maker is disabled.';
