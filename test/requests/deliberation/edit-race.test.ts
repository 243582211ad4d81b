import { afterAll, expect, test } from '@jest/globals';
import { applyPolicies } from '#policies/verbs/apply';
import { castVote } from '#requests/voting/verbs';
import { editElicitation } from '#requests/deliberation/verbs/edit';
import type { ElicitationId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import { openBrowser } from '../../support/nodes/console.ts';
import { runs } from '../../support/runs.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const voters: User[] = [];
for (let at = 0; at < 4; at += 1) voters.push((await openBrowser(two.nodes[at % 2 ? 1 : 0])).user);
await applyPolicies(two.nodes[0].engine, [
  `policy: raced
match: { tool: raced }
require:
  editable: { amount: { type: integer } }
  stages: [{ name: One, approve: 2, deny: 9, approvers: anyone }]`,
]);

const node = (at: number) => two.nodes[at % 2 ? 1 : 0].engine;
/** At once; a Problem is an answer, everything else is a fault. */
const settle = (acts: Promise<unknown>[]) =>
  Promise.all(
    acts.map((act) =>
      act.then(
        () => 'done',
        (error: unknown) => {
          if (error instanceof Problem) return error.code;
          throw error;
        },
      ),
    ),
  );

/** Three votes and an edit of one request at once; tells what each got. */
async function race(round: number): Promise<string> {
  const { id, digest } = await two.asking.open({ tool: { name: 'raced' }, arguments: { amount: 0 } });
  const [first, other, third, editor] = voters as [User, User, User, User];
  const vote = (user: User, at: number) =>
    castVote(node(at), user, id as ElicitationId, { action: 'accept', digest, content: {} });
  const edit = editElicitation(node(round), editor, id as ElicitationId, { digest, arguments: { amount: 7 } });
  const answers = await settle([vote(first, round), edit, vote(other, round + 1), vote(third, round)]);
  const row = await node(0).reader.elicitation(id as ElicitationId);
  const votes = await node(0).reader.votes(id as ElicitationId);
  const standing = row?.state.context.votes ?? [];
  if (row?.revision === 2) {
    expect([row.status, standing, answers[1]]).toEqual(['open', [], 'done']);
    expect(row.digest).not.toBe(digest);
    expect(votes.every(({ revision }) => revision === 1)).toBe(true);
  } else {
    expect([row?.status, row?.digest, standing.length, answers[1]]).toEqual(['accepted', digest, 2, 'already-closed']);
  }
  const existings = ['done', 'digest-mismatch', 'already-closed'];
  expect(answers.filter((answer) => !existings.includes(answer))).toEqual([]);
  return answers.join(' ');
}

test('P21 of many edits and votes that race at two nodes no vote survives a revision it did not see', async () => {
  const visited = new Set<string>();
  for (let round = 0; round < runs(250); round += 10) {
    const together = Array.from({ length: 10 }, (_, at) => race(round + at));
    for (const answers of await Promise.all(together)) visited.add(answers);
  }
  const bound = await two.query(
    `SELECT count(*)::int FROM vote v JOIN elicitation e ON e.id = v.elicitation_id
      WHERE e.tool = 'raced' AND v.digest <> coalesce((SELECT r.digest FROM revision r
        WHERE r.elicitation_id = e.id AND r.revision = v.revision), e.digest)`,
  );
  expect(bound).toEqual([0]);
  expect(visited.size).toBeGreaterThan(1);
});
