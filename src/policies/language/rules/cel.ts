import { Environment } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';
import { matchesGlob } from '../../document/rules/directory.ts';
import { localTime } from '../../document/rules/verdict.ts';

/** Longer ones are no path that a person would have read. */
const maxPathLength = 4_096;
const maxAddressLength = 8_192;

/**
 * Is this path in this folder, or the folder itself? Letter by letter, part by part, and without looking at the disk. A
 * path that readers could take for another one is in no folder: a relative one, one with `..`, or with escapes.
 */
export function inFolder(path: string, folder: string): boolean {
  const parts = partsOf(path);
  return parts !== null && (partsOf(folder) ?? [null]).every((part, at) => parts[at] === part);
}

/** Is this address on this site: of the same scheme, host and port, written as every reader reads them? */
export function onSite(address: string, site: string): boolean {
  if (address.length > maxAddressLength || /[\s\\\p{C}]/u.test(address)) return false;
  const [origin] = /^https?:\/\/[^/?#]*/.exec(address) ?? [];
  return origin === site && originOf(address) === site;
}

/** Advice for a folder that is none, or that is everything; null if it can be used. */
export const faultOfFolder = (folder: string): string | null =>
  (partsOf(folder)?.length ?? 0) > 1 && !/.[\\/]$/.test(folder)
    ? null
    : 'Name an absolute folder without a slash at its end, such as "/home/ada/project", and not a whole disk.';

/** Advice for a site that could be read differently; null if it can be used. */
export const faultOfSite = (site: string): string | null =>
  /^https?:/.test(site) && originOf(site) === site
    ? null
    : 'Name a site by scheme and host, with nothing behind them: "https://example.com".';

/** The origin of an address; null if it is none. */
export const originOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null);

const windowsRoot = /^[A-Za-z]:[\\/]/;
/**
 * Only dots and spaces, which some systems cut to `..`; what is a separator or a dot for those who decode it; and the short
 * names of Windows, by which `GIT~1` is `.git`.
 */
const misleading = /^[. ]{2,}$|^ +$|%(?:2e|2f|5c|00)|^[^.~]{1,7}~\d/i;
/** Some systems ignore hidden characters in names. */
const unclear = /\p{C}/u;

/** The root, and each part below it; null if readers could differ. */
function partsOf(path: string): string[] | null {
  if (path.length > maxPathLength || unclear.test(path)) return null;
  const isWindows = windowsRoot.test(path);
  if (!isWindows && (!path.startsWith('/') || path.startsWith('//') || path.includes('\\'))) return null;
  const rest = isWindows ? path.slice(3).split(/[\\/]/) : path.slice(1).split('/');
  const parts = rest.filter((part) => part !== '' && part !== '.');
  if (parts.some((part) => misleading.test(part) || (isWindows && /[:. ]$|:/.test(part)))) return null;
  return [isWindows ? path.slice(0, 1).toUpperCase() : '/', ...parts];
}

/** Longer lines are no command that a person would have read. */
const maxLength = 10_000;

/**
 * Does a shell run nothing but these in this line? Each of its commands must begin with the words of one of them. A line
 * in which a shell could run, write or put in something else counts as another one: with a substitution, a variable, a redirection, a
 * pattern, a group, a comment, a job in the background, or an option by which a program starts another or writes a file, unless the
 * list names it.
 */
export function runsOnly(line: string, starts: readonly string[]): boolean {
  const commands = readSimple(line);
  if (!commands) return false;
  const allowed = starts.map(wordsOf).filter((words) => words.length > 0);
  return commands.length > 0 && commands.every((command) => allowed.some((words) => beginsWith(command, words)));
}

/** Correction for a beginning that is no plain command; null if it can be used. */
export const faultOfStart = (start: string): string | null =>
  wordsOf(start).length > 0 && (readSimple(start)?.length ?? 0) === 1
    ? null
    : 'Name the first words of one command, such as "git status", without anything that only a shell reads.';

const wordsOf = (start: string): string[] => start.split(' ').filter((word) => word !== '');

function beginsWith(command: readonly string[], words: readonly string[]): boolean {
  return (
    words.every((word, at) => command[at] === word) && !command.slice(words.length).some((word) => starting.test(word))
  );
}

/** Options by which programs that only read write a file, or start another program. */
const starting =
  /^--?(?:o|output|output-file|exec|execdir|ok|okdir|delete|fprint\w*|fls|to-command|checkpoint-action|use-compress-program|I|upload-pack|receive-pack|ext-diff|textconv|paginate|open-files-in-pager|pager|rsh|rsh-command|init-command|eval|editor|config|config-env|c|e|exec-path|git-dir|work-tree|C|prefix|script-shell|node-options|require|import|loader|init-file|rcfile|pre|hostname-bin|search-zip)(?:=.*)?$|^-[oO].+|^(?:GIT|LD|NODE|npm|PYTHON)_\w+=/s;

