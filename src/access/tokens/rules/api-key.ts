import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256 } from '#platform/crypto/digest/digest';

/** How a presented key is looked up, and what its stored hash is compared with. */
interface ApiKeyReference {
  kid: string;
  /** SHA-256 of the whole key. */
  hash: Buffer;
}

/**
 * A new key `asn_<kid>_<32 random bytes>_<crc>`, to be shown once and stored as its hash. It has only letters, digits
 * and underscores: a double click selects all of it, and secret scanners can recognize it.
 */
export const newApiKey = (): ApiKeyReference & { key: string } => newKey('asn');

/** The same for a provider that provisions people: the prefix says that it is no key of a server. */
export const newScimToken = (): ApiKeyReference & { key: string } => newKey('asnscim');

/** The same for a program that administers. */
export const newAdminToken = (): ApiKeyReference & { key: string } => newKey('asnadm');

function newKey(prefix: string): ApiKeyReference & { key: string } {
  const kid = randomBytes(8).toString('hex');
  const body = `${prefix}_${kid}_${toBase62(randomBytes(32))}`;
  const key = `${body}_${checksum(body)}`;
  return { key, kid, hash: sha256(key) };
}

/** Reads a presented key. `null` if it cannot be one, so that a typing error never reaches the database. */
export const readApiKey = (text: string): ApiKeyReference | null => readKey(text, 'asn');

export const readScimToken = (text: string): ApiKeyReference | null => readKey(text, 'asnscim');

export const readAdminToken = (text: string): ApiKeyReference | null => readKey(text, 'asnadm');

function readKey(text: string, prefix: string): ApiKeyReference | null {
  const [, body = '', before = '', kid = '', sum = ''] = shape.exec(text) ?? [];
  return before === prefix && checksum(body) === sum ? { kid, hash: sha256(text) } : null;
}

const shape = /^((asn|asnscim|asnadm)_([0-9a-f]{16})_[0-9A-Za-z]{43})_([0-9a-f]{8})$/;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const checksum = (body: string): string => crc32(body).toString(16).padStart(8, '0');

/** 43 digits can represent any 32 bytes. */
function toBase62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let digit = 0; digit < 43; digit += 1) {
    text = digits.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
