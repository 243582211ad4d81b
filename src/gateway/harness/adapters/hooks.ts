import { racedCallsIn, type HookWords, type HookFile, type Verdict } from './adapter.ts';
import jsonc from 'jsonc-parser';
import { isObject } from '../../frames/frame.ts';
import { styleOf } from '../../import/rewrite.ts';
import { endEvents, hookEvents, skillEvent, type Harness, type JudgedEventName } from './harness.ts';

/** Words by which the hook is recognised in a file. */
export const mark = 'The hook of Assentry could not run';

/** Text for the model if the hook has failed. */
export const failure = `${mark}, so nothing was run.`;

/**
 * Variables to unset. A project can set those of its agent's programs: by these, the hook would run other code or believe
 * another server.
 */
export const leftOut = ({ url = '' }: HookWords): string[] => [
  'NODE_OPTIONS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'OPENSSL_CONF',
  ...(url.startsWith('https:') ? [] : ['NODE_USE_ENV_PROXY']),
];

/** Words of the hook's command. They include the address, because no variable may lead the hook to another Assentry. */
export const hookWords = (harness: string, { program, directory, timeout, url }: HookWords): string[] => [
  ...program,
  'hook',
  harness,
  '--timeout',
  String(timeout),
  '--data-dir',
  directory,
  ...(url === undefined ? [] : ['--url', url]),
];

const run = (harness: string, words: HookWords): string =>
  `{ unset ${leftOut(words).join(' ')}; ${hookWords(harness, words).map(quote).join(' ')}; }`;

/**
 * Command for a POSIX shell. It blocks the call whenever the hook gives no answer: a harness continues if a hook fails with a
 * code other than 2, or with 2 and no words.
 */
export const shellCommand = (harness: string, words: HookWords): string =>
  `${run(harness, words)} || { echo '${failure}' >&2; exit 2; }`;

/** Command after a call. It starts nothing unless a hook waits, because it runs after every call. */
const withdrawCommand = (harness: string, words: HookWords): string =>
  `[ -z "$(ls ${quote(racedCallsIn(words.directory))} 2>/dev/null)" ] || ${run(harness, words)} || echo '${mark}, so its request stays open.' >&2`;

