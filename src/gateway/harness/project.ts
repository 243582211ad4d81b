import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { namesIn } from '../own-files/own-files.ts';
import type { HarnessPlace } from './adapters/adapter.ts';
import { claudeCode } from './adapters/claude-code.ts';
import type { ProjectFacts } from './judge-event.ts';
import type { HookEvent } from './adapters/hook-event.ts';
import { digestOf, shellFactsOf } from './shell/shell-facts.ts';
import { isNamed, ownerOf, type LoadedText, readRegular } from './loaded-text.ts';

interface ProjectPlace {
  home: string;
  /** The project as the agent names it; undefined if it names none: then a repository that begins in the folder of the call counts. */
  project: string | undefined;
  variables: NodeJS.ProcessEnv;
}

/** Facts of the project in which this call runs. */
export function readProject(
  { cwd }: Pick<HookEvent, 'cwd'>,
  { home, project: named, variables }: ProjectPlace,
): ProjectFacts {
  const project = named ?? cwd;
  const [root, own] = [realPath(project), realPath(home)];
  const folders = [root, ...withParents(cwd)];
  const claude = claudeFolders({ home, variables }, folders);
  const isOwnFolder = root !== path.parse(root).root && root !== own && !own.startsWith(`${root}${path.sep}`);
  const isBelieved = isOwnFolder && path.sep === '/' && (named !== undefined || existsSync(path.join(root, '.git')));
  const expanded = (file: string): string => file.replace(/^~(?=$|[\\/])/, home);
  return {
    project: isOwnFolder ? root : null,
    folder: project,
    variables,
    shell: isBelieved ? shellFactsOf({ project: root, cwd, variables, resolve: resolveReal }) : null,
    digest: () => digestOf(root),
    realPath: (file) => resolveReal(cwd, expanded(file)),
    skillsOf: (name) =>
      skillsIn([...claude, path.join(root, ...ownerOf(name), '.claude')]).filter((skill) => isNamed(skill, name)),
    agentsOf: (name) => agentsIn(claude).filter((agent) => isNamed(agent, name)),
  };
}

/** This folder and all folders above it. */
export const withParents = (folder: string): string[] =>
  path.dirname(folder) === folder ? [folder] : [folder, ...withParents(path.dirname(folder))];

/**
 * Folders in which Claude Code looks for named texts: these folders and the person's own. A project can set another of the
 * last by a variable, so the usual place counts as well.
 */
export const claudeFolders = (place: HarnessPlace, folders: readonly string[]): string[] => [
  ...[...folders, place.home].map((folder) => path.join(folder, '.claude')),
  claudeCode.placeOf(place).folder,
];

/** Skills and commands that can be loaded by name into Claude Code, also from plugins. */
export const skillsIn = (folders: readonly string[]): LoadedText[] =>
  textsIn(folders, ['skills', 'commands', 'plugins'], (file) => /[\\/](?:commands[\\/].*\.md|SKILL\.md)$/.test(file));

/** Definitions of sub-agents of Claude Code, also from plugins. */
export const agentsIn = (folders: readonly string[]): LoadedText[] =>
  textsIn(folders, ['agents', 'plugins'], (file) => /[\\/]agents[\\/].*\.md$/.test(file));

const textsIn = (folders: readonly string[], names: string[], isMeant: (file: string) => boolean): LoadedText[] =>
  [...new Set(folders)]
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .flatMap((folder) => filesIn(folder))
    .filter(isMeant)
    .map((file) => ({ file, text: readRegular(file) }));

/** Depth limit for the folders of plugins. */
const deepest = 8;

/** All files below this folder, without those of packages and Git. */
export function filesIn(folder: string, depth = 0): string[] {
  if (depth > deepest) return [];
  return namesIn(folder)
    .filter((name) => name !== 'node_modules' && name !== '.git')
    .map((name) => path.join(folder, name))
    .flatMap((file) => (attempt(() => statSync(file).isDirectory()) ? filesIn(file, depth + 1) : [file]));
}

/** Null for a missing or unreadable file, such as a broken link: the others still count. */
function attempt<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** As the system finds it: behind a link, `..` leads to the folder of its target. */
function resolveReal(folder: string, name: string): string {
  if (!/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(name)) return realPath(path.resolve(folder, name));
  const { root } = path.parse(path.resolve(folder, name));
  const start = path.isAbsolute(name) ? root : realPath(folder);
  return name
    .split(/[\\/]/)
    .reduce((at, part) => realPath(part === '..' ? path.dirname(at) : path.join(at, part)), start);
}

/** Real path of a file; if it does not exist yet, by its folder's. */
function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPath(parent), path.basename(file));
  }
}
