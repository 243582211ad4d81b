import type { FileFacts } from './file-facts.ts';

/** A path as a word names it. */
export interface NamedPath {
  path: string;
  isAbsolute: boolean;
}

type Places = Pick<FileFacts, 'home' | 'variables' | 'isWindows'>;

/** The longest path that systems take; what is longer names no file. */
const maxPathLength = 4_096;

/** Every path that this word may name: as it is, as an address, decoded, or behind an option. */
export function pathsIn(word: string, places: Places): NamedPath[] {
  if (word.length > maxPathLength * 16) return [];
  const readings = new Set<string>();
  for (const reading of [word, ...partsOf(word), ...addressesIn(word)]) addReadings(reading, readings);
  return [...readings]
    .filter((text) => text !== '' && text.length <= maxPathLength)
    .map((text) => namedPath(expand(text, places), places));
}

function addReadings(text: string, readings: Set<string>): void {
  const [plain = ''] = text.trim().split('\0');
  readings.add(plain);
  const once = decoded(plain);
  if (once === plain) return;
  readings.add(once).add(decoded(once));
}

/** What stands behind an option's name, an `=`, an `@` or between separators: `--file=/x`, `-f/x`, `@/x`, `a:/x`. */
function partsOf(word: string): string[] {
  const bare = /^-{1,2}[A-Za-z]+(?=[~/.])/.exec(word);
  const parts = word.split(/[=,:;@'"]/);
  return [...(parts.length > 1 ? parts : []), ...(bare ? [word.slice(bare[0].length)] : []), ...decodedWords(word)];
}

/** The paths of addresses, wherever they stand in a text; a path of the web is none of this machine. */
function addressesIn(text: string): string[] {
  return [...text.matchAll(/\b([a-z][a-z0-9+.-]{0,31}):(\/[^\s"'<>]*)/gi)]
    .filter(([, scheme = '']) => !/^https?$|^wss?$/i.test(scheme))
    .flatMap(([, , rest = '']) => {
      const path = rest.replace(/^\/\/[^/]*/, '').replace(/[?#].*$/s, '');
      return [path, rest, path.replace(/^\/(?=[A-Za-z]:)/, ''), rest.replace(/^\/+/, '/')];
    });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A word in base64 or hexadecimal digits that hides a text. */
function decodedWords(word: string): string[] {
  const encodings = [
    [/^[0-9a-f]{16,}$/i, 'hex'],
    [/^[A-Za-z0-9+/_-]{12,}=*$/, 'base64'],
  ] as const;
  return encodings
    .filter(([pattern]) => pattern.test(word))
    .map(([, encoding]) => Buffer.from(word, encoding).toString('utf8').trim())
    .filter((text) => /^[ -~]+$/.test(text));
}

/** `~`, and the variables that other programs than shells expand, too. */
function expand(text: string, { home, variables }: Places): string {
  const expanded = text.replaceAll(/\$\{?(?:env:)?(\w+)\}?|%(\w+)%/gi, (whole, dollar, percent) => {
    const name = String(dollar ?? percent);
    return name === 'HOME' || name === 'USERPROFILE' ? home : (variables[name] ?? whole);
  });
  const [, user, rest] = /^~([\w.-]*)(.*)$/s.exec(expanded) ?? [];
  if (rest === undefined || (rest !== '' && !/^[\\/]/.test(rest))) return expanded;
  return (user === '' || user === undefined ? home : `${home}/../${user}`) + rest;
}

function namedPath(path: string, { isWindows }: Places): NamedPath {
  return { path, isAbsolute: path.startsWith('/') || (isWindows && /^(?:[A-Za-z]:[\\/]|\\)/.test(path)) };
}
