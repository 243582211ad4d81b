import { isoCBOR } from '@simplewebauthn/server/helpers';
import { createHash, randomBytes, sign } from 'node:crypto';
import type { NewPasskey, PasskeyAssertion } from '#access/passkeys/contract/passkeys';
import { newKey, type KeyKind } from './passkey-keys.ts';

/** What a forger would have it say otherwise. */
export interface SigningOptions {
  /** The flag that says that the device verified its person. */
  isVerified?: boolean;
  origin?: string;
  site?: string;
  /** Whether the key may be kept elsewhere, too, and is. */
  backup?: 'device' | 'syncable' | 'synced';
  /** What the browser says it signed, instead of what browsers say. */
  client?: (usual: string) => string;
  /** Of the key of a new passkey. */
  kind?: KeyKind;
}

/** The page that asked was in a frame of another site. */
export const framed = (usual: string): string => usual.replace('"crossOrigin":false', '"crossOrigin":true');
/** Some programs read the first of two equal members, others the last. */
export const withTwoChallenges = (usual: string): string => usual.replace('{', '{"challenge":"AAAA",');

/** An authenticator in software with one passkey and a counter. */
export interface Authenticator {
  credentialId: string;
  /** Of the next signature; a test may set it back. */
  counter: number;
  create(challenge: string, options?: SigningOptions): NewPasskey;
  sign(challenge: string, options?: SigningOptions): PasskeyAssertion;
}

export function newAuthenticator(publicUrl: string, kind: KeyKind = 'ES256'): Authenticator {
  const { privateKey, cose, hash } = newKey(kind);
  const id = randomBytes(16);
  const usual = {
    isVerified: true,
    backup: 'device' as const,
    origin: new URL(publicUrl).origin,
    site: new URL(publicUrl).hostname,
    client: asSigned,
  };
  const authenticator: Authenticator = {
    credentialId: id.toString('base64url'),
    counter: 1,
    create(challenge, options) {
      const { site, origin, isVerified, backup, client } = { ...usual, ...options };
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const authData = Buffer.concat([head(site, isVerified, 0x40 | backupFlags[backup], 0), credential]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]);
      return {
        name: 'A phone',
        credentialId: authenticator.credentialId,
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        clientDataJSON: Buffer.from(client(clientDataOf('webauthn.create', challenge, origin))).toString('base64url'),
        transports: ['internal'],
      };
    },
    sign(challenge, options) {
      const { site, origin, isVerified, backup, client } = { ...usual, ...options };
      const data = head(site, isVerified, backupFlags[backup], authenticator.counter++);
      const clientData = Buffer.from(client(clientDataOf('webauthn.get', challenge, origin)));
      const signature = sign(hash, Buffer.concat([data, sha256(clientData)]), privateKey);
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

/** The flags for backup eligibility and backup state. */
const backupFlags = { device: 0, syncable: 0x08, synced: 0x18 };

const asSigned = (text: string): string => text;

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

const clientDataOf = (type: string, challenge: string, origin: string): string =>
  JSON.stringify({ type, challenge, origin, crossOrigin: false });

function head(site: string, isVerified: boolean, more: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(site), Buffer.from([0x01 | (isVerified ? 0x04 : 0) | more]), count]);
}
