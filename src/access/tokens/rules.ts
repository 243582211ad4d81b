import { randomBytes } from 'node:crypto';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { canonicalJson, hmacSha256, sha256, joinParts } from '#platform/crypto/digest';
import { equalBytes } from '#platform/crypto/random';
import { deriveKey, type KeyRing, closeBox, openBox } from '#platform/crypto/key-ring';
import { crc32 } from 'node:zlib';

export const tokenPurposes = ['page', 'connect', 'name', 'callback', 'oauth', 'state', 'credential'] as const;
type TokenPurpose = (typeof tokenPurposes)[number];

export interface TokenClaims {
  session: string;
  /** Null for a token made before its elicitation: the database holds which one it was bound to. */
  elicitation: ElicitationId | null;
  purpose: TokenPurpose;
  /** 16 random bytes as base64url: what the database keeps of a used token. */
  nonce: string;
  /** Milliseconds since 1970. From this moment on the token is invalid. */
  expiresAt: number;
  /** Only its service has this callback token. One without the mark was made when clients could read them. */
  forService?: true;
}

/** Characters. Long enough for any session id, short enough for a link. */
export const maxTokenLength = 4096;

/**
 * A token `v1.<kid>.<ciphertext>.<hmac>` that reveals nothing to its bearer, with a fresh nonce. INVALID_INPUT if the
 * claims do not fit.
 */
export const mintToken = (ring: KeyRing, claims: Omit<TokenClaims, 'nonce' | 'forService'>): string =>
  sealToken(ring, { ...claims, nonce: newNonce(), forService: undefined });

/** The tokens of one question in URL mode. They share a nonce, so that both belong to the same question. */
interface TokenPair {
  /** Goes to the client as the elicitation's id; it reports nothing. */
  name: string;
  /** Reports the result; only for the service, from server to server. */
  callback: string;
  nonce: string;
}

/** Makes both tokens of a question; `expiresAt` is the name's, `callbackUntil` the callback's. */
export function mintPair(
  ring: KeyRing,
  { callbackUntil, ...claims }: Pick<TokenClaims, 'session' | 'elicitation' | 'expiresAt'> & { callbackUntil: number },
): TokenPair {
  const nonce = newNonce();
  const name = sealToken(ring, { ...claims, purpose: 'name', nonce, forService: undefined });
  const callback = { ...claims, purpose: 'callback', expiresAt: callbackUntil, nonce, forService: true } as const;
  return { name, callback: sealToken(ring, callback), nonce };
}

const newNonce = (): string => randomBytes(16).toString('base64url');

type SealedClaims = Omit<TokenClaims, 'forService'> & { forService: true | undefined };

function sealToken(ring: KeyRing, claims: SealedClaims): string {
  const { session, elicitation, purpose, expiresAt, nonce, forService } = claims;
  const text = canonicalJson({ session, elicitation, purpose, expiresAt, nonce, ...(forService && { forService }) });
  const signed = `v1.${ring.active}.${closeBox(ring, 'tokenSeal', [], text).toString('base64url')}`;
  const token = `${signed}.${sign(ring, ring.active, signed)}`;
  if (token.length > maxTokenLength) {
    throw new Problem('INVALID_INPUT', { detail: 'The session id is too long for a token.' });
  }
  return token;
}

/** Reads a token of this purpose that is valid at `now` (milliseconds). Any other text is `token-invalid`. */
export function openToken(ring: KeyRing, token: string, purpose: TokenPurpose, now: number): TokenClaims {
  const claims = readClaims(ring, token);
  if (claims === null || claims.purpose !== purpose || !(now < claims.expiresAt)) throw new Problem('token-invalid');
  return claims;
}

/** Is this a callback token of this installation, of whatever age? */
export const isCallbackToken = (ring: KeyRing, token: string): boolean =>
  readClaims(ring, token)?.purpose === 'callback';

const shape = /^(v1\.([A-Za-z0-9-]{1,16})\.([A-Za-z0-9_-]+))\.([A-Za-z0-9_-]{43})$/;

