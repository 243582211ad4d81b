import type { Assertion, PasskeyFault, RelyingParty } from '#protocol/model/passkey';
import { sha256 } from '../digest.ts';

interface Expected {
  /** In base64url. */
  challenge: string;
  party: RelyingParty;
  /** COSE. */
  publicKey: Uint8Array;
}

/** A signature that holds, and how many its authenticator had made by then. */
interface Checked {
  counter: number;
}

/**
 * Did the passkey with this key sign this challenge for this site, after it verified who its person is? Otherwise the
 * first thing that is wrong. Whether the counter has moved on is for who keeps it.
 */
export async function checkAssertion(
  assertion: Assertion,
  { challenge, party, publicKey }: Expected,
): Promise<Checked | { fault: PasskeyFault }> {
  const read = readAssertion(assertion);
  if (!read) return { fault: 'passkey-malformed' };
  const { client, flags, site } = read;
  if (client.challenge !== challenge) return { fault: 'passkey-challenge' };
  if (client.origin !== party.origin || !site.equals(sha256(party.id))) return { fault: 'passkey-origin' };
  if ((flags & userVerified) === 0) return { fault: 'passkey-no-verification' };
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { credentialId: id, ...response } = assertion;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification: true,
    });
    return verified ? { counter: authenticationInfo.newCounter } : { fault: 'passkey-signature' };
  } catch {
    return { fault: 'passkey-signature' };
  }
}

/** A flag of the authenticator data: a PIN, a finger or a face was checked. */
const userVerified = 0x04;

function readAssertion({ clientDataJSON, authenticatorData }: Assertion) {
  const data = Buffer.from(authenticatorData, 'base64url');
  const client = clientIn(clientDataJSON);
  return client && data.length >= 37 ? { client, flags: data.readUInt8(32), site: data.subarray(0, 32) } : null;
}

function clientIn(clientDataJSON: string): Record<string, unknown> | null {
  try {
    const client: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    return typeof client === 'object' && client !== null ? (client as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** The challenge in what a browser says it let a passkey sign; null if it cannot be read. */
export function challengeIn({ clientDataJSON }: Pick<Assertion, 'clientDataJSON'>): string | null {
  const challenge = clientIn(clientDataJSON)?.['challenge'];
  return typeof challenge === 'string' ? challenge : null;
}
