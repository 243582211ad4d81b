import type { AppliedDirectory, ApplyDirectory, ChangeState, WaitingDirectory } from '#protocol/contract/users/apply';
import type { AppliedPolicies, ApplyPolicies, WaitingPolicies } from '#protocol/contract/policies/policy';
import { isPrivateAddress } from '#protocol/model/names';
import { invalidInput, Problem } from '#protocol/model/problem';
import { connectionFault } from './connection-fault.ts';
import { problemOf } from './problem-response.ts';

/** What a program administers by its token. */
export interface Administration {
  /** With `request` if it waits for a second administrator. */
  applyDirectory(declared: ApplyDirectory): Promise<AppliedDirectory & Partial<WaitingDirectory>>;
  applyPolicies(policies: ApplyPolicies): Promise<AppliedPolicies & Partial<WaitingPolicies>>;
  showChange(request: string): Promise<ChangeState>;
}

interface AdministrationOptions {
  url: string;
  /** Read at each call, because the token in a file may be replaced. */
  readToken(): Promise<string>;
}

export function createAdministration({ url, readToken }: AdministrationOptions): Administration {
  if (!isPrivateAddress(url)) {
    const message = 'Give the address of Assentry with https; http is for loopback addresses only.';
    throw invalidInput(['--url'], message);
  }
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${await readToken()}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw connectionFault(cause);
    });
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