function readClaims(ring: KeyRing, token: unknown): TokenClaims | null {
  if (typeof token !== 'string' || token.length > maxTokenLength) return null;
  const [, signed = '', kid = '', sealed = '', mac = ''] = shape.exec(token) ?? [];
  if (!ring.kids.includes(kid)) return null;
  // Compared as text: several base64url texts decode to the same bytes, and only one of them was issued.
  if (!equalBytes(Buffer.from(mac), Buffer.from(sign(ring, kid, signed)))) return null;
  return openClaims(ring, sealed);
}

const sign = (ring: KeyRing, kid: string, signed: string): string =>
  hmacSha256(deriveKey(ring, kid, 'tokenMac'), signed).toString('base64url');

function openClaims(ring: KeyRing, sealed: string): TokenClaims | null {
  try {
    return JSON.parse(openBox(ring, 'tokenSeal', [], Buffer.from(sealed, 'base64url')).toString('utf8'));
  } catch {
    return null;
  }
}

/** Lookup id of a presented key, and the hash to compare with the stored one. */
interface ApiKeyReference {
  kid: string;
  /** SHA-256 of the whole key. */
  hash: Buffer;
}

/**
 * A new key `asn_<kid>_<32 random bytes>_<crc>`, to be shown once and stored as its hash. It has only letters, digits
 * and underscores: a double click selects all of it, and secret scanners can recognize it.
 */
export const newApiKey = (): ApiKeyReference & { key: string } => newKey('asn');

/** A token for a provider that provisions people: the prefix says that it is no key of a server. */
export const newScimToken = (): ApiKeyReference & { key: string } => newKey('asnscim');

/** A token for a program that administers. */
export const newAdminToken = (): ApiKeyReference & { key: string } => newKey('asnadm');

function newKey(prefix: string): ApiKeyReference & { key: string } {
  const kid = randomBytes(8).toString('hex');
  const body = `${prefix}_${kid}_${toBase62(randomBytes(32))}`;
  const key = `${body}_${checksum(body)}`;
  return { key, kid, hash: sha256(key) };
}

/** Reads a presented key. `null` if it cannot be one, so that a typing error never reaches the database. */
export const readApiKey = (text: string): ApiKeyReference | null => readKey(text, 'asn');

export const readScimToken = (text: string): ApiKeyReference | null => readKey(text, 'asnscim');

export const readAdminToken = (text: string): ApiKeyReference | null => readKey(text, 'asnadm');

function readKey(text: string, prefix: string): ApiKeyReference | null {
  const [, body = '', before = '', kid = '', sum = ''] = keyShape.exec(text) ?? [];
  return before === prefix && checksum(body) === sum ? { kid, hash: sha256(text) } : null;
}

const keyShape = /^((asn|asnscim|asnadm)_([0-9a-f]{16})_[0-9A-Za-z]{43})_([0-9a-f]{8})$/;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const checksum = (body: string): string => crc32(body).toString(16).padStart(8, '0');

/** 43 digits can represent any 32 bytes. */
function toBase62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let digit = 0; digit < 43; digit += 1) {
    text = digits.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

/** A request as it was shown to a person. */
interface Shown {
  user: string;
  elicitation: string;
  /** The action digest of the stored bytes. */
  digest: string;
}

/** A proof, for the person to bring back, that exactly this was shown to them at this moment. */
export function mintShownToken(ring: KeyRing, shown: Shown, at: number): string {
  const moment = String(at);
  return [ring.active, moment, macOf(ring, ring.active, shown, moment).toString('base64url')].join('.');
}

/** When this was shown to this person, in milliseconds; null if the token proves no such thing. */
export function readShownToken(ring: KeyRing, token: string, shown: Shown): number | null {
  const [, kid = '', moment = '', mac = ''] = tokenShape.exec(token) ?? [];
  if (!ring.kids.includes(kid)) return null;
  return equalBytes(Buffer.from(mac, 'base64url'), macOf(ring, kid, shown, moment)) ? Number(moment) : null;
}

const tokenShape = /^([A-Za-z0-9-]{1,16})\.(\d{1,15})\.([\w-]{43})$/;

const macOf = (ring: KeyRing, kid: string, { user, elicitation, digest }: Shown, moment: string): Buffer =>
  hmacSha256(deriveKey(ring, kid, 'shown'), joinParts(user, elicitation, digest, moment));
