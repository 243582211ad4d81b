/** What passkeys are asked for, by its number in COSE: EdDSA, ES256 and RS256. One of them is in every authenticator. */
export const algorithms = [-8, -7, -257] as const;

/** The fewest bytes of an RSA modulus: 2048 bits. */
const minModulusBytes = 256;
const usualExponent = Buffer.of(1, 0, 1);
/** The points of small order on Ed25519, without the bit of the sign: for such a key anyone can make signatures. */
const smallPoints = [
  '0'.repeat(64),
  `01${'0'.repeat(62)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ...['ec', 'ed', 'ee'].map((first) => `${first}${'f'.repeat(60)}7f`),
];

/**
 * Is this COSE key one of these, on the curve and of the size that it is asked for? A weak one can be broken, and its
 * signature would prove no one's presence.
 */
export async function isStrongKey(publicKey: Uint8Array): Promise<boolean> {
  const { isoCBOR } = await import('@simplewebauthn/server/helpers');
  try {
    const key = isoCBOR.decodeFirst<Map<number, unknown>>(new Uint8Array(publicKey));
    // By the numbers of RFC 9052 and 9053: type, algorithm, and then curve and point, or modulus and exponent.
    const [type, algorithm, first, second] = [1, 3, -1, -2].map((label) => key.get(label));
    if (type === 2) return algorithm === -7 && first === 1;
    if (type === 1) return algorithm === -8 && first === 6 && !isSmall(second);
    return type === 3 && algorithm === -257 && isLong(first, second);
  } catch {
    return false;
  }
}

function isSmall(point: unknown): boolean {
  const plain = Buffer.from(point as Uint8Array);
  plain.writeUInt8(plain.readUInt8(31) & 0x7f, 31);
  return smallPoints.includes(plain.toString('hex'));
}

function isLong(modulus: unknown, exponent: unknown): boolean {
  const { length, 0: first } = modulus as Uint8Array;
  return length >= minModulusBytes && first !== 0 && usualExponent.equals(exponent as Uint8Array);
}
