import { createSecretKey, type KeyObject } from 'node:crypto';
import { type FieldError, Problem } from '../model/problem.ts';
import { sha256, hmacSha256, joinParts } from './digest.ts';
import { identityKey, type Identity } from '../model/identity.ts';
import { decrypt, encrypt } from './aes-gcm.ts';
import { equalBytes, drawBytes } from './random.ts';

/** The keys kept from a retired secret, sealed under the active one. No sealing key can be derived from them. */
export function sealRetained(ring: KeyRing, kid: string): Buffer {
  const keys = retainedLabels.map((label) => [label, deriveKey(ring, kid, label).toString('base64')]);
  return closeBox(ring, 'retained', [kid], JSON.stringify(Object.fromEntries(keys)));
}

/** Opens the result of `sealRetained` for this kid. Anything else is `sealed-unreadable`. */
export function openRetained(ring: KeyRing, kid: string, box: Uint8Array): ReadonlyMap<KeyLabel, Buffer> {
  const keys = JSON.parse(openBox(ring, 'retained', [kid], box).toString('utf8')) as Record<KeyLabel, string>;
  return new Map(retainedLabels.map((label) => [label, Buffer.from(keys[label], 'base64')]));
}

/** Every use of a key. Each use has its own key, so that nothing made for one use works for another. */
export const keyLabels = {
  wrap: 'assentry/wrap/v1',
  owner: 'assentry/owner/v1',
  payload: 'assentry/payload/v1',
  commit: 'assentry/commit/v1',
  tokenSeal: 'assentry/token-seal/v1',
  tokenMac: 'assentry/token-mac/v1',
  antiForgery: 'assentry/anti-forgery/v1',
  principalLookup: 'assentry/principal-lookup/v1',
  sessionLookup: 'assentry/session-lookup/v1',
  idempotencyLookup: 'assentry/idempotency-lookup/v1',
  logSign: 'assentry/log-sign/v1',
  webhook: 'assentry/webhook/v1',
  pushKeys: 'assentry/push-keys/v1',
  device: 'assentry/device/v1',
  link: 'assentry/link/v1',
  chatLookup: 'assentry/chat-lookup/v1',
  accessLookup: 'assentry/access-lookup/v1',
  sample: 'assentry/sample/v1',
  check: 'assentry/check/v1',
  retained: 'assentry/retained/v1',
  evidence: 'assentry/evidence/v1',
  proof: 'assentry/proof/v1',
  backup: 'assentry/backup/v1',
  shown: 'assentry/shown/v1',
  credential: 'assentry/credential/v1',
  registeredClient: 'assentry/registered-client/v1',
  savedView: 'assentry/saved-view/v1',
  totp: 'assentry/totp/v1',
  totpEnrolment: 'assentry/totp-enrolment/v1',
  signInLookup: 'assentry/sign-in-lookup/v1',
  knownDevice: 'assentry/known-device/v1',
} as const;
export type KeyLabel = keyof typeof keyLabels;

/** The secrets of this installation. The active one makes new values; the others only open existing ones. */
export interface KeyRing {
  readonly active: string;
  /** All kids, the active one first. */
  readonly kids: readonly string[];
  /** Retired secrets, whose proofs and look-up hashes still count. */
  readonly retired: readonly string[];
  /** Secret of this kid; `sealed-unreadable` if unknown. */
  secret(kid: string): KeyObject;
  /** The key kept from a retired secret for this use, if any. */
  retained(kid: string, label: KeyLabel): Buffer | undefined;
  /** Makes new values under this secret of the ring from now on; an unknown kid is `sealed-unreadable`. */
  use(kid: string): void;
  /** Calls the listener for each row with a stored value that does not open, from now on. */
  onUnreadable(listener: (row: string) => void): void;
  /** Reports that a stored value of this row did not open. */
  reportUnreadable(row: string): void;
}

/** The keys kept from a retired secret, for proofs and look-up hashes, never for opening. */
type RetainedKeys = ReadonlyMap<string, ReadonlyMap<KeyLabel, Buffer>>;

/** Uses that only prove or look up. They stay valid after their secret is retired. */
const retainedLabels = [
  'evidence',
  'principalLookup',
  'sessionLookup',
  'idempotencyLookup',
  'chatLookup',
] as const satisfies KeyLabel[];

/** Every kid whose proofs and hashes are valid, the active one first. */
export const provingKids = ({ kids, retired }: KeyRing): string[] => [...kids, ...retired];

export const kidPattern = /^[A-Za-z0-9-]{1,16}$/;
const minSecretLength = 32;

/** Makes the ring, or refuses with `config-invalid`. Errors name positions, never their content. */
export function createKeyRing(secrets: Secrets, retained: RetainedKeys = new Map()): KeyRing {
  const errors = secrets.flatMap(({ kid, secret }, index) => [
    ...findKidErrors(kid, index, secrets),
    ...findSecretErrors(secret, index, secrets),
  ]);
  const [first] = secrets;
  if (first === undefined) errors.push({ path: [], message: 'Give at least one secret.' });
  if (first === undefined || errors.length > 0) throw new Problem('config-invalid', { errors });
  return buildRing(first.kid, secrets, retained);
}

