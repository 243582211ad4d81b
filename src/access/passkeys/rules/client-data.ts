import type { Assertion, RelyingParty } from '../contract/types.ts';
import { parseStrictJson } from '#platform/crypto/strict-json';

type Signed = Pick<Assertion, 'clientDataJSON'>;

/** What a browser says it let a passkey sign; null if it cannot be read, or if other programs could read it differently. */
export function clientDataIn({ clientDataJSON }: Signed): Record<string, unknown> | null {
  try {
    const client = parseStrictJson(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    return typeof client === 'object' && client !== null ? (client as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** The challenge in it; null if it cannot be read. */
export function challengeIn(signed: Signed): string | null {
  const challenge = clientDataIn(signed)?.['challenge'];
  return typeof challenge === 'string' ? challenge : null;
}

/** Was it signed on a page of this site, which no other page had in a frame? */
export const isOwnPage = (
  { origin, crossOrigin, topOrigin }: Record<string, unknown>,
  party: Pick<RelyingParty, 'origin'>,
): boolean => origin === party.origin && crossOrigin !== true && topOrigin === undefined;
