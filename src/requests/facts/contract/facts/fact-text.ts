import { isCollection } from './key-fact.ts';

/**
 * A value as it is read next to the buttons: a list in words where no comma, quotation mark or edge could be mistaken, and
 * everything else as it is stored.
 */
export function factText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 0 && value.every(isPlain)) return value.join(', ');
  return JSON.stringify(value);
}

/** Can it stand between commas without quotation marks? A text that reads as a number would be taken for one. */
const isPlain = (member: unknown): boolean =>
  typeof member === 'string'
    ? /^[^\s,"]/.test(member) &&
      /[^\s,"]$/.test(member) &&
      !/[,"\p{C}\p{Zl}\p{Zp}]/u.test(member) &&
      !readsAsJson.test(member)
    : !isCollection(member) && member !== null;

const readsAsJson = /^(?:-?\d[\d.]*(?:e[-+]?\d+)?|true|false|null|[[{].*)$/i;
