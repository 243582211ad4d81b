import { randomBytes, createHmac } from 'node:crypto';
import { equalBytes, hashSecret, newOneTimeSecret } from '#platform/crypto/random';
import { hmacSha256, joinParts } from '#platform/crypto/digest';
import { deriveKey, type KeyRing } from '#platform/crypto/key-ring';

/** A browser keeps the marks of so many accounts. */
const maxAccounts = 5;
const form = /^([\w-]{22})((?:\.[\w-]{43}){1,6})$/;

/**
 * A browser's memory of the accounts that signed in with it: a random number, and a mark for itself and for each
 * account, made under the ring. It opens nothing; it only shows that someone has signed in there before.
 */
export function rememberAccount(ring: KeyRing, account: string, kept: string | undefined): string {
  const isOurs = knownDevice(ring, kept) !== null;
  const { device, marks } = (isOurs ? readKept(kept) : null) ?? {
    device: randomBytes(16).toString('base64url'),
    marks: [],
  };
  const [own, mark] = ['', account].map((name) => markUnder(ring, ring.active, device, name));
  const others = marks.slice(1).filter((other) => other !== mark);
  return [device, own, ...[mark, ...others].slice(0, maxAccounts)].join('.');
}

/** The number of the browser if anyone has signed in with it; null if no one has, or if it was made up. */
export const knownDevice = (ring: KeyRing, kept: string | undefined): string | null => deviceOf(ring, '', kept);

/** The browser's number if this account has signed in with it. */
export function deviceOf(ring: KeyRing, account: string, kept: string | undefined): string | null {
  const read = readKept(kept);
  const isMark = (mark: string): boolean =>
    ring.kids.some((kid) =>
      equalBytes(Buffer.from(mark), Buffer.from(markUnder(ring, kid, read?.device ?? '', account))),
    );
  return read?.marks.some(isMark) ? read.device : null;
}

function readKept(kept: string | undefined): { device: string; marks: string[] } | null {
  const [, device, marks = ''] = form.exec(kept ?? '') ?? [];
  return device === undefined ? null : { device, marks: marks.split('.').slice(1) };
}

const markUnder = (ring: KeyRing, kid: string, device: string, account: string): string =>
  hmacSha256(deriveKey(ring, kid, 'knownDevice'), joinParts(device, account)).toString('base64url');

/** A sign-in at an identity provider that has begun in one browser. */
export interface SignInAttempt {
  /** For the cookie only. */
  secret: string;
  /** The stored part. */
  hash: Buffer;
  state: string;
  nonce: string;
  codeVerifier: string;
}

export const newAttempt = (): SignInAttempt => attemptOf(newOneTimeSecret().secret);

/** All parts follow from the secret in the browser's cookie: the database keeps none that could be used. */
export const attemptOf = (secret: string): SignInAttempt => ({
  secret,
  hash: hashSecret(secret),
  state: partOf(secret, 'state'),
  nonce: partOf(secret, 'nonce'),
  codeVerifier: partOf(secret, 'code verifier'),
});

/** 43 characters, the least that PKCE allows. The secret is random, so no part reveals another one. */
const partOf = (secret: string, use: string): string => createHmac('sha256', secret).update(use).digest('base64url');
