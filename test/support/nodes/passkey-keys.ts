import { isoCBOR } from '@simplewebauthn/server/helpers';
import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';

interface KeyKindParts {
  make: () => KeyPairKeyObjectResult;
  hash: string | null;
  /** Type, algorithm and curve, as COSE numbers them. */
  head: Record<number, number>;
  /** The members of its JWK that follow, by the number of the first. */
  parts: [number, ...string[]];
}

const curve = (namedCurve: string) => (): KeyPairKeyObjectResult => generateKeyPairSync('ec', { namedCurve });
const rsa = (modulusLength: number) => (): KeyPairKeyObjectResult => generateKeyPairSync('rsa', { modulusLength });

const kinds = {
  ES256: { make: curve('P-256'), hash: 'sha256', head: { 1: 2, 3: -7, [-1]: 1 }, parts: [-2, 'x', 'y'] },
  EdDSA: { make: () => generateKeyPairSync('ed25519'), hash: null, head: { 1: 1, 3: -8, [-1]: 6 }, parts: [-2, 'x'] },
  RS256: { make: rsa(2048), hash: 'sha256', head: { 1: 3, 3: -257 }, parts: [-1, 'n', 'e'] },
  'RS256 of 1024 bits': { make: rsa(1024), hash: 'sha256', head: { 1: 3, 3: -257 }, parts: [-1, 'n', 'e'] },
  RS1: { make: rsa(2048), hash: 'sha1', head: { 1: 3, 3: -65_535 }, parts: [-1, 'n', 'e'] },
  ES512: { make: curve('P-521'), hash: 'sha512', head: { 1: 2, 3: -36, [-1]: 3 }, parts: [-2, 'x', 'y'] },
  'ES256 on P-521': { make: curve('P-521'), hash: 'sha256', head: { 1: 2, 3: -7, [-1]: 3 }, parts: [-2, 'x', 'y'] },
} satisfies Record<string, KeyKindParts>;

export type KeyKind = keyof typeof kinds;
export const keyKinds = Object.keys(kinds) as KeyKind[];

/** A key pair of a passkey, its public half in COSE. */
export function newKey(kind: KeyKind) {
  const { make, hash, head, parts }: KeyKindParts = kinds[kind];
  const { privateKey, publicKey } = make();
  const jwk = publicKey.export({ format: 'jwk' }) as Record<string, string>;
  const [first, ...names] = parts;
  const members = names.map((name, at) => [first - at, new Uint8Array(Buffer.from(jwk[name] ?? '', 'base64url'))]);
  const key = [...Object.entries(head).map(([label, value]) => [Number(label), value]), ...members];
  return { privateKey, hash, cose: isoCBOR.encode(new Map(key as [number, unknown][]) as never) };
}
