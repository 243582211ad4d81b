import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { readRegular } from '../loaded-text.ts';
import type { GitFacts } from './judge-line.ts';
import { isPrivate } from './private-files.ts';

/** Settings with which git runs no program when it reads or commits, by section. Of the person's own settings all may stand. */
const harmless: Readonly<Record<string, RegExp>> = {
  core: /^(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|untrackedcache|hidedotfiles|hookspath|longpaths|quotepath)$/,
  remote: /^(?:url|fetch|pushurl|tagopt|prune|mirror|gh-resolved)$/,
  branch: /^[\w-]+$/,
  user: /^(?:name|email|signingkey)$/,
  commit: /^gpgsign$/,
  init: /^defaultbranch$/,
  pull: /^(?:rebase|ff)$/,
  push: /^(?:default|autosetupremote|followtags)$/,
  fetch: /^(?:prune|prunetags)$/,
  rebase: /^(?:autostash|autosquash)$/,
  advice: /^[\w-]+$/,
  color: /^[\w-]+$/,
  lfs: /^repositoryformatversion$/,
  extensions: /^worktreeconfig$/,
};

/** Git in a folder of the project; null if it is not the project's own repository, or git could run something there. */
export function gitAt(folder: string, project: string): GitFacts | null {
  if (!isOwnRepository(folder, project)) return null;
  const git = gitFolderOf(path.join(project, '.git'));
  if (git === null) return null;
  const common = path.resolve(git, readRegular(path.join(git, 'commondir'))?.trim() ?? '.');
  const settings = [
    path.join(common, 'config'),
    path.join(common, 'config.worktree'),
    path.join(git, 'config.worktree'),
  ];
  if (!settings.every((file) => !existsSync(file) || isHarmless(readRegular(file)))) return null;
  const hooks = hooksOf(project);
  if (hooks !== path.join(common, 'hooks') && !hooks.startsWith(`${project}${path.sep}`)) return null;
  if (namesIn(hooks).includes('post-index-change')) return null;
  const tracked = readIndex(path.join(git, 'index'));
  if (tracked === null) return null;
  return {
    isTracked: (file) => tracked.has(path.relative(project, file)),
    tracksPrivate: [...tracked].some(isPrivate),
  };
}

/** The folder of the hooks that git runs here. */
export function hooksOf(project: string): string {
  const git = gitFolderOf(path.join(project, '.git')) ?? path.join(project, '.git');
  const common = path.resolve(git, readRegular(path.join(git, 'commondir'))?.trim() ?? '.');
  const set = /^\s*hookspath\s*=\s*(\S.*?)\s*$/im.exec(readRegular(path.join(common, 'config')) ?? '')?.[1];
  return set === undefined ? path.join(common, 'hooks') : path.resolve(project, set);
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Is no other repository on the way to the root? Git takes also a folder that only looks like one. */
function isOwnRepository(folder: string, project: string): boolean {
  const looksLikeOne = existsSync(path.join(folder, 'HEAD')) && existsSync(path.join(folder, 'objects'));
  if (looksLikeOne) return false;
  if (folder === project) return true;
  if (!folder.startsWith(`${project}${path.sep}`) || existsSync(path.join(folder, '.git'))) return false;
  return isOwnRepository(path.dirname(folder), project);
}

/** The folder itself, or the one that the file of a worktree names. */
function gitFolderOf(file: string): string | null {
  try {
    if (statSync(file).isDirectory()) return file;
    const [, target] = /^gitdir: ([^\n]+)\n?$/.exec(readFileSync(file, 'utf8')) ?? [];
    return target === undefined ? null : path.resolve(path.dirname(file), target);
  } catch {
    return null;
  }
}

/** Does every line set something harmless? */
export function isHarmless(text: string | null): boolean {
  if (text === null) return false;
  let section: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:[#;].*)?$/.test(line)) continue;
    const [, name] = /^\s*\[([\w-]+)(?:\s+"(?:[^"\\]|\\.)*")?\]\s*$/.exec(line) ?? [];
    const [, key] = /^\s*([\w-]+)\s*(?:=.*)?$/.exec(line) ?? [];
    if (name !== undefined) section = name.toLowerCase();
    else if (key === undefined || section === null || line.endsWith('\\')) return false;
    else if (!Object.hasOwn(harmless, section) || harmless[section]?.test(key.toLowerCase()) !== true) return false;
  }
  return true;
}

const header = 12;
const fixed = 62;
const submodule = 0o160000;

/** Files that git tracks; none before the first `git add`, null if the index cannot be read, or another repository is in it. */
export function readIndex(file: string): Set<string> | null {
  if (!existsSync(file)) return new Set();
  try {
    const bytes = readFileSync(file);
    const version = bytes.readUInt32BE(4);
    if (bytes.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3)) return null;
    const names = new Set<string>();
    let at = header;
    for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
      if (bytes.readUInt32BE(at + 24) === submodule) return null;
      const isExtended = (bytes.readUInt16BE(at + 60) & 0x4000) !== 0;
      const start = at + fixed + (isExtended ? 2 : 0);
      const end = bytes.indexOf(0, start);
      if (end < 0) return null;
      names.add(bytes.toString('utf8', start, end));
      at += Math.ceil((end - at + 1) / 8) * 8;
    }
    return bytes.includes('link', at, 'latin1') ? null : names; // the rest of a split index is elsewhere
  } catch {
    return null;
  }
}