/** Command for PowerShell. */
export const powerShellCommand = (harness: string, words: HookWords): string =>
  `Remove-Item -ErrorAction SilentlyContinue ${leftOut(words)
    .map((name) => `Env:${name}`)
    .join(',')}; & ${hookWords(harness, words)
    .map((word) => `'${word.replaceAll("'", "''")}'`)
    .join(' ')}; if ($LASTEXITCODE -ne 0) { [Console]::Error.WriteLine('${failure}'); exit 2 }`;

const quote = (word: string): string => (/^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

interface JsonHooks {
  /** Names of the events under which hooks are listed. */
  events: readonly string[];
  /** Listed groups by event. */
  groupsOf(words: HookWords): Readonly<Record<string, object>>;
  /** Members that the file requires. */
  needs?: Readonly<Record<string, unknown>>;
  /** Members of the listed hook that must stay as installed. */
  fixed: readonly string[];
}

/** Hooks as lists in a file of JSON, with or without comments, under `hooks` and the name of an event. */
export function jsonHooks({ events, groupsOf, needs = {}, fixed }: JsonHooks): HookFile {
  const add = (text: string, words: HookWords): string | null => {
    const listed = Object.entries(groupsOf(words));
    const groups = groupsIn(text, events);
    if (!groups) return null;
    const own = groups.filter(({ value }) => isOwn(value));
    const isThere = listed.every(([name, group]) =>
      own.some(({ event, value }) => event === name && sameText(value, group)),
    );
    if (isThere && own.length === listed.length) return text;
    const cleaned = remove(text) ?? text;
    const prepared = Object.entries(needs).reduce(
      (rest, [name, value]) => (name in (parse(rest) ?? {}) ? rest : set(rest, [name], value)),
      cleaned,
    );
    return listed.reduce((rest, [event, group]) => set(rest, ['hooks', event, atEnd], group), prepared);
  };
  const remove = (text: string): string | null => {
    const groups = groupsIn(text, events);
    if (!groups) return null;
    const own = groups.filter(({ value }) => isOwn(value)).toReversed();
    if (own.length === 0) return text;
    const cleaned = own.reduce((rest, { event, at }) => set(rest, ['hooks', event, at], undefined), text);
    const emptied = [...events.map((event) => ['hooks', event]), ['hooks']];
    return emptied.reduce((rest, place) => (holdsNothing(rest, place) ? set(rest, place, undefined) : rest), cleaned);
  };
  return {
    empty: '{}\n',
    add,
    remove,
    isEmpty: (text) => Object.keys(parse(text) ?? { unread: true }).every((name) => name in needs),
    check(file, text) {
      if (text === null) return [notInstalled];
      const groups = groupsIn(text, events);
      if (!groups) return [`${file} is not valid JSON, so its hooks may not run.`];
      const own = groups.filter(({ value }) => isOwn(value)).map(({ value }) => value as Record<string, unknown>);
      if (own.length === 0) return [notInstalled];
      const listed = groupsOf({ program: [], directory: '', event: 'PreToolUse', timeout: 0 });
      const [usual = {}] = Object.values(listed) as Record<string, unknown>[];
      const isChanged = own.some((group) => fixed.some((name) => group[name] !== usual[name]));
      return isChanged ? [`The hook in ${file} leaves tools out: ${again}.`] : [];
    },
  };
}

export const again = 'run "assentry hook install --write" again';
export const notInstalled = 'The hook is not installed: run "assentry hook install --write".';

/** Is it the hook of Assentry? */
export const isOwn = (group: unknown): boolean => JSON.stringify(group).includes(mark);

/** The settings as an object; null if the text holds none. */
export function parse(text: string | null): Record<string, unknown> | null {
  if (text === null) return null;
  const errors: jsonc.ParseError[] = [];
  const value = jsonc.parse(text, errors, { allowTrailingComma: true }) as unknown;
  return errors.length === 0 && isObject(value) ? value : null;
}

/** The hooks of these events; null if the text cannot be read. */
export function groupsIn(
  text: string | null,
  events: readonly string[],
): { event: string; at: number; value: unknown }[] | null {
  const root = parse(text);
  if (root === null) return null;
  const hooks = isObject(root['hooks']) ? root['hooks'] : {};
  return events.flatMap((event) => {
    const groups = Array.isArray(hooks[event]) ? (hooks[event] as unknown[]) : [];
    return groups.map((value, at) => ({ event, at, value }));
  });
}

const sameText = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** Is this place in the settings empty? */
function holdsNothing(text: string, place: string[]): boolean {
  const value = place.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), parse(text));
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** End of a list, in the notation of jsonc-parser. */
const atEnd = -1;

const set = (text: string, place: jsonc.JSONPath, value: unknown): string =>
  jsonc.applyEdits(text, jsonc.modify(text, place, value, { formattingOptions: styleOf(text) }));

/** Tools that run a command, by the names of Claude Code and Codex. */
export const shells = ['Bash', 'PowerShell'];

/** Matches every tool: policies decide which run freely, so that a tool of a later version is held. */
export const everyTool = '*';

interface MatchedHooks {
  /** The agent asks its own person as well, so the end of a call is an event, too. */
  isRaced?: boolean;
  /** Commands in the texts of skills are events. */
  hasSkillEvent?: boolean;
  /** Members that make the agent block a call whose hook fails. */
  failing?: Readonly<Record<string, string>>;
}

/** Hooks in the format of Claude Code and Codex. */
export const matchedHooks = (
  harness: Harness,
  { isRaced = false, hasSkillEvent = false, failing = {} }: MatchedHooks = {},
): HookFile =>
  jsonHooks({
    events: [...hookEvents, skillEvent, ...endEvents],
    groupsOf: (words) => ({
      [words.event]: groupOf(shellCommand(harness, words), words.timeout, failing),
      ...(hasSkillEvent &&
        words.event === 'PreToolUse' && {
          [skillEvent]: groupOf(shellCommand(harness, words), words.timeout, failing),
        }),
      ...(isRaced &&
        words.event === 'PermissionRequest' &&
        Object.fromEntries(
          endEvents.map((event) => [event, groupOf(withdrawCommand(harness, words), withdrawSeconds)]),
        )),
    }),
    fixed: ['matcher'],
  });

const withdrawSeconds = 60;

const groupOf = (command: string, timeout: number, failing: Readonly<Record<string, string>> = {}) => ({
  matcher: everyTool,
  hooks: [{ type: 'command', command, timeout, ...failing }],
});

/** The answer under `hookSpecificOutput`. */
export function answerInSpecifics(event: JudgedEventName, verdict: Verdict): Record<string, unknown> {
  if (verdict.isAllowed === null) return {};
  const input = verdict.isAllowed && verdict.input !== undefined && { updatedInput: verdict.input };
  if (event === 'PermissionRequest') {
    const decision = verdict.isAllowed
      ? { behavior: 'allow', ...input }
      : { behavior: 'deny', message: verdict.reason };
    return specific({ hookEventName: event, decision });
  }
  return verdict.isAllowed
    ? specific({ hookEventName: event, permissionDecision: 'allow', ...input })
    : specific({ hookEventName: event, permissionDecision: 'deny', permissionDecisionReason: verdict.reason });
}

const specific = (hookSpecificOutput: Record<string, unknown>) => ({ hookSpecificOutput });
