export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Random bytes in hex, for a name that no one can guess. */
export const randomHex = (bytes = 16): string => hex(crypto.getRandomValues(new Uint8Array(bytes)));