/**
 * The 32-byte key for one use: HKDF-SHA256 over the secret, the label and the context. Another context, label or kid
 * gives an unrelated key. An unknown kid is `sealed-unreadable`.
 */
export function deriveKey(ring: KeyRing, kid: string, label: KeyLabel, ...context: string[]): Buffer {
  if (context.length > 0) return expandKey(ring.secret(kid), noSalt, label, ...context);
  const kept = ring.retained(kid, label);
  if (kept !== undefined) return kept;
  const cachedKey = contextFree.get(ring)?.get(`${kid} ${label}`);
  if (cachedKey !== undefined) return cachedKey;
  const key = expandKey(ring.secret(kid), noSalt, label);
  contextFree.set(ring, new Map(contextFree.get(ring)).set(`${kid} ${label}`, key));
  return key;
}

/**
 * A value that shows whether two nodes hold the same secret under a kid. It may be stored, because it cannot be
 * reversed.
 */
export const checkValue = (ring: KeyRing, kid: string): Buffer => deriveKey(ring, kid, 'check');

/** Like `deriveKey`, from a given secret and with a salt. */
export function expandKey(secret: KeyObject, salt: Uint8Array, label: KeyLabel, ...context: string[]): Buffer {
  return expand(extract(secret.export(), salt), label, context);
}

/** The keys for several uses of a random secret without a salt: `expandKey` for each of them. */
export function expandKeys<const L extends readonly KeyLabel[]>(secret: Uint8Array, labels: L) {
  const extracted = extract(secret, noSalt);
  return labels.map((label) => expand(extracted, label, [])) as { [K in keyof L]: Buffer };
}

// RFC 5869 for 32 bytes: extract, then one block. Node's own function starts a job, which costs twice as much.
const extract = (secret: Uint8Array, salt: Uint8Array): Buffer => hmacSha256(salt, secret);

function expand(extracted: Uint8Array, label: KeyLabel, context: string[]): Buffer {
  // Implementations may limit HKDF's info to 1024 bytes, and a session id may be longer: its digest stands for it.
  const info = joinParts(keyLabels[label], context.length === 0 ? noContext : sha256(joinParts(...context)));
  return hmacSha256(extracted, info, firstBlock);
}

const firstBlock = Buffer.of(1);
const noContext = sha256(joinParts());

const noSalt = new Uint8Array(0);
const contextFree = new WeakMap<KeyRing, Map<string, Buffer>>();

type Secrets = readonly { kid: string; secret: string }[];

// People confuse the two halves of `kid:secret`, so a kid may be a secret: no message repeats either.
function findKidErrors(kid: string, index: number, secrets: Secrets): FieldError[] {
  const path = [index, 'kid'];
  if (!kidPattern.test(kid)) return [{ path, message: 'Give a key id of 1 to 16 letters, digits or hyphens.' }];
  if (secrets.findIndex((other) => other.kid === kid) < index) {
    return [{ path, message: 'Give each secret its own key id: this one is used twice.' }];
  }
  return [];
}

function findSecretErrors(secret: string, index: number, secrets: Secrets): FieldError[] {
  const path = [index, 'secret'];
  if (secret.length < minSecretLength) {
    return [{ path, message: `Use at least ${minSecretLength} characters; this secret has ${secret.length}.` }];
  }
  if (secrets.findIndex((other) => other.secret === secret) < index) {
    return [{ path, message: 'Give each key id its own secret: this one is used twice.' }];
  }
  return [];
}

function buildRing(first: string, secrets: Secrets, retained: RetainedKeys): KeyRing {
  // Key objects, because they do not print or serialize their content.
  const keys = new Map(secrets.map(({ kid, secret }) => [kid, createSecretKey(secret, 'utf8')]));
  let active = first;
  let kids = Object.freeze([...keys.keys()]);
  const secretOf = (kid: string): KeyObject => {
    const key = keys.get(kid);
    if (key === undefined) throw new Problem('sealed-unreadable');
    return key;
  };
  let notify = (_row: string): void => {};
  return Object.freeze({
    onUnreadable: (listener: (row: string) => void) => void (notify = listener),
    reportUnreadable: (row: string) => notify(row),
    get active() {
      return active;
    },
    get kids() {
      return kids;
    },
    retired: Object.freeze([...retained.keys()].filter((kid) => !keys.has(kid))),
    secret: secretOf,
    retained: (kid: string, label: KeyLabel) => (keys.has(kid) ? undefined : retained.get(kid)?.get(label)),
    use(kid: string) {
      secretOf(kid);
      active = kid;
      kids = Object.freeze([kid, ...kids.filter((other) => other !== kid)]);
    },
  });
}

/** Uses of hashes that look up values stored sealed or as a hash. */
type LookupLabel = 'principal' | 'session' | 'idempotency' | 'chat' | 'access' | 'sample' | 'signIn';

