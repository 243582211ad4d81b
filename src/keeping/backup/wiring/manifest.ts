import { canonicalJson } from '#platform/crypto/digest/canonical-json';
import { equalBytes } from '#platform/crypto/random/compare';
import { checkValue, kidPattern, type KeyRing } from '#platform/crypto/key-ring/key-ring';
import { holdsMac, kidOfMac, ringMac } from '#platform/crypto/key-ring/ring-box';
import { Problem } from '#platform/model/problem/problem';

/** What a backup is: it lies next to the dump, under a MAC of the installation. */
export interface Manifest {
  v: 1;
  /** The moment that the dump shows. */
  at: string;
  /** The name of the log, and its last checkpoint. */
  origin: string;
  size: number;
  checkpoint: string | null;
  /** The secrets that open what is in it; the value shows whether a secret is the same. */
  secrets: { kid: string; check: string }[];
  dump: Fingerprint;
}

/** Which bytes a file holds. */
export interface Fingerprint {
  bytes: number;
  sha256: string;
}

export const writeManifest = (ring: KeyRing, manifest: Manifest): string =>
  `${JSON.stringify({ ...manifest, mac: ringMac(ring, 'backup', bytesOf(manifest)).toString('base64') }, null, 2)}\n`;

/**
 * The manifest, if this installation wrote it and the ring has each secret that the backup needs. Problem
 * `config-invalid` names the key id of a secret that is missing or differs; `proof-invalid` says that it was changed.
 */
export function openManifest(ring: KeyRing, text: string): Manifest {
  const { mac = '', ...manifest } = parse(text);
  const code = Buffer.from(String(mac), 'base64');
  const kid = kidOfMac(code);
  if (!kidPattern.test(kid)) throw changed();
  if (!ring.kids.includes(kid)) throw refuseSecret(kid, 'none');
  if (!holdsMac(ring, 'backup', bytesOf(manifest), code)) throw changed(`, or ${kid} was another secret then`);
  const whole = manifest as Manifest;
  for (const { kid: needed, check } of whole.secrets) {
    if (!ring.kids.includes(needed)) throw refuseSecret(needed, 'none');
    const isSame = equalBytes(checkValue(ring, needed), Buffer.from(check, 'base64'));
    if (!isSame) throw refuseSecret(needed, 'a different one');
  }
  return whole;
}

const bytesOf = (manifest: object): Buffer => Buffer.from(canonicalJson(manifest), 'utf8');

function parse(text: string): Partial<Manifest> & { mac?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {}
  throw changed();
}

const changed = (besides = ''): Problem =>
  new Problem('proof-invalid', { detail: `Use another backup: the manifest of this one was changed${besides}.` });

const refuseSecret = (kid: string, finding: string): Problem =>
  new Problem('config-invalid', {
    detail: `Give the secret with the key id ${kid} in ASSENTRY_SECRETS, as it was when the backup was made: found ${finding}. Nothing was restored.`,
  });
