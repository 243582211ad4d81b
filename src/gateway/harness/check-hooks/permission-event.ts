import { isObject } from '../../frames/frame/frame.ts';
import { groupsIn, isOwn, parse } from '../adapters/hooks/json-hooks.ts';
import type { SettingsFile } from '../loaded-text/read-regular.ts';

/** Does the hook of Assentry judge only what the agent would ask its person about? */
const isAskedFor = (files: SettingsFile[]): boolean =>
  files.some(({ text }) => (groupsIn(text, ['PermissionRequest']) ?? []).some(({ value }) => isOwn(value)));

/** A sentence for each of the project's settings by which such a hook judges less. */
export const passedByPermissions = (all: SettingsFile[], project: SettingsFile[]): string[] =>
  (isAskedFor(all) ? project.filter(letsRun) : []).map(
    ({ file }) =>
      `${file} lets calls run unasked, by permissions, which a hook of PermissionRequest does not judge: read it.`,
  );

function letsRun({ text }: SettingsFile): boolean {
  const permissions = parse(text)?.['permissions'];
  return isObject(permissions) && ['allow', 'defaultMode', 'additionalDirectories'].some((name) => name in permissions);
}

/** Settings with another hook of `PermissionRequest`, if the one of Assentry waits for that event. */
export function answersFirst(files: SettingsFile[]): string[] {
  return isAskedFor(files)
    ? files.filter(({ text }) => hasOtherHook(text, ['PermissionRequest'])).map(({ file }) => file)
    : [];
}

export const hasOtherHook = (text: string | null, events: readonly string[]): boolean =>
  (groupsIn(text, events) ?? []).some(({ value }) => !isOwn(value));
