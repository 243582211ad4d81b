import jsonc from 'jsonc-parser';
import { isObject } from '../frames/frame.ts';
import { commandsIn } from './call-hints.ts';
import { hookEvents } from './hook-event.ts';
import { hookMatcher, isOwnGroup } from './hook-settings.ts';

/** One file of an agent, as it is; null if it is not there. */
export interface SettingsFile {
  file: string;
  text: string | null;
}

export interface ClaudeFiles {
  /** What the machine's owner has set, which no other settings switch off. */
  managed: SettingsFile;
  user: SettingsFile;
  /** The settings of the project, shared and of this person. */
  project: SettingsFile[];
  skills: { file: string; text: string }[];
}

/** What lets calls of Claude Code run past the hook here: a sentence for each, and none if nothing does. */
export function checkClaude({ managed, user, project, skills }: ClaudeFiles): string[] {
  const isManaged = groupsIn(managed.text).some(isOwnGroup);
  const others = [user, ...project];
  const own = [managed, ...others].flatMap(({ file, text }) =>
    groupsIn(text)
      .filter(isOwnGroup)
      .map((group) => ({ file, group })),
  );
  const broken = [managed, ...others].filter(({ text }) => text !== null && parse(text) === null);
  const off = others.filter(({ text }) => parse(text)?.['disableAllHooks'] === true);
  return [
    ...(own.length === 0 ? ['The hook is not installed: run "assentry hook install --write".'] : []),
    ...broken.map(({ file }) => `${file} is not valid JSON, so its hooks may not run.`),
    ...off.map(({ file }) => (isManaged ? [] : [`${file} has disableAllHooks, which ends the hook.`])).flat(),
    ...own
      .filter(({ group }) => group['matcher'] !== hookMatcher)
      .map(({ file }) => `The hook in ${file} leaves tools out: run "assentry hook install --write" again.`),
    ...skills
      .filter(({ text }) => commandsIn(text).length > 0)
      .map(
        ({ file, text }) =>
          `${file} runs commands when a person types its name: ${commandsIn(text).join('; ').slice(0, 200)}`,
      ),
  ];
}

/** The same for Codex. `config` keeps which hooks its person trusts. */
export function checkCodex({ hooks, config }: { hooks: SettingsFile; config: SettingsFile }): string[] {
  const own = groupsIn(hooks.text).filter(isOwnGroup);
  if (own.length === 0) return ['The hook is not installed: run "assentry hook install --write".'];
  const isTrusted = /^\s*\[hooks\.state\..*\]/m.test(config.text ?? '') && (config.text ?? '').includes('trusted_hash');
  return [
    ...(isTrusted ? [] : [`No hook is trusted in ${config.file}: until you trust it with /hooks, Codex skips it.`]),
    ...(own.every((group) => group['matcher'] === hookMatcher)
      ? []
      : [`The hook in ${hooks.file} leaves tools out: run "assentry hook install --write" again.`]),
  ];
}

/** What no hook can see, whatever the settings are. */
export const codexLimit =
  'Codex runs no hook for write_stdin: what is typed into a program that was approved and still runs is not judged.';

function parse(text: string | null): Record<string, unknown> | null {
  if (text === null) return null;
  const errors: jsonc.ParseError[] = [];
  const value = jsonc.parse(text, errors, { allowTrailingComma: true }) as unknown;
  return errors.length === 0 && isObject(value) ? value : null;
}

function groupsIn(text: string | null): Record<string, unknown>[] {
  const hooks = parse(text)?.['hooks'];
  if (!isObject(hooks)) return [];
  return hookEvents.flatMap((event) =>
    Array.isArray(hooks[event]) ? (hooks[event] as unknown[]).filter(isObject) : [],
  );
}
