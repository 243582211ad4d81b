import type { SpaceId, UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { User } from '#people/directory/contract/user';
import type { PolicyDocument } from '../../document/rules/document/policy-document.ts';
import { checkSatisfiable } from '../../deciding/rules/stages/check-satisfiable.ts';
import type { InCommit } from '#platform/database/database';
import type { DirectoryRecord } from '#people/directory/store/directory-record';
import { maySeeOwned, type Owned } from '../../deciding/verbs/rules/assert-may.ts';
import type { TokenCaller } from '#people/directory/verbs/directory';
import type { PolicyEngine } from '../draft/change-policy.ts';
import type { Directory } from '../../document/rules/directory/directory.ts';
import { directoryOf } from '#people/directory/verbs/directory-of';

type SatisfiableEngine = Pick<PolicyEngine, 'directory' | 'environment'>;

/** Why the current people could never satisfy this policy; null if they can. What the reader does not see is absent. */
export async function whyUnsatisfiable(
  { directory, environment }: SatisfiableEngine,
  reader: User | TokenCaller,
  policy: PolicyDocument,
): Promise<string | null> {
  const record = await directory.read();
  const visible = among(record, (item) => maySeeOwned(record, reader, item));
  const result = checkSatisfiable(policy, directoryOf(visible, environment));
  return result.ok ? null : result.reason;
}

/** The groups and servers that are meant, with all people. */
const among = (record: DirectoryRecord, isMeant: (item: Owned) => boolean): DirectoryRecord => ({
  ...record,
  groups: record.groups.filter(isMeant),
  servers: record.servers.filter(isMeant),
});

interface Publishing {
  author?: UserId | null;
  /** Where the policies are: of other spaces they name nothing. Null is global. */
  space: SpaceId | null;
}

/**
 * Problem `unsatisfiable`, with why, for each of these policies that no one could complete; what it returns refuses them in their
 * commit, if people, groups or roles have changed meanwhile.
 */
export async function assertSatisfiableNow(
  { directory, environment }: SatisfiableEngine,
  policies: PolicyDocument[],
  publishing: Publishing,
): Promise<InCommit> {
  const judged = await directory.read();
  const assertIn = (record: DirectoryRecord): void =>
    assertSatisfiableIn(directoryFor(record, publishing, environment), policies, publishing);
  assertIn(judged);
  return directory.guard((current) => {
    // Of an epoch there is one record, and judging again takes time while others wait.
    if (current !== judged) assertIn(current);
  });
}

function directoryFor(record: DirectoryRecord, { space }: Publishing, environment: string): Directory {
  const isMeant = ({ spaceId }: Owned): boolean => spaceId === null || spaceId === space;
  return directoryOf(space === null ? record : among(record, isMeant), environment);
}

function assertSatisfiableIn(users: Directory, policies: PolicyDocument[], { author = null }: Publishing): void {
  const faults = policies.flatMap((policy) => {
    const result = checkSatisfiable(policy, users, author);
    return result.ok ? [] : [{ path: [policy.policy], message: result.reason }];
  });
  const [fault, ...others] = faults;
  if (!fault) return;
  if (others.length === 0) throw new Problem('unsatisfiable', { detail: `${fault.path[0]}: ${fault.message}` });
  throw new Problem('unsatisfiable', { detail: 'Correct these policies; nothing was published.', errors: faults });
}
