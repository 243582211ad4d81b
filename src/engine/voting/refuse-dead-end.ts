import { Problem } from '../../model/problem.ts';
import { usersOf, type Ballot } from '../../model/quorum.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { plansAfter, resolveNow } from './next-stage.ts';
import type { Users } from '../rules.ts';

/**
 * Refuses an approval that would leave too few for a later stage, where voters of earlier ones may not vote again and
 * there are enough without this one: problem `unsatisfiable`. The vote is someone else's to give.
 */
export async function refuseDeadEnd(
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
  const found = await resolve([...earlier, ...usersOf(ballot)]);
  if (found.ok || !(await resolve(earlier)).ok) return;
  throw new Problem('unsatisfiable', {
    detail: `${found.reason} Your vote is needed there: leave this one to someone else.`,
  });
}
