import type { RelyingParty, PasskeyFault } from './contract/types.ts';
import { sha256 } from '#platform/crypto/digest';
import { isIP } from 'node:net';
import { parseStrictJson } from '#platform/crypto/strict-json';
import type { NewPasskey, PasskeyAssertion } from './contract/passkeys.ts';

/** A passkey that a browser has just made, as it hands it over; all in base64url. */
export type Registration = Omit<NewPasskey, 'name'>;

/** A passkey as its authenticator made it. */
interface MadePasskey {
  credentialId: string;
  /** COSE. */
  publicKey: Uint8Array;
  counter: number;
  aaguid: string;
  /** Is it kept elsewhere, too, such as in a password manager? */
  isBackedUp: boolean;
  /** May it be, now or later? */
  isSyncable: boolean;
}

/** Was it made for this challenge and this site, after its person was verified, with a key that holds? Null if not. */
export async function checkRegistration(
  { credentialId: id, attestationObject, clientDataJSON }: Registration,
  { challenge, party }: { challenge: string; party: RelyingParty },
): Promise<MadePasskey | null> {
  const client = clientDataIn({ clientDataJSON });
  if (!client || !isOwnPage(client, party)) return null;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: { attestationObject, clientDataJSON },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...algorithms],
  }).catch(() => ({ verified: false, registrationInfo: undefined }) as const);
  if (!verified || !registrationInfo) return null;
  if (!(await isStrongKey(registrationInfo.credential.publicKey))) return null;
  const { credential, aaguid, credentialBackedUp: isBackedUp, credentialDeviceType } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    aaguid,
    isBackedUp,
    isSyncable: credentialDeviceType === 'multiDevice',
  };
}

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
  assertion: PasskeyAssertion,
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

function readAssertion({ clientDataJSON, authenticatorData }: PasskeyAssertion) {
  const data = Buffer.from(authenticatorData, 'base64url');
  const client = clientDataIn({ clientDataJSON });
  return client && data.length >= 37 ? { client, flags: data.readUInt8(32), site: data.subarray(0, 32) } : null;
}

/**
 * The site of this public address; null if it has no name, for browsers bind passkeys to none. This machine has one:
 * people reach it as localhost as well.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const url = new URL(publicUrl);
  if (ownAddresses.has(url.hostname)) url.hostname = 'localhost';
  const { hostname, origin } = url;
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0 ? { id: hostname, origin } : null;
}

const ownAddresses = new Set(['127.0.0.1', '[::1]']);

type Signed = Pick<PasskeyAssertion, 'clientDataJSON'>;

/**
 * The browser's statement about a signature of a passkey; null if it cannot be read, or if other programs could read it
 * differently.
 */
function clientDataIn({ clientDataJSON }: Signed): Record<string, unknown> | null {
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

/** Algorithms asked of passkeys, by their number in COSE: EdDSA, ES256 and RS256. One of them is in every authenticator. */
export const algorithms = [-8, -7, -257] as const;

/** The fewest bytes of an RSA modulus: 2048 bits. */
const minModulusBytes = 256;
const usualExponent = Buffer.of(1, 0, 1);
/** The points of small order on Ed25519, without the bit of the sign: for such a key anyone can make signatures. */
const smallPoints = [
  '0'.repeat(64),
  `01${'0'.repeat(62)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ...['ec', 'ed', 'ee'].map((first) => `${first}${'f'.repeat(60)}7f`),
];

/**
 * Is this COSE key one of these, on the curve and of the size that it is asked for? A weak one can be broken, and its
 * signature would prove no one's presence.
 */
export async function isStrongKey(publicKey: Uint8Array): Promise<boolean> {
  const { isoCBOR } = await import('@simplewebauthn/server/helpers');
  try {
    const key = isoCBOR.decodeFirst<Map<number, unknown>>(new Uint8Array(publicKey));
    // Labels of RFC 9052 and 9053: type, algorithm, and then curve and point, or modulus and exponent.
    const [type, algorithm, first, second] = [1, 3, -1, -2].map((label) => key.get(label));
    if (type === 2) return algorithm === -7 && first === 1;
    if (type === 1) return algorithm === -8 && first === 6 && !isSmall(second);
    return type === 3 && algorithm === -257 && isLong(first, second);
  } catch {
    return false;
  }
}

function isSmall(point: unknown): boolean {
  const plain = Buffer.from(point as Uint8Array);
  plain.writeUInt8(plain.readUInt8(31) & 0x7f, 31);
  return smallPoints.includes(plain.toString('hex'));
}

function isLong(modulus: unknown, exponent: unknown): boolean {
  const { length, 0: first } = modulus as Uint8Array;
  return length >= minModulusBytes && first !== 0 && usualExponent.equals(exponent as Uint8Array);
}
