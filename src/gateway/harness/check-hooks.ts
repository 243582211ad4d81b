import { isObject } from '../frames/frame.ts';
import { groupsIn, isOwn, parse, mark, again, notInstalled, everyTool } from './adapters/hooks.ts';
import {
  type SettingsFile,
  filesNamedIn,
  runsBy as commandsOf,
  type LoadedText,
  readSettingsFile as read,
} from './loaded-text.ts';
import { canonicalText } from '#platform/model/hashed-text';
import path from 'node:path';
import { readEntry } from '../import/import.ts';
import { readToml, tomlServersIn } from '../import/texts.ts';
import { adapters } from './adapters/adapters.ts';
import { failing } from './adapters/claude-code.ts';
import { hookEvents, skillEvent, harnesses, type Harness } from './adapters/harness.ts';
import {
  withModules,
  type ClaudePlugin,
  leading,
  installedPlugins,
  pluginsAmongSkills,
  linkedInstructions,
  linkedSkills,
} from './instructions.ts';
import { isBehind, isBehindIn } from './wrapped-servers.ts';
import { existsSync } from 'node:fs';
import { namesIn } from '../own-files/own-files.ts';
import type { HarnessPlace } from './adapters/adapter.ts';
import { managedFileOn } from './install-hooks.ts';
import { agentsIn, claudeFolders, filesIn, skillsIn, withParents } from './project.ts';

/** Does the hook of Assentry judge only what the agent would ask its person about? */
const isAskedFor = (files: SettingsFile[]): boolean =>
  files.some(({ text }) => (groupsIn(text, ['PermissionRequest']) ?? []).some(({ value }) => isOwn(value)));

/** A sentence for each project setting that makes such a hook judge less. */
const passedByPermissions = (all: SettingsFile[], project: SettingsFile[]): string[] =>
  (isAskedFor(all) ? project.filter(letsRun) : []).map(
    ({ file }) =>
      `${file} lets calls run unasked, by permissions, which a hook of PermissionRequest does not judge: read it.`,
  );

function letsRun({ text }: SettingsFile): boolean {
  const permissions = parse(text)?.['permissions'];
  return isObject(permissions) && ['allow', 'defaultMode', 'additionalDirectories'].some((name) => name in permissions);
}

/** Settings with another hook of `PermissionRequest`, if Assentry's hook waits for that event. */
function answersFirst(files: SettingsFile[]): string[] {
  return isAskedFor(files)
    ? files.filter(({ text }) => hasOtherHook(text, ['PermissionRequest'])).map(({ file }) => file)
    : [];
}

const hasOtherHook = (text: string | null, events: readonly string[]): boolean =>
  (groupsIn(text, events) ?? []).some(({ value }) => !isOwn(value));

interface ClaudeFiles {
  /** Settings of the machine's owner, which no other settings override. */
  managed: SettingsFile;
  user: SettingsFile;
  /** The settings of the project, shared and of this person. */
  project: SettingsFile[];
  /** Texts loaded by name: skills, commands and sub-agents. */
  skills: LoadedText[];
  /** Servers listed by the project. */
  servers: SettingsFile[];
  plugins: { project: ClaudePlugin[]; person: ClaudePlugin[] };
  variables: Readonly<Record<string, string | undefined>>;
}

