import { isFrameId, isObject, type FrameId } from '../frame/frame.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a line; null if it is not UTF-8, which two readers could decode differently. */
export function readText(line: Buffer): string | null {
  try {
    return utf8.decode(line);
  } catch {
    return null;
  }
}

/** The id in a text that is not passed on, so that it does not matter how another reader reads it. */
export function lenientId(text: string): FrameId | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && isFrameId(value['id']) ? value['id'] : null;
  } catch {
    return null;
  }
}
