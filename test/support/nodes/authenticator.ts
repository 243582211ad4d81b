import { isoCBOR } from '@simplewebauthn/server/helpers';
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { NewPasskey, PasskeyAssertion } from '#protocol/contract/users/passkeys';

/** What a forger would have it say otherwise. */
export interface SigningOptions {
  /** The flag that says that the device verified its person. */
  isVerified?: boolean;
  origin?: string;
  site?: string;
}

/** An authenticator in software with one passkey: ES256, and a counter. */
export interface Authenticator {
  credentialId: string;
  /** Of the next signature; a test may set it back. */
  counter: number;
  create(challenge: string, options?: SigningOptions): NewPasskey;
  sign(challenge: string, options?: SigningOptions): PasskeyAssertion;
}

export function newAuthenticator(publicUrl: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const usual = { isVerified: true, origin: new URL(publicUrl).origin, site: new URL(publicUrl).hostname };
  const authenticator: Authenticator = {
    credentialId: id.toString('base64url'),
    counter: 1,
    create(challenge, options) {
      const { site, origin, isVerified } = { ...usual, ...options };
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseOf(publicKey)]);
      const authData = Buffer.concat([head(site, isVerified, 0x40, 0), credential]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]);
      return {
        name: 'A phone',
        credentialId: authenticator.credentialId,
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        clientDataJSON: client('webauthn.create', challenge, origin).toString('base64url'),
        transports: ['internal'],
      };
    },
    sign(challenge, options) {
      const { site, origin, isVerified } = { ...usual, ...options };
      const data = head(site, isVerified, 0, authenticator.counter++);
      const clientData = client('webauthn.get', challenge, origin);
      const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey);
      return {
        credentialId: authenticator.credentialId,
        authenticatorData: data.toString('base64url'),
        clientDataJSON: clientData.toString('base64url'),
        signature: signature.toString('base64url'),
      };
    },
  };
  return authenticator;
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

const client = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

function head(site: string, isVerified: boolean, more: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(site), Buffer.from([0x01 | (isVerified ? 0x04 : 0) | more]), count]);
}

function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
  const cose = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ]);
  return Buffer.from(isoCBOR.encode(cose as never));
}
