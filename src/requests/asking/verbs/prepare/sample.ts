import { lookupHash } from '#platform/crypto/key-ring';
import type { KeyRing } from '#platform/crypto/key-ring';

/** The draw is a number of six bytes. */
const draws = 2 ** 48;

/**
 * Is this request one of those that a person looks at later? The same request always gives the same answer, and no one
 * without the installation's secret can know it beforehand: the id, which Assentry gives, makes each request a new draw.
 */
export function isSampled(
  ring: KeyRing,
  { id, digest }: { id: string; digest: string },
  percent: number | null,
): boolean {
  if (percent === null) return false;
  return lookupHash(ring, 'sample', id, digest).readUIntBE(0, 6) < (draws * percent) / 100;
}
