import { type KeyRing, closeAgain, closeBox, openBox } from '#platform/crypto/key-ring';

/** The one place where a person's credentials for a server open: this row, server, person, name and provider. */
export interface CredentialPlace {
  id: string;
  serverId: string;
  /** Null for a requester who is no user. */
  userId: string | null;
  /** Keyed hash of issuer and subject. */
  hash: Uint8Array;
  /** The provider of a connection; null for a secret that its person entered. */
  provider: string | null;
}

/** Begins what stands in the place of a provider for a secret that a tool has asked for. */
export const secretPrefix = 'secret:';

export const isSecret = ({ provider }: Pick<CredentialPlace, 'provider'>): boolean =>
  provider?.startsWith(secretPrefix) === true;

/** Seals this person's credentials for a server, under a separate key. */
export const sealCredential = (ring: KeyRing, place: CredentialPlace, secret: string): Buffer =>
  closeBox(ring, 'credential', partsOf(place), secret);

/** Opens the result of `sealCredential` for this place. Anything else is `sealed-unreadable`. */
export const openCredential = (ring: KeyRing, place: CredentialPlace, box: Uint8Array): string =>
  openBox(ring, 'credential', partsOf(place), box).toString('utf8');

/** The credentials sealed again under the active secret; null if that one already seals them. */
export const sealCredentialAgain = (ring: KeyRing, place: CredentialPlace, box: Uint8Array): Buffer | null =>
  closeAgain(ring, 'credential', partsOf(place), box);

const partsOf = ({ id, serverId, userId, hash, provider }: CredentialPlace): string[] => [
  id,
  serverId,
  userId ?? '',
  Buffer.from(hash).toString('hex'),
  ...(provider === null ? [] : [provider]),
];
