import type { SpaceId, UserId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import { type InCommit } from '#platform/database/database';
import { type TokenCaller } from '#people/directory/verbs/directory';
import { type PolicyEngine } from './draft.ts';
import { describePolicy } from '../deciding/rules/describe.ts';
import { lookalikeWarnings } from '../language/rules/faults.ts';
import { parsePolicy } from '../language/rules/parse.ts';
import { policySchema } from '../language/rules/schema.ts';
import type { PolicyDocument } from '../document/rules/document.ts';
import { namesSource, formatUnadopted } from '../deciding/rules/approvers.ts';
import { isAdopted, type DirectoryRecord } from '#people/directory/store/directory-record';
import { maySeeOwned, type Owned } from '#people/directory/verbs/may';
import { checkSatisfiable } from '../deciding/rules/stages.ts';
import type { Directory } from '../document/rules/directory.ts';
import { directoryOf } from '#people/directory/verbs/directory-of';

/**
 * Checks a document without storing it: its faults and their places, or what it says and whether anyone could decide
 * it.
 */
export async function checkPolicy(
  engine: Pick<PolicyEngine, 'directory' | 'environment'>,
  reader: User | TokenCaller,
  document: string,
) {
  const parsed = parsePolicy(document, { isNew: true });
  if (!parsed.ok) return { ok: false, errors: parsed.errors, name: null, terms: [], unsatisfiable: null, warnings: [] };
  const { policy } = parsed;
  const unsatisfiable = await whyUnsatisfiable(engine, reader, policy);
  const warnings = [...lookalikeWarnings(document), ...(await unadoptedIn(engine, reader, policy))];
  return { ok: true, errors: [], name: policy.policy, terms: describePolicy(policy), unsatisfiable, warnings };
}

/** Groups of a provider that it names, anywhere in its text, and that no administrator has adopted. */
async function unadoptedIn(
  { directory }: Pick<PolicyEngine, 'directory'>,
  reader: User | TokenCaller,
  policy: PolicyDocument,
): Promise<string[]> {
  const record = await directory.read();
  return record.groups
    .filter(
      (group) =>
        !isAdopted(group) &&
        maySeeOwned(record, reader, group) &&
        namesSource(policy, { kind: 'group', name: group.name }),
    )
    .map(({ name }) => formatUnadopted(name));
}

/** The JSON Schema of a document, made once. */
export const policyJsonSchema = (): Record<string, unknown> => (shape ??= policySchema());

let shape: Record<string, unknown> | undefined;

type SatisfiableEngine = Pick<PolicyEngine, 'directory' | 'environment'>;

/** Why the current people could never satisfy this policy; null if they can. What the reader does not see is absent. */
async function whyUnsatisfiable(
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
  /** Space of the policies, which name nothing of other spaces. Null is global. */
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
    // An epoch has one record, and judging again takes time while others wait.
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