/** Ways in which calls of Claude Code bypass the hook here: a sentence for each. */
function checkClaude({ managed, user, project, skills, servers, plugins, variables }: ClaudeFiles): string[] {
  const isManaged = ownGroups(managed.text).length > 0;
  const others = [user, ...project];
  const own = [managed, ...others].flatMap(({ text }) => ownGroups(text));
  const broken = [managed, ...others].filter(({ text }) => text !== null && parse(text) === null);
  const off = others.filter(({ text }) => parse(text)?.['disableAllHooks'] === true);
  return [
    ...(own.length === 0 ? [notInstalled] : []),
    ...broken.map(({ file }) => `${file} is not valid JSON, so its hooks may not run.`),
    ...off.map(({ file }) => (isManaged ? [] : [`${file} has disableAllHooks, which ends the hook.`])).flat(),
    ...(isManaged ? [] : endingIn(variables)).map(
      (name) => `The variable ${name} is set, by which Claude Code starts without the hook.`,
    ),
    ...project.flatMap(({ file, text }) => {
      const settings = parse(text) ?? {};
      const run = runsManagedAlone(managed) ? { ...settings, hooks: undefined } : settings;
      return runByProject(run).map((what) => `${file} ${what}`);
    }),
    ...plugins.project.map(
      ({ manifest }) =>
        `${manifest} makes a plugin, which ${isManaged ? 'runs programs' : 'ends the hook if it likes, and runs programs'} without a call: read it.`,
    ),
    ...(isManaged ? [] : withModules(plugins.person)).map(
      (file) => `${file} lists modules of a plugin, which can end the hook: read them.`,
    ),
    ...answersFirst([managed, user, ...filesOf(plugins.person)]).map(
      (file) => `${file} has another hook of PermissionRequest, whose answer counts if it is first: read it.`,
    ),
    ...[managed, ...others].flatMap(({ file, text }) =>
      changedIn(text).map((how) => `The hook in ${file} ${how}: ${again}.`),
    ),
    ...passedByPermissions([managed, ...others], project),
    ...servers.flatMap(programsOfServers),
    ...skills
      .map((skill) => ({ ...skill, runs: commandsOf(skill) }))
      .filter(({ runs }) => runs.length > 0)
      .map(({ file, runs }) => `${file} runs commands when a person types its name: ${runs.join('; ').slice(0, 200)}`),
    ...skills
      .map(({ file, text }) => ({
        file,
        files: filesNamedIn(text ?? '').filter((name) => /^[/~]|^[a-z]:|\.\.|\$/i.test(name)),
      }))
      .filter(({ files }) => files.length > 0)
      .map(({ file, files }) => `${file} loads files when a person types its name: ${files.join('; ').slice(0, 200)}`),
  ];
}

export const filesOf = (plugins: readonly ClaudePlugin[]): SettingsFile[] => plugins.flatMap(({ files }) => files);

/** True if the machine's owner disables all hooks of persons, projects and plugins. */
const runsManagedAlone = ({ text }: SettingsFile): boolean => parse(text)?.['allowManagedHooksOnly'] === true;

/** A sentence for each of these settings with a foreign hook that the agent runs before a call. */
const otherHooksIn = (files: SettingsFile[]): string[] =>
  files
    .filter(({ text }) => hasOtherHook(text, ['PreToolUse', 'BeforeTool', 'preToolUse']))
    .map(
      ({ file }) =>
        `Another hook in ${file} runs before calls, and may change one after people have approved it: read it.`,
    );

/**
 * Differences between the hook in these settings and the installed one: a condition, say, or a member that an update of
 * Assentry adds.
 */
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

/** Variables by which Claude Code starts without a person's own hooks. */
const endingIn = (variables: ClaudeFiles['variables']): string[] =>
  ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE', 'CLAUDE_CODE_RESTRICTED'].filter((name) =>
    /^(?:1|true|yes|on)$/i.test(variables[name] ?? ''),
  );

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
  'proxyAuthHelper',
  'subagentStatusLine',
  'enabledPlugins',
  'extraKnownMarketplaces',
  'additionalMarketplaces',
  'enableAllProjectMcpServers',
  'enabledMcpjsonServers',
];

/** Programs that a project's settings run, or variables they change, unseen by the hook. */
function runByProject(settings: Record<string, unknown>): string[] {
  const named = programs.filter((name) => isOther(settings[name]));
  return [...runsBy(named), ...setsVariables(settings['env'])];
}

const runsBy = (names: readonly string[]): string[] =>
  names.length > 0 ? [`runs programs without a call, by ${names.join(', ')}: read them.`] : [];

function setsVariables(variables: unknown): string[] {
  const named = Object.keys(isObject(variables) ? variables : {}).filter((name) => leading.test(name));
  return named.length > 0 ? [`sets ${named.join(', ')}, by which programs run other code: read it.`] : [];
}

