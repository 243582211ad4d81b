import { escapeHiddenInJson } from '#platform/text/hidden-characters/hidden-characters';

/** Of what is reached, of each argument and in all; what is longer is cut, and says so. */
const maxReach = 1_000;
const maxCharacters = 300;
const maxArguments = 20;

/**
 * The question with what would run and where, since a client may show its person nothing else: a line for what the server
 * reaches, if that is known, and one for each argument, as JSON without hidden characters, so that no text of a server or
 * an argument passes for a line of ours.
 */
export function withArguments(message: string, args: Record<string, unknown>, reaches?: string): string {
  const all = Object.entries(args);
  const place = reaches === undefined ? [] : [`Server: ${shown(reaches, maxReach)}`];
  const lines = all.slice(0, maxArguments).map(([name, value]) => `${shown(name)}: ${shown(value)}`);
  const more = all.length - lines.length;
  const parts = [...place, ...lines, ...(more > 0 ? [`and ${more} more arguments`] : [])];
  return parts.length === 0 ? message : [message, '', ...parts].join('\n');
}

function shown(value: unknown, most = maxCharacters): string {
  const json = escapeHiddenInJson(JSON.stringify(value));
  const characters = [...json];
  if (characters.length <= most) return json;
  return `${characters.slice(0, most).join('')} … (${characters.length} characters)`;
}
