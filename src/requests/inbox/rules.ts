import { type KeyRing, closeAgain, closeBox, openBox } from '#platform/crypto/key-ring';

/** The one place where a saved view opens: this row, of this owner, and as they share it or keep it. */
export interface ViewPlace {
  id: string;
  owner: { id: string };
  isShared: boolean;
}

/** Seals name and filters of a view, under a key of their own. */
export const sealView = (ring: KeyRing, place: ViewPlace, text: string): Buffer =>
  closeBox(ring, 'savedView', partsOf(place), text);

/** Opens the result of `sealView` for this place. Anything else is `sealed-unreadable`. */
export const openView = (ring: KeyRing, place: ViewPlace, box: Uint8Array): string =>
  openBox(ring, 'savedView', partsOf(place), box).toString('utf8');

/** Seals the view under the active secret; null if it is sealed under that one already. */
export const sealViewAgain = (ring: KeyRing, place: ViewPlace, box: Uint8Array): Buffer | null =>
  closeAgain(ring, 'savedView', partsOf(place), box);

const partsOf = ({ id, owner, isShared }: ViewPlace): string[] => [id, owner.id, isShared ? 'shared' : 'own'];