/** Is there another value than the hook of Assentry? */
const isOther = (value: unknown): boolean => {
  if (!isObject(value)) return value !== undefined && value !== false;
  const groups = Object.values(value).flat();
  return groups.some((group) => group !== false && !isOwn(group));
};

interface CodexFiles {
  /** Settings of the machine's owner, which no other settings override. */
  requirements: SettingsFile;
  hooks: SettingsFile;
  /** Settings that list the hooks the person trusts. */
  config: SettingsFile;
  /** Files of the project and the folders above it, used if its person trusts them. */
  project: { configs: SettingsFile[]; hooks: SettingsFile[] };
}

/** Ways in which calls of Codex bypass the hook here: a sentence for each. */
function checkCodex({ requirements, hooks, config, project }: CodexFiles): string[] {
  const isManaged = (requirements.text ?? '').includes(mark);
  const isKept = features(readConfig(requirements))['hooks'] === true;
  const all = [config, ...project.configs];
  const findings = [
    ...(isManaged ? [] : adapters.codex.hookFile.check(hooks.file, hooks.text)),
    ...all.filter(isBroken).map(({ file }) => `${file} is not valid TOML, so what it says of hooks is unknown.`),
    ...(isKept ? [] : all.filter(endsHooks)).map(({ file }) => `${file} turns hooks off, which ends the hook.`),
    ...project.configs.filter(({ text }) => hasMembers(readConfig({ text })['hooks'])).map(runsHooks),
    ...project.hooks.filter(({ text }) => isOther(parse(text)?.['hooks'])).map(runsHooks),
    ...project.configs.flatMap(setsForCommands),
    ...project.configs.flatMap(({ file, text }) =>
      (text === null ? [] : (tomlServersIn(text) ?? []))
        .filter(({ value }) => !isBehindIn(path.dirname(path.dirname(file)), value))
        .map(({ name }) => startsServer(file, name)),
    ),
  ];
  if (findings.includes(notInstalled)) return findings;
  const isTrusted =
    isManaged || (/^\s*\[hooks\.state\..*\]/m.test(config.text ?? '') && (config.text ?? '').includes('trusted_hash'));
  const untrusted = `No hook is trusted in ${config.file}: until you trust it with /hooks, Codex skips it.`;
  return [...(isTrusted ? [] : [untrusted]), ...findings];
}

const readConfig = ({ text }: Pick<SettingsFile, 'text'>): Record<string, unknown> => {
  const value = text === null ? {} : readToml(text);
  return isObject(value) ? value : {};
};
const isBroken = ({ text }: SettingsFile): boolean => text !== null && readToml(text) === null;
const features = ({ features: own }: Record<string, unknown>): Record<string, unknown> => (isObject(own) ? own : {});
const hasMembers = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0;

/** Do the settings turn hooks off, directly or by a profile? */
function endsHooks(file: SettingsFile): boolean {
  const config = readConfig(file);
  const profiles = isObject(config['profiles']) ? Object.values(config['profiles']).filter(isObject) : [];
  return [config, ...profiles]
    .map(features)
    .some(({ hooks, codex_hooks: before }) => hooks === false || before === false);
}

/** Settings that set variables of every command that Codex runs. */
function setsForCommands({ file, text }: SettingsFile): string[] {
  const policy = readConfig({ text })['shell_environment_policy'];
  return setsVariables(isObject(policy) && policy['set']).map((what) => `${file} ${what}`);
}

const runsHooks = ({ file }: SettingsFile): string => `${file} runs programs without a call, by hooks: read them.`;
const startsServer = (file: string, name: string): string =>
  `${file} starts the server ${name} without a call: read it, or put it behind the gateway.`;

/** Programs that a project's list of servers starts: servers outside the gateway, and programs that write headers. */
function programsOfServers({ file, text }: SettingsFile): string[] {
  const entries = serversIn(text);
  return [
    ...entries
      .filter(([, entry]) => readEntry(entry) !== null && !isBehindIn(path.dirname(file), entry))
      .map(([name]) => startsServer(file, name)),
    ...entries
      .filter(([, entry]) => isObject(entry) && entry['headersHelper'] !== undefined)
      .map(([name]) => `${file} runs the headersHelper of the server ${name} without a call: read it.`),
  ];
}

