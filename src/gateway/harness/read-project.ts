import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ProjectFacts } from './call-hints.ts';
import type { HookEvent } from './adapters/hook-event.ts';

export interface ProjectPlace {
  home: string;
  /** The project as the agent says it; else where the call runs. */
  project: string | undefined;
  variables: NodeJS.ProcessEnv;
}

/** What there is to know of the project in which this call runs. */
export function readProject(
  { cwd }: Pick<HookEvent, 'cwd'>,
  { home, project = cwd, variables }: ProjectPlace,
): ProjectFacts {
  const [root, own] = [realPath(project), realPath(home)];
  const isOwnFolder = root !== path.parse(root).root && root !== own && !own.startsWith(`${root}${path.sep}`);
  const expanded = (file: string): string => file.replace(/^~(?=$|[\\/])/, home);
  return {
    project: isOwnFolder ? root : null,
    variables,
    realPath: (file) => realPath(path.resolve(cwd, expanded(file))),
    skillText: (name) => textOf(skillFilesIn([root, cwd, home]).find((file) => isNamed(file, name))),
  };
}

/** The files that a person or a model can load by name into Claude Code: skills and commands, of plugins as well. */
export const skillFilesIn = (folders: readonly string[]): string[] =>
  [...new Set(folders)]
    .flatMap((folder) => ['skills', 'commands', 'plugins'].map((name) => path.join(folder, '.claude', name)))
    .flatMap((folder) => filesIn(folder))
    .filter((file) => file.endsWith('.md') && (/[\\/]commands[\\/]/.test(file) || path.basename(file) === 'SKILL.md'));

/** `plugin:name` is found by its name. */
function isNamed(file: string, name: string): boolean {
  const own = path.basename(file) === 'SKILL.md' ? path.basename(path.dirname(file)) : path.basename(file, '.md');
  return own === name.split(':').at(-1)?.replace(/^\//, '');
}

/** Folders that large plugins have are gone through so deep, at most. */
const deepest = 8;

function filesIn(folder: string, depth = 0): string[] {
  if (depth > deepest) return [];
  try {
    return readdirSync(folder).flatMap((name) => {
      const file = path.join(folder, name);
      return name === 'node_modules' || name === '.git'
        ? []
        : statSync(file).isDirectory()
          ? filesIn(file, depth + 1)
          : [file];
    });
  } catch {
    return [];
  }
}

function textOf(file: string | undefined): string | null {
  try {
    return file === undefined ? null : readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Of what is not there yet, its folder's. */
function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPath(parent), path.basename(file));
  }
}
