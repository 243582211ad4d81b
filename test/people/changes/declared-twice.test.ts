import { afterAll, expect, test } from '@jest/globals';
import { applyDirectory } from '#people/declared/verbs/apply';
import type { DirectoryStep } from '#people/declared/contract';
import { planDirectory } from '#people/declared/verbs/plan';
import { raceInDirectory } from '../../support/nodes/race-in-directory.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());

const person = { email: 'grace@example.com', name: 'Grace Hopper', role: 'approver' } as const;
const files = {
  'a group': { groups: [{ name: 'navy', description: 'Ships' }] },
  'a role': { roles: [{ name: 'clerk', permissions: ['decide'] }] },
  'a person': { people: [person] },
  'a server': { servers: [{ name: 'ledger' }] },
};

test.each(Object.entries(files))(
  'of one file with %s, applied at two nodes at once, one is refused',
  async (_, file) => {
    const [{ engine: first }, { engine: second }] = two.nodes;
    const planAt = async ({ directory }: typeof first): Promise<DirectoryStep[]> =>
      planDirectory(await directory.read(), file, {});
    const [changes, same] = [await planAt(first), await planAt(second)];
    expect([changes.length, same]).toEqual([1, changes]);
    const race = raceInDirectory(
      two,
      () => applyDirectory(first, 'operator', { changes }),
      () => applyDirectory(second, 'operator', { changes: same }),
    );
    expect(await race).toEqual(['done', expect.stringMatching(/-exists$/)]);
    expect(await planAt(second)).toEqual([]);
  },
);
