import { applyDirectory } from '../users/declared/apply-directory.ts';
import type { DirectoryStep } from '../users/declared/directory-step.ts';
import { stepsNow } from '../users/declared/steps-now.ts';
import { changeKind } from './change-kind.ts';

export interface DeclaredChanges {
  changes: readonly DirectoryStep[];
}

/** Everything by which the directory differs from a file, accepted at once or not at all. */
export const applyingDirectory = changeKind({
  title: 'Change people, groups and servers as declared',
  act: applyDirectory,
  facts: (directory, { changes }: DeclaredChanges): DeclaredChanges => ({ changes: stepsNow(directory, changes) }),
  changeIn: (facts) => facts,
  say: ({ changes }) =>
    `Make these ${changes.length} changes of people, groups and servers, all or none: ${count(changes)}.`,
});

function count(changes: readonly DirectoryStep[]): string {
  const kinds = [...new Set(changes.map(({ change }) => change))];
  return kinds.map((kind) => `${changes.filter(({ change }) => change === kind).length} × ${kind}`).join(', ');
}
