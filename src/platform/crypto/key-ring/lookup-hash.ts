import { identityKey, type Identity } from '../../model/identity.ts';
import { hmacSha256 } from '../digest/hmac.ts';
import { deriveKey, provingKids, type KeyLabel, type KeyRing } from './key-ring.ts';
import { joinParts } from '../digest/length-prefix.ts';

/** Hashes for looking up values that are stored sealed or as a hash. */
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

/** The hash to store of who asked a server, whatever the spelling of their name. */
export const principalHash = (ring: KeyRing, server: string, who: Identity): Buffer =>
  lookupHash(ring, 'principal', server, identityKey(who));

/** The hashes to search for what they asked. */
export const principalHashes = (ring: KeyRing, server: string, who: Identity): Buffer[] =>
  lookupHashes(ring, 'principal', server, identityKey(who));

const hashUnder = (ring: KeyRing, kid: string, label: LookupLabel, parts: string[]): Buffer =>
  hmacSha256(deriveKey(ring, kid, labels[label]), joinParts(...parts));
