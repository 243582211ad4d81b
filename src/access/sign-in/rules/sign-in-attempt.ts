import { createHmac } from 'node:crypto';
import { hashSecret, newOneTimeSecret } from '#platform/crypto/random/one-time-secret';

/** What ties a sign-in at an identity provider to one browser. */
export interface SignInAttempt {
  /** For the cookie only. */
  secret: string;
  /** What is stored. */
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
