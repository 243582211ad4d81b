import { createSecretKey, type KeyObject } from 'node:crypto';
import { type FieldError, Problem } from '../../model/problem/problem.ts';
import { sha256 } from '../digest/digest.ts';
import { hmacSha256 } from '../digest/hmac.ts';
import { joinParts } from '../digest/length-prefix.ts';

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
  /** The active one first. */
  readonly kids: readonly string[];
  /** Retired secrets, whose proofs and look-up hashes still count. */
  readonly retired: readonly string[];
  /** An unknown kid is `sealed-unreadable`. */
  secret(kid: string): KeyObject;
  /** The key kept from a retired secret for this use, if any. */
  retained(kid: string, label: KeyLabel): Buffer | undefined;
  /** From now on new values are made under this secret of the ring; an unknown kid is `sealed-unreadable`. */
  use(kid: string): void;
  /** From now on the listener is called with each row with a stored value that does not open. */
  onUnreadable(listener: (row: string) => void): void;
  /** A stored value of this row did not open. */
  reportUnreadable(row: string): void;
}

/** The keys kept from a retired secret, for proofs and look-up hashes, never for opening. */
type RetainedKeys = ReadonlyMap<string, ReadonlyMap<KeyLabel, Buffer>>;

/** Uses that only prove or look up. They stay valid after their secret is retired. */
export const retainedLabels = [
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

/** The keys for several uses of a secret that is random already and needs no salt: `expandKey` for each of them. */
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
