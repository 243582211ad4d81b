import { applyDirectory } from '../../../declared/verbs/apply/apply-directory.ts';
import type { DirectoryStep } from '../../../declared/verbs/plan/directory-step.ts';
import { refreshSteps } from '../../../declared/verbs/apply/refresh-steps.ts';
import type { DirectoryRecord } from '../../../directory/store/directory-record/directory-record.ts';
import { changeKind } from './change-kind.ts';

interface DeclaredChanges {
  changes: readonly DirectoryStep[];
}

interface DeclaredFacts extends DeclaredChanges {
  /** What the roles permit that people get, of those that the installation has made. */
  roles?: { name: string; permissions: readonly string[] }[];
}

/** Everything by which the directory differs from a file, accepted at once or not at all. */
export const applyingDirectory = changeKind({
  title: 'Change people, groups and servers as declared',
  act: applyDirectory,
  facts: (directory, { changes }: DeclaredChanges): DeclaredFacts => ({
    changes: refreshSteps(directory, changes),
    ...rolesIn(directory, changes),
  }),
  changeIn: ({ changes }) => ({ changes }),
  say: ({ changes }) =>
    `Make these ${changes.length} changes of people, groups and servers, all or none: ${count(changes)}.`,
});

function rolesIn({ roles }: DirectoryRecord, changes: readonly DirectoryStep[]): Pick<DeclaredFacts, 'roles'> {
  const names = new Set(
    changes.map((step) => {
      if (step.change === 'add-person') return step.role;
      return step.change === 'change-person' ? step.to.role : undefined;
    }),
  );
  const permitted = roles.filter(({ name }) => names.has(name)).map(({ name, permissions }) => ({ name, permissions }));
  return permitted.length > 0 ? { roles: permitted } : {};
}

function count(changes: readonly DirectoryStep[]): string {
  const kinds = [...new Set(changes.map(({ change }) => change))];
  return kinds.map((kind) => `${changes.filter(({ change }) => change === kind).length} × ${kind}`).join(', ');
}
