import type { Assertion, PasskeyFault, RelyingParty } from '../contract/types.ts';
import { sha256 } from '#platform/crypto/digest/digest';
import { clientDataIn, isOwnPage } from './client-data.ts';
import { isStrongKey } from './public-key.ts';

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
  isBackedUp: boolean;
  isSyncable: boolean;
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
  if (!isOwnPage(client, party) || !site.equals(sha256(party.id))) return { fault: 'passkey-origin' };
  if ((flags & userVerified) === 0) return { fault: 'passkey-no-verification' };
  if (!(await isStrongKey(publicKey))) return { fault: 'passkey-signature' };
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
    if (!verified) return { fault: 'passkey-signature' };
    const { newCounter: counter, credentialBackedUp: isBackedUp, credentialDeviceType } = authenticationInfo;
    return { counter, isBackedUp, isSyncable: credentialDeviceType === 'multiDevice' };
  } catch {
    return { fault: 'passkey-signature' };
  }
}

/** A flag of the authenticator data: a PIN, a finger or a face was checked. */
const userVerified = 0x04;

function readAssertion({ clientDataJSON, authenticatorData }: Assertion) {
  const data = Buffer.from(authenticatorData, 'base64url');
  const client = clientDataIn({ clientDataJSON });
  return client && data.length >= 37 ? { client, flags: data.readUInt8(32), site: data.subarray(0, 32) } : null;
}
