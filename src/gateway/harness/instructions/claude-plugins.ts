import { existsSync } from 'node:fs';
import path from 'node:path';
import { isObject } from '../../frames/frame/frame.ts';
import { namesIn } from '../../own-files/own-files/names-in.ts';
import { parse } from '../adapters/hooks/json-hooks.ts';
import { filesIn } from '../project.ts';
import { readRegular, readSettingsFile, type SettingsFile } from '../loaded-text/read-regular.ts';

/** A plugin that Claude Code loads without a call. */
export interface ClaudePlugin {
  manifest: string;
  /** Its files of JSON: any of them may list hooks, because the manifest names them. */
  files: SettingsFile[];
}

/** Folders of skills that have a manifest are plugins, too. */
export function pluginsAmongSkills(folder: string): ClaudePlugin[] {
  const skills = path.join(folder, 'skills');
  return namesIn(skills)
    .map((name) => path.join(skills, name))
    .filter((plugin) => existsSync(manifestOf(plugin)))
    .map(readPlugin);
}

/** What a person has installed, and what any of these settings turns on. */
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

/** The files by which a plugin brings code of its own into Claude Code, which sees each event before a hook, and can answer it. */
export const withModules = (plugins: readonly ClaudePlugin[]): string[] =>
  plugins
    .flatMap(({ files }) => files)
    .filter(({ text }) => Array.isArray(parse(text)?.['modules']))
    .map(({ file }) => file);
