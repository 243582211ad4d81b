import { hash, hashRaw, verify } from '@node-rs/argon2';
import { type FieldError, Problem } from '#platform/model/problem/problem';
import { createLimiter } from '#platform/model/limiter';
import { isGuessable, type PasswordOwner } from './guessable.ts';

// OWASP's figures for Argon2id: 19 MiB, two passes, one lane.
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash keeps a core busy: more at the same time would only slow each other, and the node with them. */
const limiter = createLimiter({ concurrency: 2, maxQueue: 64 });

/** Characters. Length makes a password hard to guess, so there are no rules for kinds of characters. */
const minPasswordLength = 15;
const maxPasswordLength = 256;

/** An unknown person's password is checked against this hash of random bytes that no one kept. */
export const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$tNHIE0ifyAX8F4gXc7nBug$NWG7PUiqTVDSB9ZFbOk25oxffacixBXfUwMRmzy6KUM';

/** The text to store, with a separate salt each time. */
export const hashPassword = (password: string): Promise<string> => limiter(() => hash(normalize(password), cost));

/** The hash of a code that a person types, for a salt that several share: as costly to guess as a password. */
export const slowHash = (code: string, salt: Uint8Array): Promise<Buffer> =>
  limiter(() => hashRaw(code, { ...cost, salt }));

/**
 * Is this the password? `null` means an unknown person, or one without a password: the answer is no after the same
 * work, so that no one learns who exists.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await limiter(() => verifyHash(stored ?? decoyHash, normalize(password)));
  return stored !== null && matches;
}

/** What must change before this can become a password; nothing if it can. */
export async function checkPasswordStrength(password: string, owner?: PasswordOwner): Promise<FieldError[]> {
  const characters = [...normalize(password)];
  if (characters.length < minPasswordLength) return refuse(`Use at least ${minPasswordLength} characters.`);
  if (characters.length > maxPasswordLength) return refuse(`Use at most ${maxPasswordLength} characters.`);
  if (new Set(characters).size === 1) return refuse('Use more than one different character.');
  if (emailLike.test(password)) return refuse('Use something else: an email address is easy to guess.');
  if (await isGuessable(characters.join(''), owner))
    return refuse('Use something else: common passwords and phrases, names, dates and rows of keys are easy to guess.');
  return [];
}

const emailLike = /^\s*[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+\s*$/;

// Keyboards compose an "é" differently, and the person typed the same.
const normalize = (password: string): string => password.normalize('NFKC');

async function verifyHash(stored: string, password: string): Promise<boolean> {
  try {
    return await verify(stored, password);
  } catch (cause) {
    throw new Problem('internal', { cause });
  }
}

const refuse = (message: string): FieldError[] => [{ path: ['password'], message }];
