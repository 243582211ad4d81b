import { afterAll, expect, test } from '@jest/globals';
import type { GroupId } from '#platform/model/id';
import { applyPolicies } from '#policies/verbs/apply';
import { saveDraft } from '#policies/verbs/draft';
import { publishVersion, reviewVersion, submitVersion } from '#policies/verbs/review';
import { addGroup, changeGroup, changeMembers, deleteGroup } from '#people/groups/verbs';
import { addSpace, moveToSpace } from '#people/spaces/verbs';
import { addRole, removeRole } from '#people/roles/verbs';
import { applyDirectory } from '#people/declared/verbs/apply';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { raceInDirectory } from '../../support/nodes/race-in-directory.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';

let [author, admin] = [] as unknown as Browser[] as [Browser, Browser];
const two = await startTwoNodes();
afterAll(() => two.stop());
[author, admin] = [await openBrowser(two.nodes[0], 'policy-author'), await openBrowser(two.nodes[0], 'admin')];

let count = 0;
interface Named {
  /** As a policy asks it. */
  approvers: string;
  remove(): Promise<unknown>;
}

const newName = (): string => `name-${(count += 1)}`;

async function newGroup(): Promise<{ id: GroupId; name: string }> {
  const { engine } = two.nodes[0];
  const name = newName();
  const id = await addGroup(engine, 'operator', { name });
  await changeMembers(engine, 'operator', id, { add: [admin.user.id] });
  return { id, name };
}

const kinds: Record<string, () => Promise<Named>> = {
  'a group that is deleted': async () => {
    const { id, name } = await newGroup();
    return { approvers: `{ group: ${name} }`, remove: () => deleteGroup(two.nodes[0].engine, admin.user, id) };
  },
  'a group that gets another name': async () => {
    const { id, name } = await newGroup();
    const remove = () => changeGroup(two.nodes[0].engine, admin.user, id, { name: newName() });
    return { approvers: `{ group: ${name} }`, remove };
  },
  'a group that a file no longer declares': async () => {
    const { name } = await newGroup();
    const changes = [{ change: 'delete-group', group: name }] as const;
    return {
      approvers: `{ group: ${name} }`,
      remove: () => applyDirectory(two.nodes[0].engine, 'operator', { changes }),
    };
  },
  'a role that is removed': async () => {
    const name = newName();
    const id = await addRole(two.nodes[0].engine, 'operator', { name, permissions: ['decide'] });
    return {
      approvers: `[{ role: ${name} }, { user: ${admin.user.email} }]`,
      remove: () => removeRole(two.nodes[0].engine, admin.user, id),
    };
  },
};

const documentOf = (policy: string, approvers: string) =>
  `policy: ${policy}\nmatch: { tool: ${policy} }\nrequire: { stages: [{ name: One, approvers: ${approvers} }] }\n`;

const publishing: Record<string, (policy: string, approvers: string) => Promise<() => Promise<unknown>>> = {
  'from a file': async (policy, approvers) => {
    return () => applyPolicies(two.nodes[1].engine, [documentOf(policy, approvers)]);
  },
  'after a review': async (policy, approvers) => {
    const { engine } = two.nodes[1];
    const place = await saveDraft(engine, author.user, { document: documentOf(policy, approvers) });
    await submitVersion(engine, author.user, place);
    const { versions } = (await engine.policies.find(policy))!;
    await reviewVersion(engine, admin.user, place, { verdict: 'approve', digest: versions[0]!.digest });
    const publication = { ...place, digest: versions[0]!.digest, published: null };
    return () => publishVersion(engine, admin.user, publication);
  },
};

const cases = Object.keys(kinds).flatMap((kind) => Object.keys(publishing).map((how) => [kind, how] as const));

test.each(cases)('%s and a policy that names it, published %s: one of the two is refused', async (kind, how) => {
  for (const isFirst of [true, false]) {
    const { approvers, remove } = await kinds[kind]!();
    const policy = newName();
    const publish = await publishing[how]!(policy, approvers);
    const outcomes = isFirst
      ? await raceInDirectory(two, publish, remove)
      : await raceInDirectory(two, remove, publish);
    expect(outcomes).toEqual(['done', isFirst ? expect.stringMatching(/^(group|role)-in-policy$/) : 'unsatisfiable']);
    const { published } = await two.nodes[0].engine.rules.current();
    expect(published.some(({ document }) => document.policy === policy)).toBe(isFirst);
  }
});

test('a group is not moved into a space while a policy outside of it is published that names it', async () => {
  const { engine } = two.nodes[0];
  const { id: group, name } = await newGroup();
  const space = await addSpace(engine, 'operator', newName());
  const policy = documentOf(newName(), `{ group: ${name} }`);
  const publish = () => applyPolicies(two.nodes[1].engine, [policy]);
  expect(await raceInDirectory(two, publish, () => moveToSpace(engine, 'operator', { space, group }))).toEqual([
    'done',
    'group-in-policy',
  ]);
});

test('a group that is renamed between two looks is not deleted for a name that no one judged', async () => {
  const { engine } = two.nodes[0];
  const { id } = await newGroup();
  const rename = () => changeGroup(two.nodes[1].engine, 'operator', id, { name: newName() });
  expect(await raceInDirectory(two, rename, () => deleteGroup(engine, 'operator', id))).toEqual([
    'done',
    'change-outdated',
  ]);
});
