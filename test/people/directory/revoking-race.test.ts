import { afterAll, expect, test } from '@jest/globals';
import { setOwner } from '#people/groups/verbs';
import { addSpace, moveToSpace, setSpaceRole } from '#people/spaces/verbs';
import { changeUser } from '#people/users/verbs';
import { createServerKey, revokeKey } from '#access/keys/verbs/keys';
import { addWorkload, newWorkload, removeWorkload } from '#access/workloads/verbs';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { raceInDirectory } from '../../support/nodes/race-in-directory.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';

const issuer = 'http://127.0.0.1:9';

const two = await startTwoNodes({ workloadIssuers: [{ issuer, longestLife: 3_600 }] });
afterAll(() => two.stop());
const admin = await openBrowser(two.nodes[0], 'admin');

test('someone whose role in the space ends revokes no key and removes no workload', async () => {
  const [first, other] = two.nodes;
  const { kid } = await createServerKey(first.engine, 'payments');
  const server = (await first.engine.directory.read()).servers.find(({ name }) => name === 'payments')!.id;
  const terms = { issuer, audience: 'assentry', subject: 'repo:acme/payments', claims: {} };
  const { kid: workload } = await addWorkload(first.engine, 'operator', newWorkload(server, terms));
  const space = await addSpace(first.engine, 'operator', 'Payments');
  await moveToSpace(first.engine, 'operator', { space, server });
  const left = async () => [
    ...(await two.query('SELECT revoked_at IS NULL FROM api_key WHERE kid = $1', [kid])),
    ...(await two.query('SELECT removed_at IS NULL FROM workload WHERE kid = $1', [workload])),
  ];
  for (const attempt of [
    ({ user }: Browser) => revokeKey(first.engine, user, kid),
    ({ user }: Browser) => removeWorkload(first.engine, user, workload),
  ]) {
    const operator = await openBrowser(first);
    const setRole = (role: 'operator' | null) =>
      setSpaceRole(other.engine, 'operator', { space, user: operator.user.id, role });
    await setRole('operator');
    expect(
      await raceInDirectory(
        two,
        () => setRole(null),
        () => attempt(operator),
      ),
    ).toEqual(['done', 'operators-only']);
    const global = await openBrowser(first, 'operator');
    const demote = () => changeUser(other.engine, 'operator', global.user.id, { role: 'reviewer' });
    expect(await raceInDirectory(two, demote, () => attempt(global))).toEqual(['done', 'operators-only']);
  }
  const owner = await openBrowser(first);
  await setOwner(first.engine, 'operator', server, owner.user.id);
  const disown = () => setOwner(other.engine, 'operator', server, null);
  expect(await raceInDirectory(two, disown, () => revokeKey(first.engine, owner.user, kid))).toEqual([
    'done',
    'operators-only',
  ]);
  expect(await left()).toEqual([true, true]);
  await setOwner(first.engine, 'operator', server, owner.user.id);
  await revokeKey(first.engine, owner.user, kid);
  await removeWorkload(first.engine, admin.user, workload);
  expect(await left()).toEqual([false, false]);
});