const labels = {
  principal: 'principalLookup',
  session: 'sessionLookup',
  idempotency: 'idempotencyLookup',
  chat: 'chatLookup',
  access: 'accessLookup',
  sample: 'sample',
  signIn: 'signInLookup',
} as const satisfies Record<LookupLabel, KeyLabel>;

/**
 * The keyed hash to store: without the ring it reveals nothing about the parts, not even to someone who guesses them.
 */
export const lookupHash = (ring: KeyRing, label: LookupLabel, ...parts: string[]): Buffer =>
  hashUnder(ring, ring.active, label, parts);

/** The hashes to search for, the active one first, so that rows from before a rotation are found as well. */
export const lookupHashes = (ring: KeyRing, label: LookupLabel, ...parts: string[]): Buffer[] =>
  provingKids(ring).map((kid) => hashUnder(ring, kid, label, parts));

/** The stored hash of a server's requester, the same for all spellings of their name. */
export const principalHash = (ring: KeyRing, server: string, who: Identity): Buffer =>
  lookupHash(ring, 'principal', server, identityKey(who));

/** The hashes by which the requester's requests are found. */
export const principalHashes = (ring: KeyRing, server: string, who: Identity): Buffer[] =>
  lookupHashes(ring, 'principal', server, identityKey(who));

const hashUnder = (ring: KeyRing, kid: string, label: LookupLabel, parts: string[]): Buffer =>
  hmacSha256(deriveKey(ring, kid, labels[label]), joinParts(...parts));

/*
 * A box is sealed under the ring itself: version, length of the kid, kid, salt, then nonce ‖ ciphertext ‖ tag.
 * The salt gives each box a key of its own, so that no count of boxes wears out a ring key's nonces.
 */
const version = 1;
const saltLength = 16;

/** Seals under the active secret, for one use in one context. */
export function closeBox(ring: KeyRing, label: KeyLabel, context: string[], plaintext: string | Uint8Array): Buffer {
  const salt = drawBytes(saltLength);
  const header = Buffer.concat([Buffer.of(version, ring.active.length), Buffer.from(ring.active, 'latin1'), salt]);
  const key = boxKey(ring, ring.active, salt, label, context);
  return Buffer.concat([header, encrypt(key, header, plaintext)]);
}

/** Opens a box of the same use and context; anything else is `sealed-unreadable`. */
export function openBox(ring: KeyRing, label: KeyLabel, context: string[], box: Uint8Array): Buffer {
  const { kid, salt, header, encrypted } = readBox(box);
  return decrypt(boxKey(ring, kid, salt, label, context), header, encrypted);
}

/** The box sealed again under the active secret; null if that one already seals it. */
export const closeAgain = (ring: KeyRing, label: KeyLabel, context: string[], box: Uint8Array): Buffer | null =>
  kidOfBox(box) === ring.active ? null : closeBox(ring, label, context, openBox(ring, label, context, box));

/** The kid that a box names; nothing is verified. */
export const kidOfBox = (box: Uint8Array): string => readBox(box).kid;

const boxKey = (ring: KeyRing, kid: string, salt: Uint8Array, label: KeyLabel, context: string[]): KeyObject =>
  createSecretKey(expandKey(ring.secret(kid), salt, label, ...context));

function readBox(box: Uint8Array) {
  const bytes = Buffer.from(box.buffer, box.byteOffset, box.byteLength);
  const saltAt = 2 + (bytes[1] ?? 0);
  const encryptedAt = saltAt + saltLength;
  const kid = bytes.toString('latin1', 2, saltAt);
  if (bytes[0] !== version || bytes.length < encryptedAt || !kidPattern.test(kid))
    throw new Problem('sealed-unreadable');
  return {
    kid,
    salt: bytes.subarray(saltAt, encryptedAt),
    header: bytes.subarray(0, encryptedAt),
    encrypted: bytes.subarray(encryptedAt),
  };
}

/*
 * A MAC under the ring: length of the kid, kid, HMAC-SHA256. It is made under the active secret, and holds after that
 * secret is retired.
 */
export const ringMac = (ring: KeyRing, label: KeyLabel, bytes: Uint8Array): Buffer =>
  macUnder(ring, ring.active, label, bytes);

/** Whether a secret of this ring made this MAC for these bytes. */
export function holdsMac(ring: KeyRing, label: KeyLabel, bytes: Uint8Array, mac: Uint8Array): boolean {
  const kid = kidOfMac(mac);
  return provingKids(ring).includes(kid) && equalBytes(macUnder(ring, kid, label, bytes), mac);
}

/** The kid that a MAC names; nothing is verified. */
export const kidOfMac = (mac: Uint8Array): string => Buffer.from(mac.subarray(1, 1 + (mac[0] ?? 0))).toString('latin1');

function macUnder(ring: KeyRing, kid: string, label: KeyLabel, bytes: Uint8Array): Buffer {
  const mac = hmacSha256(deriveKey(ring, kid, label), bytes);
  return Buffer.concat([Buffer.of(kid.length), Buffer.from(kid, 'latin1'), mac]);
}
