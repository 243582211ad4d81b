import { deriveKey, retainedLabels, type KeyLabel, type KeyRing } from './key-ring.ts';
import { closeBox, openBox } from './ring-box.ts';

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
