import { faultsOf, type Fault } from './fault.ts';

const json = ['test/platform/crypto/strict-json.test.ts'];
const merkle = ['test/audit/tree/merkle.test.ts'];
const notes = ['test/audit/tree/signed-note.test.ts'];

/** In sealing, signing and proving. */
export const cryptoFaults: Fault[] = [
  ...faultsOf(
    'src/platform/crypto/seal.ts',
    ['test/platform/crypto/seal.test.ts'],
    [['[table, row, column]', '[table, row]']],
  ),
  ...faultsOf(
    'src/access/tokens/rules.ts',
    ['test/access/tokens/token.test.ts'],
    [
      ['!(now < claims.expiresAt)', '!(now <= claims.expiresAt)'],
      ['claims.purpose !== purpose || ', ''],
      ['if (!equalBytes(Buffer.from(mac), Buffer.from(sign(ring, kid, signed)))) return null;', ''],
    ],
  ),
  ...faultsOf(
    'src/platform/crypto/key-ring.ts',
    ['test/platform/crypto/lookup-hash.test.ts'],
    [['provingKids(ring).map(', '[ring.active].map(']],
  ),
  ...faultsOf('src/platform/crypto/strict-json.ts', json, [
    ['integerText.test(literal) || integerText.test(text)', 'integerText.test(literal)'],
    ['this.#frames.length >= this.#limits.depth', 'this.#frames.length > this.#limits.depth'],
    ['this.#members > this.#limits.members', 'this.#members >= this.#limits.members'],
    ["if (key === '__proto__')", "if (key === 'prototype')"],
    ['keys.add(key);', ''],
  ]),
  ...faultsOf(
    'src/platform/crypto/random.ts',
    ['test/platform/crypto/compare.test.ts'],
    [['a.length === b.length && ', '']],
  ),
  ...faultsOf(
    'src/access/tokens/rules.ts',
    ['test/access/tokens/api-key.test.ts'],
    [['before === prefix && checksum(body) === sum', 'before === prefix']],
  ),
  ...faultsOf(
    'src/platform/crypto/anti-forgery.ts',
    ['test/platform/crypto/anti-forgery.test.ts'],
    [['joinParts(secret, subject)', 'joinParts(secret)']],
  ),
  ...faultsOf('src/audit/tree/rules/merkle.ts', merkle, [
    ['index < 0 || index >= size', 'index < 0'],
    ['return last === 0 && equals(hash, root);', 'return equals(hash, root);'],
    ['equals(was, older.root) && equals(is, newer.root)', 'equals(is, newer.root)'],
    ['if (older.size > newer.size) return false;', ''],
  ]),
  ...faultsOf('src/audit/tree/rules/notes.ts', notes, [
    ['if (verifier && !verify(null, Buffer.from(text), verifier.publicKey, line.signature)) return null;', ''],
    ['opened && opened.signers.length > 0 ? opened : null', 'opened'],
    [" || keyId(name, key, type).toString('hex') !== id", ''],
  ]),
];
