import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { definingFiles } from '../../known-tools/project-commands.ts';
import type { Variables } from '../../own-files/shell-words.ts';
import { readRegular } from '../loaded-text.ts';
import { gitAt, hooksOf } from './git-facts.ts';
import type { ShellFacts } from './judge-line.ts';
import { isPrivateName } from './private-files.ts';

interface ShellPlace {
  /** The real root of the project. */
  project: string;
  cwd: string;
  variables: Variables;
  /** Real target of a path in a folder, as a program finds it: behind a link, `..` leads to the folder of its target. */
  resolve(folder: string, name: string): string;
}

/** Variables by which reading programs or shells run something, or read elsewhere. */
const leading =
  /^(?:GIT_(?:EXTERNAL_DIFF|CONFIG\w*|DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE\w*|EXEC_PATH|SSH\w*|PROXY\w*|ATTR\w*|TRACE\w*)|RIPGREP_CONFIG_PATH|GREP_OPTIONS|BASH_ENV|ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|LD_\w+|DYLD_\w+|CDPATH|GLOBIGNORE)$/;

/** Facts of a project on this machine. */
export function shellFactsOf({ project, cwd, variables, resolve }: ShellPlace): ShellFacts {
  const isLed =
    readRegular(path.join(project, '.tool-versions'))?.includes('path:') === true || // its programs are the project's own
    Object.entries(variables).some(([name, value]) => leading.test(name) && value !== undefined && value !== '');
  const ownFolders = (variables['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => resolve(cwd, folder))
    .filter((folder) => isWithin(folder, project));
  return {
    project,
    resolve,
    matches: (folder, pattern) => namesLike(folder, pattern),
    kindOf,
    holdsPrivate: (folder, without = /^$/, followsLinks = true) =>
      holdsPrivate(folder, { project, without, followsLinks, left: { entries: maxEntries } }),
    git: (folder) => gitAt(folder, project),
    isReplaced: (program) => isLed || ownFolders.some((folder) => kindOf(path.join(folder, program)) !== 'none'),
    hasOwn: (program) => kindOf(path.join(project, 'node_modules', '.bin', program)) === 'file',
  };
}

const isWithin = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}${path.sep}`);

function kindOf(file: string): 'folder' | 'file' | 'none' {
  try {
    return statSync(file).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    // What cannot be looked at may be there.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'none' : 'file';
  }
}

const entriesIn = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
};

const maxNames = 1_000;

/** Names that a shell puts in place of a pattern of `*` and `?`, private ones also if they begin with a dot; null for other patterns, and for too many names. */
function namesLike(folder: string, pattern: string): string[] | null {
  if (/[[\]~\\]|\*\*|^\/|(?:^|\/)\.\.(?:\/|$)/.test(pattern)) return null;
  let names = [''];
  for (const [at, part] of pattern.split('/').entries()) {
    const isPlain = !/[*?]/.test(part);
    const form = new RegExp(
      `^${part
        .replaceAll(/[.+^${}()|]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.')}$`,
      's',
    );
    names = names.flatMap((start) => {
      const join = (name: string): string => (at === 0 ? name : `${start}/${name}`);
      if (isPlain) return [join(part)];
      return entriesIn(path.resolve(folder, start))
        .map(({ name }) => name)
        .filter((name) => form.test(name) && (part.startsWith('.') || !name.startsWith('.') || isPrivateName(name)))
        .map(join);
    });
    if (names.length > maxNames) return null;
  }
  return names.filter((name) => kindOf(path.resolve(folder, name)) !== 'none');
}

const maxEntries = 20_000;

/** True also if there is more than can be looked at. Packages hold no secrets of this project. */
function holdsPrivate(
  folder: string,
  search: { project: string; without: RegExp; followsLinks: boolean; left: { entries: number } },
): boolean {
  const { project, without, followsLinks, left } = search;
  return entriesIn(folder).some((entry) => {
    if (without.test(entry.name) || entry.name === 'node_modules') return false;
    left.entries -= 1;
    if (left.entries < 0 || isPrivateName(entry.name)) return true;
    const file = path.join(folder, entry.name);
    if (entry.isSymbolicLink()) return followsLinks && leadsOut(file, project);
    return entry.isDirectory() && holdsPrivate(file, search);
  });
}

function leadsOut(file: string, project: string): boolean {
  try {
    return !isWithin(realpathSync.native(file), project);
  } catch {
    return false;
  }
}

/** Changes when the project moves, or what its commands run is defined otherwise: its files, and the hooks of git. */
export function digestOf(project: string): string {
  const files = [
    ...definingFiles.map((file) => path.join(project, file)),
    ...[hooksOf(project), path.join(project, '.husky')].flatMap((hooks) =>
      entriesIn(hooks)
        .map(({ name }) => path.join(hooks, name))
        .filter((file) => !file.endsWith('.sample'))
        .toSorted(),
    ),
  ];
  const contents = files.map((file) => [file, kindOf(file) === 'none' ? null : (readRegular(file) ?? readFacts(file))]);
  return createHash('sha256')
    .update(JSON.stringify([project, contents]))
    .digest('hex')
    .slice(0, 32);
}

const readFacts = (file: string): string => {
  try {
    return readFileSync(file, 'base64');
  } catch {
    return 'unreadable';
  }
};
