export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** The bytes of standard base64, or null if it is not in canonical form. */
export function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : null;
}
