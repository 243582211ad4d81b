import { Problem } from '#platform/model/problem';
import { usersOf, type Ballot } from '../contract/quorum/quorum.ts';
import type { ElicitationRow } from '../../state/store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { plansAfter, resolveNow } from './next-stage.ts';
import type { Users } from '#policies/deciding/verbs/rules';

/**
 * Refuses an approval that would leave too few people for a later stage, if earlier voters may not vote again and there
 * are enough voters without this person: problem `unsatisfiable`.
 */
export async function assertNoDeadEnd(
  engine: Engine,
  users: Pick<Users, 'directory'>,
  row: ElicitationRow,
  ballot: Ballot,
  now: number,
): Promise<void> {
  const plans = plansAfter(engine, row);
  if (ballot.action !== 'accept' || !plans.some(({ separation }) => separation.earlierVoters)) return;
  const earlier = row.state.context.votes.flatMap(usersOf);
  const resolve = (voters: string[]) => resolveNow(engine, users, row, plans, voters, now);
  const resolution = await resolve([...earlier, ...usersOf(ballot)]);
  if (resolution.ok || !(await resolve(earlier)).ok) return;
  throw new Problem('unsatisfiable', {
    detail: `Leave this vote to someone else: a later stage needs yours. ${resolution.reason}`,
  });
}
