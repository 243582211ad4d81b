import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isObject } from '../frames/frame.ts';
import { namesIn } from '../own-files/own-files.ts';
import { parse } from './adapters/hooks.ts';
import { filesIn, agentsIn, skillsIn, withParents } from './project.ts';
import { readRegular, readSettingsFile, type SettingsFile } from './loaded-text.ts';

/** A plugin that Claude Code loads without a call. */
export interface ClaudePlugin {
  manifest: string;
  /** JSON files of the plugin: any of them may list hooks, because the manifest names them. */
  files: SettingsFile[];
}

/** Plugins among the folders of skills: those with a manifest. */
export function pluginsAmongSkills(folder: string): ClaudePlugin[] {
  const skills = path.join(folder, 'skills');
  return namesIn(skills)
    .map((name) => path.join(skills, name))
    .filter((plugin) => existsSync(manifestOf(plugin)))
    .map(readPlugin);
}

/** Plugins that a person has installed or any of these settings turns on. */
export function installedPlugins(folder: string, settings: readonly SettingsFile[]): ClaudePlugin[] {
  const listed = parse(readRegular(path.join(folder, 'plugins', 'installed_plugins.json')))?.['plugins'];
  const isOn = (id: string): boolean =>
    settings.some(({ text }) => {
      const enabled = parse(text)?.['enabledPlugins'];
      return isObject(enabled) && enabled[id] === true;
    });
  const places = Object.entries(isObject(listed) ? listed : {})
    .filter(([id]) => isOn(id))
    .flatMap(([, copies]) => copies)
    .flatMap((copy) => (isObject(copy) && typeof copy['installPath'] === 'string' ? [copy['installPath']] : []));
  return [...new Set(places)].map(readPlugin);
}

const manifestOf = (plugin: string): string => path.join(plugin, '.claude-plugin', 'plugin.json');

const readPlugin = (plugin: string): ClaudePlugin => ({
  manifest: manifestOf(plugin),
  files: filesIn(plugin)
    .filter((file) => file.endsWith('.json'))
    .map(readSettingsFile),
});

/** Plugin files that bring code into Claude Code; such code sees each event before a hook, and can answer it. */
export const withModules = (plugins: readonly ClaudePlugin[]): string[] =>
  plugins
    .flatMap(({ files }) => files)
    .filter(({ text }) => Array.isArray(parse(text)?.['modules']))
    .map(({ file }) => file);

/**
 * A sentence for each of these files of the project, or of a folder above it, that links out of its repository: an agent shows
 * them to its model at start, without a call that reads them.
 */
export const linkedInstructions = (folders: readonly string[], names: readonly string[]): string[] =>
  folders.flatMap((folder) =>
    leadingOut(
      folder,
      names.map((name) => path.join(folder, name)),
    ),
  );

/** Checks the same for skills and other named texts of Claude Code, whose descriptions it shows. */
export const linkedSkills = (folders: readonly string[]): string[] =>
  folders.flatMap((folder) => {
    const own = [path.join(folder, '.claude')];
    return leadingOut(
      folder,
      [...skillsIn(own), ...agentsIn(own)].map(({ file }) => file),
    );
  });

function leadingOut(folder: string, files: string[]): string[] {
  const root = withParents(folder).find((at) => existsSync(path.join(at, '.git'))) ?? folder;
  const inside = `${realpathSync.native(root)}${path.sep}`;
  return files
    .filter((file) => existsSync(file))
    .map((file) => ({ file, real: realpathSync.native(file) }))
    .filter(({ real }) => !real.startsWith(inside))
    .map(({ file, real }) => `${file} leads to ${real} by a link, and the model is shown it without a call: read it.`);
}

/** Variables of the environment that lead a program to another Assentry, or make it run foreign code. */
export const leading =
  /^(?:ASSENTRY_|NODE_|LD_|DYLD_|XDG_|OPENSSL_|SSL_|BASH_|CLAUDE_|OPENCODE_|GIT_)|^(?:ENV|PATH|HOME|SHELL)$|_PROXY$/i;
