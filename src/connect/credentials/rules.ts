import { type KeyRing, closeAgain, closeBox, openBox } from '#platform/crypto/key-ring';

/** The one place where a person's credentials for a server open: this row, server, person and name. */
interface CredentialPlace {
  id: string;
  serverId: string;
  userId: string;
  /** The keyed hash of issuer and subject. */
  hash: Uint8Array;
}

/** Seals what a server is to be shown in this person's name, under a key of its own. */
export const sealCredential = (ring: KeyRing, place: CredentialPlace, secret: string): Buffer =>
  closeBox(ring, 'credential', partsOf(place), secret);

/** Opens the result of `sealCredential` for this place. Anything else is `sealed-unreadable`. */
export const openCredential = (ring: KeyRing, place: CredentialPlace, box: Uint8Array): string =>
  openBox(ring, 'credential', partsOf(place), box).toString('utf8');

/** The same under the active secret; null if it is sealed under that one already. */
export const sealCredentialAgain = (ring: KeyRing, place: CredentialPlace, box: Uint8Array): Buffer | null =>
  closeAgain(ring, 'credential', partsOf(place), box);

const partsOf = ({ id, serverId, userId, hash }: CredentialPlace): string[] => [
  id,
  serverId,
  userId,
  Buffer.from(hash).toString('hex'),
];
