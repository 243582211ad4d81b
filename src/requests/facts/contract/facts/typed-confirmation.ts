import { hasHiddenCharacters } from '#platform/text/hidden-characters';
import { follow, readPointer } from './pointer.ts';

/** What a person types before they approve: the value that a JSON Pointer leads to, or else this text. */
export interface ConfirmationRule {
  path: string | null;
  text: string | null;
}

export const maxTypedLength = 200;

/** The text to type. The tool's name stands in for an argument that is missing, is a group, or cannot be typed. */
export function textToType(
  { path, text: fixed }: ConfirmationRule,
  args: Record<string, unknown>,
  tool: string,
): string {
  const value = path === null ? fixed : follow(args, readPointer(path) ?? []);
  const text = ['string', 'number', 'boolean'].includes(typeof value) ? fold(String(value)) : '';
  return text !== '' && text.length <= maxTypedLength && !hasHiddenCharacters(text) ? text : tool;
}

/** The same characters in any Unicode spelling; spaces around them do not count, and case does. */
export const isTyped = (text: string, typed: string): boolean => fold(typed) === fold(text);

const fold = (text: string): string => text.normalize('NFC').trim();
