import { canonicalText } from '#protocol/model/hashed-text';
import { isObject } from '../frames/frame.ts';
import { adapters } from './adapters/adapters.ts';
import { everyTool } from './adapters/matched-hooks.ts';
import { again, groupsIn, isOwn, notInstalled, parse } from './adapters/json-hooks.ts';
import { leading } from './leading-variables.ts';
import { runsBy, type LoadedText } from './loaded-text.ts';
import { failing } from './adapters/claude-code.ts';
import { hookEvents, skillEvent } from './adapters/harness.ts';

/** One file of an agent, as it is; null if it is not there. */
export interface SettingsFile {
  file: string;
  text: string | null;
}

interface ClaudeFiles {
  /** What the machine's owner has set, which no other settings switch off. */
  managed: SettingsFile;
  user: SettingsFile;
  /** The settings of the project, shared and of this person. */
  project: SettingsFile[];
  /** What is loaded by a name: skills, commands and sub-agents. */
  skills: LoadedText[];
}

/** What lets calls of Claude Code run past the hook here: a sentence for each, and none if nothing does. */
export function checkClaude({ managed, user, project, skills }: ClaudeFiles): string[] {
  const isManaged = ownGroups(managed.text).length > 0;
  const others = [user, ...project];
  const own = [managed, ...others].flatMap(({ text }) => ownGroups(text));
  const broken = [managed, ...others].filter(({ text }) => text !== null && parse(text) === null);
  const off = others.filter(({ text }) => parse(text)?.['disableAllHooks'] === true);
  return [
    ...(own.length === 0 ? [notInstalled] : []),
    ...broken.map(({ file }) => `${file} is not valid JSON, so its hooks may not run.`),
    ...off.map(({ file }) => (isManaged ? [] : [`${file} has disableAllHooks, which ends the hook.`])).flat(),
    ...project.flatMap(({ file, text }) => runByProject(parse(text) ?? {}).map((what) => `${file} ${what}`)),
    ...[managed, ...others].flatMap(({ file, text }) =>
      changedIn(text).map((how) => `The hook in ${file} ${how}: ${again}.`),
    ),
    ...skills
      .map((skill) => ({ ...skill, runs: runsBy(skill) }))
      .filter(({ runs }) => runs.length > 0)
      .map(({ file, runs }) => `${file} runs commands when a person types its name: ${runs.join('; ').slice(0, 200)}`),
  ];
}

/** How the hook in these settings differs from the installed one: by a condition, say, or by a member that an update of Assentry adds. */
function changedIn(text: string | null): string[] {
  const own = (groupsIn(text, [...hookEvents, skillEvent]) ?? []).filter(({ value }) => isOwn(value));
  const groups = own.map(({ value }) => value as Record<string, unknown>);
  if (groups.some(({ matcher }) => matcher !== everyTool)) return ['leaves tools out'];
  const events = own.map(({ event }) => event);
  const isWhole = events[0] !== 'PreToolUse' || events.includes(skillEvent);
  return isWhole && groups.every(isAsInstalled) ? [] : ['is not as this version installs it'];
}

function isAsInstalled({ hooks }: Record<string, unknown>): boolean {
  const [hook, ...more] = Array.isArray(hooks) ? (hooks as unknown[]) : [];
  if (!isObject(hook) || more.length > 0) return false;
  const { type, command, timeout, ...rest } = hook;
  return type === 'command' && [command, timeout].every(Boolean) && canonicalText(rest) === canonicalText(failing);
}

/** Settings by which Claude Code runs programs without a call. */
const programs = [
  'hooks',
  'apiKeyHelper',
  'awsAuthRefresh',
  'awsCredentialExport',
  'gcpAuthRefresh',
  'otelHeadersHelper',
  'statusLine',
  'fileSuggestion',
];

/** What a project's settings run or change that no hook sees, because the hook is run by what they have changed. */
function runByProject(settings: Record<string, unknown>): string[] {
  const { env } = settings;
  const variables = isObject(env) ? Object.keys(env).filter((name) => leading.test(name)) : [];
  const named = programs.filter((name) => isOther(settings[name]));
  return [
    ...(named.length > 0 ? [`runs programs without a call, by ${named.join(', ')}: read them.`] : []),
    ...(variables.length > 0 ? [`sets ${variables.join(', ')}, by which programs run other code: read it.`] : []),
  ];
}

/** More than the hook of Assentry alone. */
const isOther = (value: unknown): boolean => {
  if (!isObject(value)) return value !== undefined;
  const groups = Object.values(value).flat();
  return groups.some((group) => !isOwn(group));
};

interface CodexFiles {
  hooks: SettingsFile;
  /** It keeps which hooks its person trusts. */
  config: SettingsFile;
  /** What the project brings, if its person trusts it. */
  project: SettingsFile;
}

/** The same for Codex. */
export function checkCodex({ hooks, config, project }: CodexFiles): string[] {
  const off = [config, project].filter(({ text }) => /^[^#\n]*\b(?:codex_)?hooks\s*=\s*false/m.test(text ?? ''));
  const findings = [
    ...adapters.codex.hookFile.check(hooks.file, hooks.text),
    ...off.map(({ file }) => `${file} turns hooks off, which ends the hook.`),
  ];
  if (findings.includes(notInstalled)) return findings;
  const isTrusted = /^\s*\[hooks\.state\..*\]/m.test(config.text ?? '') && (config.text ?? '').includes('trusted_hash');
  const untrusted = `No hook is trusted in ${config.file}: until you trust it with /hooks, Codex skips it.`;
  return [...(isTrusted ? [] : [untrusted]), ...findings];
}

interface GeminiFiles {
  user: SettingsFile;
  project: SettingsFile;
  /** Variables that the project brings, which reach the hook as well. */
  environment: SettingsFile[];
}

/** The same for Gemini CLI, which runs no hook if any of its settings turns them off. */
export function checkGemini({ user, project, environment }: GeminiFiles): string[] {
  const off = [user, project].filter(({ text }) => {
    const config = parse(text)?.['hooksConfig'];
    const disabled = isObject(config) && Array.isArray(config['disabled']) ? config['disabled'] : [];
    return isObject(config) && (config['enabled'] === false || disabled.includes('assentry'));
  });
  return [
    ...adapters['gemini-cli'].hookFile.check(user.file, user.text),
    ...off.map(({ file }) => `${file} turns hooks off in hooksConfig, which ends the hook.`),
    ...environment.flatMap(({ file, text }) => {
      const names = [...(text ?? '').matchAll(/^\s*(?:export\s+)?(\w+)\s*=/gm)].map(([, name = '']) => name);
      const named = names.filter((name) => leading.test(name));
      return named.length > 0 ? [`${file} sets ${named.join(', ')}, by which programs run other code: read it.`] : [];
    }),
  ];
}

const ownGroups = (text: string | null): Record<string, unknown>[] =>
  (groupsIn(text, hookEvents) ?? []).flatMap(({ value }) => (isObject(value) && isOwn(value) ? [value] : []));
