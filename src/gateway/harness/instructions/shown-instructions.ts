import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { agentsIn, skillsIn, withParents } from '../project.ts';

/**
 * A sentence for each of these files of the project, or of a folder above it, that a link leads out of its repository: an agent shows
 * them to its model when it starts, without a call that reads them.
 */
export const linkedInstructions = (folders: readonly string[], names: readonly string[]): string[] =>
  folders.flatMap((folder) =>
    leadingOut(
      folder,
      names.map((name) => path.join(folder, name)),
    ),
  );

/** The same of what Claude Code loads by a name, of which it shows the descriptions. */
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