/** A sentence for each program that these settings start behind the gateway. */
function wrappedPrograms({ file, text }: SettingsFile): string[] {
  const servers = file.endsWith('.toml')
    ? (text === null ? [] : (tomlServersIn(text) ?? [])).map(({ name, value }) => [name, value] as const)
    : serversIn(text);
  return servers.flatMap(([name, value]) => {
    const entry = readEntry(value);
    if (entry === null || !isBehind(value)) return [];
    const words = entry.args.slice(entry.args.indexOf('--') + 1).join(' ');
    return [`${file} starts "${words.slice(0, 200)}" for the server ${name}, behind the gateway: read it.`];
  });
}

const serversIn = (text: string | null): [string, unknown][] => {
  const servers = parse(text)?.['mcpServers'];
  return Object.entries(isObject(servers) ? servers : {});
};

interface CopilotFiles {
  /** File of the hook itself. */
  hook: SettingsFile;
  /** Settings of the person. */
  user: SettingsFile[];
  /**
   * Files of the project and the folders above it, used if its person trusts them: settings (also those for Claude Code), hooks
   * and servers.
   */
  project: { settings: SettingsFile[]; hooks: SettingsFile[]; servers: SettingsFile[] };
}

/** Checks Copilot CLI, which runs no hook at all if any of its settings disables hooks. */
function checkCopilot({ hook, user, project }: CopilotFiles): string[] {
  const off = [...user, ...project.settings].filter(({ text }) => parse(text)?.['disableAllHooks'] === true);
  return [
    ...adapters['copilot-cli'].hookFile.check(hook.file, hook.text),
    ...off.map(({ file }) => `${file} has disableAllHooks, which ends the hook.`),
    ...project.settings.flatMap(({ file, text }) => runByProject(parse(text) ?? {}).map((what) => `${file} ${what}`)),
    ...project.hooks.filter(({ text }) => isOther(parse(text)?.['hooks'])).map(runsHooks),
    ...project.servers.flatMap(programsOfServers),
  ];
}

interface GeminiFiles {
  user: SettingsFile;
  project: SettingsFile;
  /** Variables set by the project, which also reach the hook. */
  environment: SettingsFile[];
}

/** Checks Gemini CLI, which runs no hook if any of its settings turns hooks off. */
function checkGemini({ user, project, environment }: GeminiFiles): string[] {
  const off = [user, project].filter(({ text }) => {
    const config = parse(text)?.['hooksConfig'];
    const disabled = isObject(config) && Array.isArray(config['disabled']) ? config['disabled'] : [];
    return isObject(config) && (config['enabled'] === false || disabled.includes('assentry'));
  });
  return [
    ...adapters['gemini-cli'].hookFile.check(user.file, user.text),
    ...off.map(({ file }) => `${file} turns hooks off in hooksConfig, which ends the hook.`),
    ...[project].filter(({ text }) => isOther(parse(text)?.['hooks'])).map(runsHooks),
    ...programsOfServers(project),
    ...runsBy(toolPrograms(parse(project.text) ?? {})).map((what) => `${project.file} ${what}`),
    ...environment.flatMap(({ file, text }) => {
      const names = [...(text ?? '').matchAll(/^\s*(?:export\s+)?(\w+)\s*=/gm)].map(([, name = '']) => name);
      const named = names.filter((name) => leading.test(name));
      return named.length > 0 ? [`${file} sets ${named.join(', ')}, by which programs run other code: read it.`] : [];
    }),
  ];
}

/** Programs by which Gemini CLI finds and runs tools, also under names of earlier versions. */
function toolPrograms(settings: Record<string, unknown>): string[] {
  const { tools } = settings;
  const named = ['discoveryCommand', 'callCommand'].filter((name) => isObject(tools) && tools[name] !== undefined);
  return [...named, ...['toolDiscoveryCommand', 'toolCallCommand'].filter((name) => settings[name] !== undefined)];
}

