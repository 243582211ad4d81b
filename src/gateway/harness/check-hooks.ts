import { isObject } from '../frames/frame.ts';
import { adapters } from './adapters/adapters.ts';
import { everyTool } from './adapters/matched-hooks.ts';
import { groupsIn, isOwn, notInstalled, parse } from './adapters/json-hooks.ts';
import { runsBy, type LoadedText } from './loaded-text.ts';
import { hookEvents } from './adapters/harness.ts';

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
  skills: LoadedText[];
}

/** What lets calls of Claude Code run past the hook here: a sentence for each, and none if nothing does. */
export function checkClaude({ managed, user, project, skills }: ClaudeFiles): string[] {
  const isManaged = ownGroups(managed.text).length > 0;
  const others = [user, ...project];
  const own = [managed, ...others].flatMap(({ file, text }) => ownGroups(text).map((group) => ({ file, group })));
  const broken = [managed, ...others].filter(({ text }) => text !== null && parse(text) === null);
  const off = others.filter(({ text }) => parse(text)?.['disableAllHooks'] === true);
  return [
    ...(own.length === 0 ? [notInstalled] : []),
    ...broken.map(({ file }) => `${file} is not valid JSON, so its hooks may not run.`),
    ...off.map(({ file }) => (isManaged ? [] : [`${file} has disableAllHooks, which ends the hook.`])).flat(),
    ...own
      .filter(({ group }) => group['matcher'] !== everyTool)
      .map(({ file }) => `The hook in ${file} leaves tools out: run "assentry hook install --write" again.`),
    ...skills
      .map((skill) => ({ ...skill, runs: runsBy(skill) }))
      .filter(({ runs }) => runs.length > 0)
      .map(({ file, runs }) => `${file} runs commands when a person types its name: ${runs.join('; ').slice(0, 200)}`),
  ];
}

/** The same for Codex. `config` keeps which hooks its person trusts. */
export function checkCodex({ hooks, config }: { hooks: SettingsFile; config: SettingsFile }): string[] {
  const findings = adapters.codex.hookFile.check(hooks.file, hooks.text);
  if (findings.includes(notInstalled)) return findings;
  const isTrusted = /^\s*\[hooks\.state\..*\]/m.test(config.text ?? '') && (config.text ?? '').includes('trusted_hash');
  const untrusted = `No hook is trusted in ${config.file}: until you trust it with /hooks, Codex skips it.`;
  return [...(isTrusted ? [] : [untrusted]), ...findings];
}

/** The same for Gemini CLI, which runs no hook if any of its settings turns them off. */
export function checkGemini({ user, project }: { user: SettingsFile; project: SettingsFile }): string[] {
  const off = [user, project].filter(({ text }) => {
    const config = parse(text)?.['hooksConfig'];
    const disabled = isObject(config) && Array.isArray(config['disabled']) ? config['disabled'] : [];
    return isObject(config) && (config['enabled'] === false || disabled.includes('assentry'));
  });
  return [
    ...adapters['gemini-cli'].hookFile.check(user.file, user.text),
    ...off.map(({ file }) => `${file} turns hooks off in hooksConfig, which ends the hook.`),
  ];
}

const ownGroups = (text: string | null): Record<string, unknown>[] =>
  (groupsIn(text, hookEvents) ?? []).flatMap(({ value }) => (isObject(value) && isOwn(value) ? [value] : []));
