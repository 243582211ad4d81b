import { equalBytes } from '#platform/crypto/random';
import { sha256 } from '#platform/crypto/digest';
import { isSame, type Identity } from '#platform/model/identity';
import { isLoopback } from '#platform/model/names';
import type { Question } from '../../../asking/verbs/question/sealed-question.ts';

/** The evidence of the person who opens a hosted page. */
interface Evidence {
  /** What they typed. */
  code?: string | undefined;
  /** By what the person is known who is signed in at the console in the same browser. */
  names?: readonly Identity[];
}

/** How the opener of a hosted page proves to be the person who was asked. A link alone is never enough. */
export interface RequesterProof {
  /**
   * `code`: the digits the MCP client showed; `session`: their own sign-in at the console; `closed`: there is no way.
   */
  readonly way: 'code' | 'session' | 'closed';
  isGivenBy(evidence: Evidence): boolean;
}

/**
 * The proof that fits: on the requester's own machine the code that only the asking server has; elsewhere the sign-in
 * of the person who is known by the verified issuer and subject; otherwise the page is closed.
 */
export function requesterProof(
  publicUrl: string,
  { code, requester }: Pick<Question, 'code' | 'requester'>,
): RequesterProof {
  if (isLoopback(publicUrl)) return code ? proofByCode(code) : closed;
  return requester.verified ? proofBySession(requester) : closed;
}

const closed: RequesterProof = { way: 'closed', isGivenBy: () => false };

const proofByCode = (code: string): RequesterProof => ({
  way: 'code',
  // Digests have one length, so that the time reveals nothing, not even the length of the input.
  isGivenBy: (evidence) => equalBytes(sha256(digitsOf(evidence.code ?? '')), sha256(code)),
});

/** An address is a name without an issuer: a person who has it at an issuer may be someone else. */
const proofBySession = (requester: Identity): RequesterProof => ({
  way: 'session',
  isGivenBy: ({ names = [] }) => names.some((name) => isSame(name, requester)),
});

/** People copy codes with spaces and hyphens. */
const digitsOf = (typed: string): string => typed.replaceAll(/[\s-]/g, '');
