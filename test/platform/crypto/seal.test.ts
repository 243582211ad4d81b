import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inspect } from 'node:util';
import { encrypt } from '#platform/crypto/aes-gcm';
import { joinParts } from '#platform/crypto/digest';
import {
  unpackText,
  newDataKey,
  openDataKey,
  openOwner,
  rewrapDataKey,
  seal,
  sealJson,
  sealOwner,
  unseal,
  unsealJson,
} from '#platform/crypto/seal';
import { kidOfBox } from '#platform/crypto/key-ring';
import { problemSentences } from '#platform/model/problem';
import { refusalOf } from './refusal-of.ts';
import { foreignRing, newRing, oldRing, rotatedRing } from './rings.ts';

const owner = { server: 'srv_payments', session: 'session-1' };
const place = { table: 'elicitation', column: 'payload', row: 'eli_1' };
const { dataKey, wrapped } = newDataKey(oldRing, owner);

/** Every text one bit away from these bytes, one per byte, and every shorter or longer one. */
function* damage(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1) {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 8)), at);
    yield flipped;
    yield bytes.subarray(0, at);
  }
  yield Buffer.concat([bytes, Buffer.of(0)]);
}

describe('a sealed value', () => {
  test('opens to what was sealed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(Uint8Array.from(unseal(dataKey, place, seal(dataKey, place, bytes)))).toEqual(Uint8Array.from(bytes));
      }),
    );
    expect(unseal(dataKey, place, seal(dataKey, place, 'Zahle 5 €')).toString()).toBe('Zahle 5 €');
    expect(unseal(dataKey, place, seal(dataKey, place, ''))).toHaveLength(0);
  });

  test('opens from a plain array of bytes, wherever it lies in its buffer', () => {
    const sealed = seal(dataKey, place, 'x');
    const elsewhere = new Uint8Array(sealed.length + 7);
    elsewhere.set(sealed, 7);
    expect(unseal(dataKey, place, elsewhere.subarray(7)).toString()).toBe('x');
  });

  test('JSON keeps the order it was given in, as the fields of a form must', () => {
    const value = { z: [1, null, 'ö'], a: { y: true, b: 2 } };
    const opened = unsealJson(dataKey, place, sealJson(dataKey, place, value));
    expect(JSON.stringify(opened)).toBe('{"z":[1,null,"ö"],"a":{"y":true,"b":2}}');
  });

  test('JSON of any kind is packed and opens unchanged', () => {
    const jsonOf = (value: unknown) => unsealJson(dataKey, place, sealJson(dataKey, place, value));
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(jsonOf(value)).toEqual(JSON.parse(JSON.stringify(value)))));
    const long = { text: 'Überweisung '.repeat(5000) };
    expect(jsonOf(long)).toEqual(long);
    expect(sealJson(dataKey, place, long).length).toBeLessThan(1000);
  });

  test('the length does not tell one answer from another', () => {
    const lengthOf = (value: unknown) => sealJson(dataKey, place, value).length;
    const answers = [
      { content: { confirmed: true }, comment: null },
      { content: { confirmed: false }, comment: null },
      { content: { confirmed: true }, comment: 'No.' },
    ];
    expect(new Set(answers.map(lengthOf)).size).toBe(1);
  });

  test('what was packed before can be read', () => {
    const packed = Buffer.from('Q46ogMRKeyVcIYlkIAAAAAAAAAAAAAAAAAAAAAAAAAA=', 'base64');
    expect(unpackText(packed)).toBe('{"message":"Pay?","url":null,"facts":[],"code":null}');
  });

  test('CR-01: has a nonce of its own, ten thousand times', () => {
    const nonces = Array.from({ length: 10_000 }, () => seal(dataKey, place, 'x').toString('hex', 33, 45));
    expect(new Set(nonces).size).toBe(nonces.length);
  });

  test('CR-01: each elicitation has a data key of its own', () => {
    const commitments = Array.from({ length: 100 }, () =>
      newDataKey(oldRing, owner).dataKey.commitment.toString('hex'),
    );
    expect(new Set(commitments).size).toBe(100);
  });

  test.each([
    ['another row', { ...place, row: 'eli_2' }],
    ['another column', { ...place, column: 'answer' }],
    ['another table', { ...place, table: 'vote' }],
    ['names cut elsewhere', { table: 'elicitationp', column: 'ayload', row: 'eli_1' }],
    ['names that change places', { table: 'payload', column: 'elicitation', row: 'eli_1' }],
  ])('CR-02: does not open in %s', (_name, other) => {
    const sealed = seal(dataKey, place, 'secret');
    expect(() => unseal(dataKey, other, sealed)).toThrowProblem('sealed-unreadable');
    expect(unseal(dataKey, place, sealed).toString()).toBe('secret');
  });

  test('CR-03: does not open under another key, be it relabelled', () => {
    const other = newDataKey(oldRing, owner).dataKey;
    const sealed = seal(other, place, 'secret');
    expect(() => unseal(dataKey, place, sealed)).toThrowProblem('sealed-unreadable');
    dataKey.commitment.copy(sealed, 1);
    expect(() => unseal(dataKey, place, sealed)).toThrowProblem('sealed-unreadable');
  });

  test('CR-03: a ciphertext that GCM would accept does not open without the commitment', () => {
    const bound = joinParts(Buffer.of(1), place.table, place.row, place.column, dataKey.commitment);
    const encrypted = encrypt(dataKey.payloadKey, bound, 'secret');
    const committedTo = (commitment: Buffer) => Buffer.concat([Buffer.of(1), commitment, encrypted]);
    expect(unseal(dataKey, place, committedTo(dataKey.commitment)).toString()).toBe('secret');
    const other = newDataKey(oldRing, owner).dataKey.commitment;
    expect(() => unseal(dataKey, place, committedTo(other))).toThrowProblem('sealed-unreadable');
  });

  test('does not open if anything in it was changed, cut off or added', () => {
    for (const damaged of damage(seal(dataKey, place, 'secret'))) {
      expect(() => unseal(dataKey, place, damaged)).toThrowProblem('sealed-unreadable');
    }
  });

  test('CR-05: there is no plaintext path', () => {
    const plain = Buffer.from(JSON.stringify({ message: 'plain' }));
    expect(() => unsealJson(dataKey, place, plain)).toThrowProblem('sealed-unreadable');
    expect(seal(dataKey, place, 'a message').includes('a message')).toBe(false);
  });
});

