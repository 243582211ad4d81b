const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a line; null if it is not UTF-8, which two readers could decode differently. */
export function readText(line: Buffer): string | null {
  try {
    return utf8.decode(line);
  } catch {
    return null;
  }
}
