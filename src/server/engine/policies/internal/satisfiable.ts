import type { SpaceId, UserId } from '#protocol/model/id';
import { Problem } from '#protocol/model/problem';
import type { User } from '#protocol/model/user';
import type { PolicyDocument } from '#core/policy/terms/policy-document';
import { checkSatisfiable } from '#core/policy/stages/check-satisfiable';
import type { InCommit } from '../../../store/database/in-commit.ts';
import type { DirectoryRecord } from '../../../store/users/directory-record.ts';
import { maySeeOwned, type Owned } from '../../assert-may.ts';
import type { TokenCaller } from '../../users/change-directory.ts';
import type { PolicyEngine } from '../change-policy.ts';
import type { Directory } from '#core/policy/terms/directory';
import { directoryOf } from '../../directory-of.ts';

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
