import { existsSync } from 'node:fs';
import path from 'node:path';
import { namesIn } from '../../own-files/own-files/names-in.ts';
import type { HarnessPlace } from '../adapters/adapter/adapter.ts';
import { adapters } from '../adapters/adapters.ts';
import { harnesses, type Harness } from '../adapters/harness.ts';
import { installedPlugins, pluginsAmongSkills } from '../instructions/claude-plugins.ts';
import {
  checkClaude,
  checkCodex,
  checkCopilot,
  checkGemini,
  checkOpenCode,
  filesOf,
  otherHooksIn,
  runsManagedAlone,
  wrappedPrograms,
  type ClaudeFiles,
} from './check-hooks.ts';
import { managedFileOn } from '../install-hooks.ts';
import { agentsIn, claudeFolders, filesIn, skillsIn, withParents } from '../project.ts';
import { readSettingsFile as read, type SettingsFile } from '../loaded-text/read-regular.ts';
import { linkedInstructions, linkedSkills } from '../instructions/shown-instructions.ts';

interface CheckedAgent {
  harness: Harness;
  /** What lets calls run past the hook. */
  findings: string[];
  /** What no setting changes, and the hooks that the person has next to it. */
  limits: string[];
}

interface CheckedPlace {
  home: string;
  cwd: string;
  platform: NodeJS.Platform;
  variables: Readonly<Record<string, string | undefined>>;
  managed?: string;
  /** Where Codex reads the settings of the machine's owner. */
  requirements?: string;
}

/** What the settings of the agents on this machine say for this project. */
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

/** What lets calls of this agent run past the hook in this project. */
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
/** Where OpenCode looks for code of a project. */
const openCodeFolders = ['plugin', 'plugins', 'tool', 'tools'];

/** The programs that servers of a project start behind the gateway, where only their tools are judged. */
const wrappedHere = (harness: Harness, folders: readonly string[]): string[] =>
  folders.flatMap((at) => (serverFiles[harness] ?? []).flatMap((name) => wrappedPrograms(read(path.join(at, name)))));

/** Where a project lists servers for an agent, if these may run behind the gateway. */
const serverFiles: Partial<Record<Harness, readonly string[]>> = {
  'claude-code': ['.mcp.json'],
  codex: ['.codex/config.toml'],
  'copilot-cli': ['.mcp.json'],
  'gemini-cli': ['.gemini/settings.json'],
};

/** What Claude Code reads here. */
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

/** Where the person and the owner of the machine have hooks of Claude Code. */
const hooksOfClaude = ({ managed, user, plugins }: ClaudeFiles): SettingsFile[] =>
  runsManagedAlone(managed) ? [managed] : [managed, user, ...filesOf(plugins.person)];

/** Where a person has hooks of another agent. */
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