describe('a wrapped data key', () => {
  const sealed = seal(dataKey, place, 'secret');

  test('opens for its owner', () => {
    expect(unseal(openDataKey(oldRing, wrapped, owner), place, sealed).toString()).toBe('secret');
  });

  test.each([
    ['another session', { ...owner, session: 'session-2' }],
    ['another server', { ...owner, server: 'srv_mail' }],
    ['names cut elsewhere', { server: 'srv_paymentss', session: 'ession-1' }],
    ['names that change places', { server: owner.session, session: owner.server }],
    ['no one', { server: '', session: '' }],
  ])('CR-05: does not open for %s', (_name, other) => {
    expect(() => openDataKey(oldRing, wrapped, other)).toThrowProblem('sealed-unreadable');
    expect(() => rewrapDataKey(oldRing, wrapped, other)).toThrowProblem('sealed-unreadable');
  });

  test('CR-05: does not open under another installation’s secret of the same name', () => {
    expect(() => openDataKey(foreignRing, wrapped, owner)).toThrowProblem('sealed-unreadable');
  });

  test('does not open if anything in it was changed, cut off or added', () => {
    for (const damaged of damage(wrapped)) {
      expect(() => openDataKey(rotatedRing, damaged, owner)).toThrowProblem('sealed-unreadable');
    }
  });

  test('does not open as the box of another use', () => {
    const other = sealOwner(oldRing, { table: owner.server, row: owner.session, column: '' }, owner);
    expect(() => openDataKey(oldRing, other, owner)).toThrowProblem('sealed-unreadable');
  });

  test('CR-07: an opened key shows nothing of itself', () => {
    const bytes = dataKey.payloadKey.export().toString('hex');
    expect(bytes).toHaveLength(64);
    expect(inspect(dataKey, { depth: 9, showHidden: true }).replaceAll(' ', '')).not.toContain(bytes);
    expect(JSON.stringify(dataKey)).not.toContain(JSON.stringify([...dataKey.payloadKey.export()]).slice(1, -1));
    expect(wrapped.includes(dataKey.payloadKey.export())).toBe(false);
  });
});

