import { isCollection } from './key-fact.ts';
import { writePointer } from './pointer.ts';

/** What takes more is folded, and is opened before anyone approves. Characters of the text, or of the JSON. */
const maxCharacters = 600;
/** Lines of a text; of a list or a group, the values in it. */
const maxLines = 12;

/** One rule for texts, lists and groups. */
const isLong = ({ characters, lines }: Size): boolean => characters > maxCharacters || lines > maxLines;

export const isLongText = (text: string): boolean =>
  isLong({ characters: text.length, lines: text.split('\n', maxLines + 1).length });

interface Size {
  characters: number;
  lines: number;
}

interface Measured extends Size {
  /** JSON Pointers of the outermost long lists and groups in it, and of the long texts. */
  groups: string[];
  texts: string[];
}

/**
 * JSON Pointers of the values that must be opened: of long lists and groups the outermost, and every long text. The
 * arguments as a whole are never folded.
 */
export function longValues(args: Record<string, unknown>): string[] {
  const { groups, texts } = measure(args, []);
  return [...groups, ...texts];
}

function measure(value: unknown, steps: string[]): Measured {
  const pointer = writePointer(steps);
  if (!isCollection(value)) {
    const texts = typeof value === 'string' && isLongText(value) ? [pointer] : [];
    return { characters: JSON.stringify(value).length, lines: 1, groups: [], texts };
  }
  const own: Measured = { characters: 2, lines: 0, groups: [], texts: [] };
  for (const [name, member] of Object.entries(value)) {
    const { characters, lines, groups, texts } = measure(member, [...steps, name]);
    own.characters += characters + (Array.isArray(value) ? 1 : name.length + 4);
    own.lines += lines;
    for (const group of groups) own.groups.push(group);
    for (const text of texts) own.texts.push(text);
  }
  own.lines = Math.max(1, own.lines);
  return steps.length > 0 && isLong(own) ? { ...own, groups: [pointer] } : own;
}
