import { afterAll, afterEach, expect, test } from '@jest/globals';
import { applyPolicies } from '#policies/verbs/apply';
import { openBrowser } from '../../support/nodes/console.ts';
import { json } from '../../support/json.ts';
import { createMeanwhile } from '../../support/nodes/meanwhile.ts';
import { runs } from '../../support/runs.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const pause = createMeanwhile(two);
const approver = await openBrowser(two.nodes[0]);
afterEach(() => pause.end());

const words = {
  require: 'require: { stages: [{ name: One, approvers: anyone }] }',
  deny: 'deny: { reason: Not today. }',
};

/** At the other node, over its own connection. */
async function publish(tool: string, rule: keyof typeof words): Promise<string> {
  const document = `policy: race\nmatch: { tool: ${tool} }\n${words[rule]}\n`;
  const [applied] = await applyPolicies(two.nodes[1].engine, [document]);
  return `race@${applied?.version}`;
}

const stored = (id: string): Promise<unknown[]> =>
  two.query('SELECT policy, status FROM elicitation WHERE tool_call_id = (SELECT tool_call_id FROM elicitation WHERE id = $1)', [id]); // prettier-ignore

test('an opening is decided by the policy that is in force when it is stored, not by the one it was judged by', async () => {
  const outcomes = { require: 'open', deny: 'declined' } as const;
  await publish('pay', 'deny');
  for (let round = 0; round < runs(200); round += 1) {
    const rule = round % 2 ? 'deny' : 'require';
    let policy = '';
    pause.next(async () => (policy = await publish('pay', rule)));
    const { id, status } = await two.asking.open({ tool: { name: 'pay' } });
    expect([status, ...(await stored(id))]).toEqual([outcomes[rule], policy, outcomes[rule]]);
  }
});

test('an approval is not stored if a policy denies the request between reading and writing', async () => {
  for (let round = 0; round < runs(200); round += 1) {
    await publish('wire', 'require');
    const opened = await two.asking.open({ tool: { name: 'wire' } });
    pause.next(() => publish('wire', 'deny'));
    const refused = await json<{ code: string }>(approver.vote(opened));
    const votes = await two.query('SELECT count(*)::int FROM vote WHERE elicitation_id = $1', [opened.id]);
    expect([refused.code, ...(await stored(opened.id)).slice(1), ...votes]).toEqual(['policy-denied', 'open', 0]);
  }
});
