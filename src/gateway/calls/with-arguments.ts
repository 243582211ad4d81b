import { escapeHiddenInJson } from '#protocol/model/text/hidden-characters';

/** Of each argument and in all; what is longer is cut, and says so. */
const maxCharacters = 300;
const maxArguments = 20;

/**
 * The question with what would run, since a client may show its person nothing else: a line for each argument, as JSON
 * without hidden characters, so that no text of an argument passes for a line of ours.
 */
export function withArguments(message: string, args: Record<string, unknown>): string {
  const all = Object.entries(args);
  if (all.length === 0) return message;
  const lines = all.slice(0, maxArguments).map(([name, value]) => `${shown(name)}: ${shown(value)}`);
  const more = all.length - lines.length;
  return [message, '', ...lines, ...(more > 0 ? [`and ${more} more arguments`] : [])].join('\n');
}

function shown(value: unknown): string {
  const json = escapeHiddenInJson(JSON.stringify(value));
  const characters = [...json];
  if (characters.length <= maxCharacters) return json;
  return `${characters.slice(0, maxCharacters).join('')} … (${characters.length} characters)`;
}
