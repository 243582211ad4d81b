import { equalBytes } from '#platform/crypto/random/compare';
import { hmacSha256 } from '#platform/crypto/digest/hmac';
import { deriveKey, type KeyRing } from '#platform/crypto/key-ring/key-ring';
import { joinParts } from '#platform/crypto/digest/length-prefix';

/** What was shown to whom. */
interface Shown {
  user: string;
  elicitation: string;
  /** The action digest of the stored bytes. */
  digest: string;
}

/** A proof, for the person to bring back, that exactly this was shown to them at this moment. */
export function mintShownToken(ring: KeyRing, shown: Shown, at: number): string {
  const moment = String(at);
  return [ring.active, moment, macOf(ring, ring.active, shown, moment).toString('base64url')].join('.');
}

/** When this was shown to this person, in milliseconds; null if the token proves no such thing. */
export function readShownToken(ring: KeyRing, token: string, shown: Shown): number | null {
  const [, kid = '', moment = '', mac = ''] = shape.exec(token) ?? [];
  if (!ring.kids.includes(kid)) return null;
  return equalBytes(Buffer.from(mac, 'base64url'), macOf(ring, kid, shown, moment)) ? Number(moment) : null;
}

const shape = /^([A-Za-z0-9-]{1,16})\.(\d{1,15})\.([\w-]{43})$/;

const macOf = (ring: KeyRing, kid: string, { user, elicitation, digest }: Shown, moment: string): Buffer =>
  hmacSha256(deriveKey(ring, kid, 'shown'), joinParts(user, elicitation, digest, moment));