describe('CR-06: rotation', () => {
  const sealed = seal(dataKey, place, 'secret');

  test('what the old secret wrapped still opens, and new things go under the new one', () => {
    expect(unseal(openDataKey(rotatedRing, wrapped, owner), place, sealed).toString()).toBe('secret');
    expect(kidOfBox(wrapped)).toBe('k1');
    expect(kidOfBox(newDataKey(rotatedRing, owner).wrapped)).toBe('k2');
  });

  test('a rewrapped key opens what was sealed before, without the old secret', () => {
    expect(() => openDataKey(newRing, wrapped, owner)).toThrowProblem('sealed-unreadable');
    const rewrapped = rewrapDataKey(rotatedRing, wrapped, owner);
    expect(kidOfBox(rewrapped)).toBe('k2');
    expect(unseal(openDataKey(newRing, rewrapped, owner), place, sealed).toString()).toBe('secret');
  });

  test('rewrapping twice does no harm, so that it can be resumed', () => {
    const twice = rewrapDataKey(rotatedRing, rewrapDataKey(rotatedRing, wrapped, owner), owner);
    expect(unseal(openDataKey(newRing, twice, owner), place, sealed).toString()).toBe('secret');
  });

  test.each<[string, Buffer]>([
    ['no bytes', Buffer.alloc(0)],
    ['bytes of a later version', Buffer.concat([Buffer.of(2), wrapped.subarray(1)])],
    ['bytes cut off within the salt', wrapped.subarray(0, 12)],
    ['an empty kid', Buffer.concat([Buffer.of(1, 0), wrapped.subarray(2)])],
    ['a kid of other characters', Buffer.concat([Buffer.of(1, 2, 0x6b, 0x0a), wrapped.subarray(4)])],
    ['a kid that is too long', Buffer.concat([Buffer.of(1, 17), Buffer.alloc(60, 'k')])],
  ])('%s: no kid to be read', (_name, bytes) => {
    expect(() => kidOfBox(bytes)).toThrowProblem('sealed-unreadable');
  });
});

describe('a sealed owner', () => {
  const ownerPlace = { ...place, column: 'owner' };
  const sealed = sealOwner(oldRing, ownerPlace, owner);

  test('opens in its place, during a rotation as well', () => {
    expect(openOwner(oldRing, ownerPlace, sealed)).toEqual(owner);
    expect(openOwner(rotatedRing, ownerPlace, sealed)).toEqual(owner);
    expect(kidOfBox(sealOwner(rotatedRing, ownerPlace, owner))).toBe('k2');
  });

  test('CR-05: shows neither the session nor the server, and differs each time', () => {
    expect(sealed.includes(owner.session)).toBe(false);
    expect(sealed.includes(owner.server)).toBe(false);
    expect(sealOwner(oldRing, ownerPlace, owner).equals(sealed)).toBe(false);
  });

  test('CR-01: has a salt and a nonce of its own, so that a ring key never wears out', () => {
    const boxes = Array.from({ length: 1_000 }, () => sealOwner(oldRing, ownerPlace, owner));
    expect(new Set(boxes.map((box) => box.toString('hex', 4, 20))).size).toBe(boxes.length);
    expect(new Set(boxes.map((box) => box.toString('hex', 20, 32))).size).toBe(boxes.length);
  });

  test.each([
    ['another row', { ...ownerPlace, row: 'eli_2' }],
    ['another column', { ...ownerPlace, column: 'payload' }],
    ['another table', { ...ownerPlace, table: 'vote' }],
  ])('CR-02: does not open in %s', (_name, other) => {
    expect(() => openOwner(oldRing, other, sealed)).toThrowProblem('sealed-unreadable');
  });

  test('does not open under another secret, or if anything in it was changed, cut off or added', () => {
    expect(() => openOwner(newRing, ownerPlace, sealed)).toThrowProblem('sealed-unreadable');
    expect(() => openOwner(foreignRing, ownerPlace, sealed)).toThrowProblem('sealed-unreadable');
    for (const damaged of damage(sealed)) {
      expect(() => openOwner(rotatedRing, ownerPlace, damaged)).toThrowProblem('sealed-unreadable');
    }
  });
});

test('CR-08: every failure looks the same from outside', () => {
  const sealed = seal(dataKey, place, 'secret');
  const attempts = [
    () => unseal(dataKey, { ...place, row: 'eli_2' }, sealed),
    () => unseal(newDataKey(oldRing, owner).dataKey, place, sealed),
    () => unseal(dataKey, place, sealed.subarray(0, 10)),
    () => openDataKey(newRing, wrapped, owner),
    () => openDataKey(oldRing, wrapped, { ...owner, session: 'session-2' }),
    () => openDataKey(oldRing, Buffer.alloc(0), owner),
    () => openOwner(oldRing, place, wrapped),
  ];
  for (const attempt of attempts) {
    expect(refusalOf(attempt)).toEqual({
      code: 'sealed-unreadable',
      message: problemSentences['sealed-unreadable'],
      errors: [],
    });
  }
});