/** Files of a project and the folders above it for OpenCode. */
interface OpenCodeFiles {
  plugin: SettingsFile;
  project: { settings: SettingsFile[]; code: string[] };
}

/** Checks OpenCode. */
const checkOpenCode = ({ plugin, project }: OpenCodeFiles): string[] => [
  ...adapters.opencode.hookFile.check(plugin.file, plugin.text),
  ...project.settings.flatMap(({ file, text }) => {
    const settings = parse(text) ?? {};
    const named = ['mcp', 'plugin', 'formatter', 'lsp'].filter((name) => isOther(settings[name]));
    const { instructions } = settings;
    const shown = (Array.isArray(instructions) ? (instructions as unknown[]) : []).filter(
      (name) => typeof name === 'string' && /^[/~]|^[a-z]+:|\.\.|[{$]/i.test(name),
    );
    return [
      ...runsBy(named).map((what) => `${file} ${what}`),
      ...shown.map((name) => `${file} shows the model ${String(name)} without a call, by instructions: read it.`),
    ];
  }),
  ...project.code.map((file) => `${file} is code that OpenCode loads without a call: read it.`),
];

const ownGroups = (text: string | null): Record<string, unknown>[] =>
  (groupsIn(text, hookEvents) ?? []).flatMap(({ value }) => (isObject(value) && isOwn(value) ? [value] : []));

interface CheckedAgent {
  harness: Harness;
  /** Ways in which calls bypass the hook. */
  findings: string[];
  /** Limits that no setting changes, and the person's other hooks. */
  limits: string[];
}

interface CheckedPlace {
  home: string;
  cwd: string;
  platform: NodeJS.Platform;
  variables: Readonly<Record<string, string | undefined>>;
  managed?: string;
  /** File of the machine owner's settings for Codex. */
  requirements?: string;
}

/** Checks the settings of the agents on this machine for this project. */
export function checkHere({
  home,
  cwd,
  platform,
  variables,
  managed = managedFileOn(platform),
  requirements = '/etc/codex/requirements.toml',
}: CheckedPlace): CheckedAgent[] {
  const othersOf = (harness: Harness): string[] =>
    otherHooksIn(
      harness === 'claude-code'
        ? hooksOfClaude(claudeFilesIn({ home, cwd, variables }, read(managed)))
        : settingsOf(harness, adapters[harness].placeOf({ home, variables }).file),
    );
  const folders = withParents(cwd).filter((at) => at !== home);
  return harnesses
    .filter(
      (harness) =>
        existsSync(adapters[harness].placeOf({ home, variables }).folder) ||
        (harness === 'claude-code' && existsSync(managed)),
    )
    .map((harness) => ({
      harness,
      findings: [
        ...findingsOf(harness, { home, cwd, variables, managed, requirements }),
        ...linkedInstructions(folders, adapters[harness].instructions),
        ...(harness === 'claude-code' ? linkedSkills(folders) : []),
      ],
      limits: [...adapters[harness].limits, ...othersOf(harness), ...wrappedHere(harness, folders)],
    }));
}

/** Ways in which calls of this agent bypass the hook in this project. */
function findingsOf(
  harness: Harness,
  { home, cwd, variables, managed, requirements }: Required<Omit<CheckedPlace, 'platform'>>,
): string[] {
  const { folder, file } = adapters[harness].placeOf({ home, variables });
  switch (harness) {
    case 'claude-code':
      return checkClaude(claudeFilesIn({ home, cwd, variables }, read(managed)));
    case 'codex': {
      const own = withParents(cwd).map((at) => path.join(at, '.codex'));
      const inEach = (name: string) => own.filter((at) => at !== folder).map((at) => read(path.join(at, name)));
      return checkCodex({
        requirements: read(requirements),
        hooks: read(file),
        config: read(path.join(folder, 'config.toml')),
        project: { configs: inEach('config.toml'), hooks: inEach('hooks.json') },
      });
    }
    case 'copilot-cli': {
      const settings = ['.github/copilot', '.claude'].flatMap((at) => [
        `${at}/settings.json`,
        `${at}/settings.local.json`,
      ]);
      const hooks = withParents(cwd).map((at) => path.join(at, '.github', 'hooks'));
      return checkCopilot({
        hook: read(file),
        user: ['settings.json', 'config.json'].map((name) => read(path.join(folder, name))),
        project: {
          settings: withParents(cwd).flatMap((at) => settings.map((name) => read(path.join(at, name)))),
          hooks: hooks.flatMap((at) => namesIn(at).map((name) => read(path.join(at, name)))),
          servers: withParents(cwd).map((at) => read(path.join(at, '.mcp.json'))),
        },
      });
    }
    case 'gemini-cli': {
      const above = withParents(cwd).filter((at) => at !== home);
      const environment = above.flatMap((at) => [path.join(at, '.gemini', '.env'), path.join(at, '.env')]).map(read);
      return checkGemini({ user: read(file), project: read(path.join(cwd, '.gemini', 'settings.json')), environment });
    }
    case 'opencode': {
      const above = withParents(cwd).filter((at) => at !== home);
      const settings = above.flatMap((at) => openCodeSettings.map((name) => read(path.join(at, name))));
      const code = above.flatMap((at) => openCodeFolders.map((name) => path.join(at, '.opencode', name)));
      return checkOpenCode({ plugin: read(file), project: { settings, code: code.flatMap((at) => filesIn(at)) } });
    }
    default:
      return adapters[harness].hookFile.check(file, read(file).text);
  }
}

const openCodeSettings = ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'];
/** Folders in which OpenCode looks for code of a project. */
const openCodeFolders = ['plugin', 'plugins', 'tool', 'tools'];

/** Programs that servers of a project start behind the gateway, where only their tools are judged. */
const wrappedHere = (harness: Harness, folders: readonly string[]): string[] =>
  folders.flatMap((at) => (serverFiles[harness] ?? []).flatMap((name) => wrappedPrograms(read(path.join(at, name)))));

/** Files in which a project lists servers for an agent, if these may run behind the gateway. */
const serverFiles: Partial<Record<Harness, readonly string[]>> = {
  'claude-code': ['.mcp.json'],
  codex: ['.codex/config.toml'],
  'copilot-cli': ['.mcp.json'],
  'gemini-cli': ['.gemini/settings.json'],
};

/** Files that Claude Code reads here. */
function claudeFilesIn({ cwd, ...person }: HarnessPlace & { cwd: string }, managed: SettingsFile): ClaudeFiles {
  const { folder, file } = adapters['claude-code'].placeOf(person);
  const folders = claudeFolders(person, [cwd]);
  const own = path.join(cwd, '.claude');
  const user = read(file);
  const project = ['settings.json', 'settings.local.json'].map((name) => read(path.join(own, name)));
  return {
    managed,
    user,
    project,
    skills: [...skillsIn(folders), ...agentsIn(folders)],
    servers: withParents(cwd).map((at) => read(path.join(at, '.mcp.json'))),
    plugins: {
      project: own === folder ? [] : pluginsAmongSkills(own),
      person: [...pluginsAmongSkills(folder), ...installedPlugins(folder, [managed, user, ...project])],
    },
    variables: person.variables,
  };
}

/** Files with hooks of Claude Code, of the person and of the machine's owner. */
const hooksOfClaude = ({ managed, user, plugins }: ClaudeFiles): SettingsFile[] =>
  runsManagedAlone(managed) ? [managed] : [managed, user, ...filesOf(plugins.person)];

/** Files with a person's hooks of another agent. */
function settingsOf(harness: Harness, file: string): SettingsFile[] {
  const folder = path.dirname(file);
  if (harness === 'gemini-cli') {
    const extensions = path.join(folder, 'extensions');
    const hooks = namesIn(extensions).map((name) => path.join(extensions, name, 'hooks', 'hooks.json'));
    return [file, ...hooks].map(read);
  }
  if (harness !== 'copilot-cli') return [read(file)];
  return namesIn(folder).map((name) => read(path.join(folder, name)));
}