/** The simple commands as words, if every shell reads them alike; else null. */
function readSimple(line: string): string[][] | null {
  if (line.length > maxLength || /[\p{C}\u00a0\u2028\u2029]/u.test(line)) return null;
  const commands: string[][] = [[]];
  let word: string | null = null;
  const end = (): void => {
    if (word !== null) commands.at(-1)?.push(word);
    word = null;
  };
  for (let at = 0; at < line.length; at += 1) {
    const [character = '', next = ''] = [line[at], line[at + 1]];
    if (character === ' ') end();
    else if (character === "'" || character === '"') {
      const close = line.indexOf(character, at + 1);
      const text = line.slice(at + 1, close);
      if (close < 0 || (character === '"' && /[$`\\!]/.test(text))) return null;
      word = (word ?? '') + text;
      at = close;
    } else if (character === ';' || character === '|' || character === '&') {
      const isTwice = next === character;
      if ((character === '&' && !isTwice) || (character === ';' && isTwice) || (character === '|' && next === '&'))
        return null;
      end();
      if (commands.at(-1)?.length === 0) return null;
      commands.push([]);
      if (isTwice) at += 1;
    } else if (plain.test(character)) word = (word ?? '') + character;
    else return null;
  }
  end();
  const last = commands.at(-1);
  if (last?.length === 0 && commands.length > 1 && !/;\s*$/.test(line)) return null;
  return commands.filter((command) => command.length > 0);
}

/** Characters that no shell expands, quotes or splits at. */
const plain = /[\p{L}\p{N}_@%+=:,./-]/u;

/** Limits of an expression: parsing stops at these. */
const limits = { maxAstNodes: 500, maxDepth: 40, maxListElements: 200, maxMapEntries: 50, maxCallArguments: 4 };

/** Longer texts are not searched: the evaluation fails. */
const maxLikeLength = 100_000;
export const maxRe2Length = 10_000;

const timestamp = 'google.protobuf.Timestamp';

/** The accessors of the standard that read a clock in a time zone, and what is called for each of them instead. */
export const zonedAccessors: Record<string, string> = {
  getFullYear: 'yearIn',
  getMonth: 'monthIn',
  getDate: 'dateIn',
  getDayOfMonth: 'dayOfMonthIn',
  getDayOfWeek: 'dayOfWeekIn',
  getHours: 'hoursIn',
  getMinutes: 'minutesIn',
};

const requestSchema = {
  server: 'string',
  tool: 'string',
  args: 'map<string, dyn>',
  risk: 'string',
  mode: 'string',
  annotations: 'map<string, dyn>',
  audience: 'dyn',
  reason: 'dyn',
};
const toolSchema = { definition: 'dyn', reaches: 'dyn', fits: 'bool' };
const requesterSchema = {
  subject: 'string',
  issuer: 'dyn',
  verified: 'bool',
  verifiedBy: 'dyn',
  email: 'dyn',
  groups: 'list<string>',
  role: 'dyn',
};
const agentSchema = { name: 'dyn', version: 'dyn' };
const environmentSchema = { name: 'string' };
const userSchema = { id: 'string', email: 'string', name: 'string', role: 'string', groups: 'list<string>' };

const requestVariables = {
  request: Object.keys(requestSchema),
  tool: Object.keys(toolSchema),
  requester: Object.keys(requesterSchema),
  agent: Object.keys(agentSchema),
  environment: Object.keys(environmentSchema),
  now: [],
};

/** The names an expression may use, and the keys of each. */
export const variables = {
  request: requestVariables,
  user: { ...requestVariables, user: Object.keys(userSchema) },
} satisfies Record<string, Record<string, string[]>>;

/** Variables of `when`. */
export const requestEnvironment = new Environment({ limits })
  .registerVariable('request', { schema: requestSchema })
  .registerVariable('tool', { schema: toolSchema })
  .registerVariable('requester', { schema: requesterSchema })
  .registerVariable('agent', { schema: agentSchema })
  .registerVariable('environment', { schema: environmentSchema })
  .registerVariable('now', timestamp)
  .registerFunction('like(string, string): bool', like, { async: false })
  .registerFunction('re2(string, string): bool', re2, { async: false })
  .registerFunction('inFolder(string, string): bool', inFolder, { async: false })
  .registerFunction('onSite(string, string): bool', onSite, { async: false })
  .registerFunction('runsOnly(string, list<string>): bool', runsOnly, { async: false });

for (const [name, read] of Object.entries<(at: Date, timeZone: string) => number>({
  yearIn: (at, zone) => localTime(at.getTime(), zone).year,
  monthIn: (at, zone) => localTime(at.getTime(), zone).month - 1,
  dateIn: (at, zone) => localTime(at.getTime(), zone).day,
  dayOfMonthIn: (at, zone) => localTime(at.getTime(), zone).day - 1,
  dayOfWeekIn: dayOfWeek,
  hoursIn: (at, zone) => localTime(at.getTime(), zone).hour,
  minutesIn: (at, zone) => localTime(at.getTime(), zone).minute,
})) {
  const handler = (at: Date, zone: string): bigint => BigInt(read(at, zone));
  requestEnvironment.registerFunction(`${timestamp}.${name}(string): int`, handler, { async: false });
}

/** Variables of `cel` as a source of approvers: the request, and the person in question. */
export const userEnvironment = requestEnvironment.clone().registerVariable('user', { schema: userSchema });

function like(text: string, pattern: string): boolean {
  if (text.length > maxLikeLength) throw new RangeError(`like() takes at most ${maxLikeLength} characters`);
  return matchesGlob(text, pattern);
}

const patterns = new Map<string, RE2JS>();

function re2(text: string, pattern: string): boolean {
  if (text.length > maxRe2Length) throw new RangeError(`re2() takes at most ${maxRe2Length} characters`);
  return compilePattern(pattern).matcher(text).find();
}

/** A pattern that takes time linear in the text. Throws RE2JSSyntaxException if it is invalid. */
export function compilePattern(pattern: string): RE2JS {
  const cachedPattern = patterns.get(pattern);
  if (cachedPattern) return cachedPattern;
  const compiled = RE2JS.compile(pattern);
  if (patterns.size >= 1_000) patterns.clear();
  patterns.set(pattern, compiled);
  return compiled;
}

function dayOfWeek(at: Date, zone: string): number {
  const { year, month, day } = localTime(at.getTime(), zone);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}
