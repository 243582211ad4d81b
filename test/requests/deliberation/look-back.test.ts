import { afterAll, describe, expect, test } from '@jest/globals';
import { Insights } from '#audit/reports/contract/insights';
import { LookBackList } from '#requests/deliberation/contract/deliberation';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { json } from '../../support/json.ts';
import { setUser } from '../../support/requests/policies.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';

const policies = [
  'policy: notes\nmatch: { tool: note }\nallow: { sample: 100% }',
  'policy: lists\nmatch: { tool: list }\nallow: {}',
];

const two = await startTwoNodes();
afterAll(() => two.stop());
const [reviewer, other, approver] = [
  await openBrowser(two.nodes[0], 'reviewer'),
  await openBrowser(two.nodes[1], 'admin'),
  await openBrowser(two.nodes[0]),
];
await two.nodes[0].applyPolicies(policies);

const open = (name = 'note', parts: object = {}) =>
  two.asking.open({ tool: { name, annotations: { readOnlyHint: true } }, ...parts });
const review = (by: Browser, id: string, body: object = { shouldHaveAsked: false }) =>
  by.call('POST', `/api/elicitations/${id}/look-back/review`, body);
const problem = async (response: Response) => {
  const { code, refusal } = await json<{ code: string; refusal?: { code: string } }>(response);
  return [response.status, code, refusal?.code];
};
const listed = async (by: Browser) => LookBackList.parse(await json(by.call('GET', '/api/look-backs'))).lookBacks;

describe('what a policy allows and draws for a later look', () => {
  test('runs at once, and is listed by the commit that allowed it', async () => {
    const { id, status } = await open();
    expect(status).toBe('accepted');
    const xids = await two.query(
      `SELECT count(DISTINCT x)::int FROM (SELECT xmin::text AS x FROM elicitation WHERE id = $1
        UNION ALL SELECT xmin::text FROM look_back WHERE elicitation_id = $1
        UNION ALL SELECT xmin::text FROM audit_entry WHERE elicitation_id = $1 AND type = 'elicitation.decided') AS r`,
      [id],
    );
    expect(xids).toEqual([1]);
    expect((await entriesOf(two, id)).at(-1)).toMatchObject({ type: 'elicitation.decided', isSampled: true });
    expect(await listed(reviewer)).toContainEqual(
      expect.objectContaining({ elicitation: id, tool: 'note', policy: 'notes@1', reviewedAt: null }),
    );
  });

  test('is nothing if the policy draws none', async () => {
    const { id } = await open('list');
    expect((await listed(reviewer)).map(({ elicitation }) => elicitation)).not.toContain(id);
    await reviewer.look(id);
    expect(await problem(await review(reviewer, id))).toEqual([404, 'not-found', 'not-sampled']);
  });

  test('is judged only by who may read it, and never by an approver or the requester', async () => {
    await setUser(two.nodes[0], other, { subjects: ['asker-at-work'] });
    const { id } = await open('note', { requester: { subject: 'asker-at-work', verified: true } });
    expect(await problem(await review(reviewer, id))).toEqual([403, 'reason-needed', undefined]);
    expect(await problem(await review(approver, id))).toEqual([403, 'forbidden', 'reviewers-judge']);
    expect(await problem(await review(other, id))).toEqual([403, 'forbidden', 'own-request']);
    expect((await approver.call('GET', '/api/look-backs')).status).toBe(403);
    const shown = await reviewer.look(id);
    expect(shown.lookBack).toEqual({ at: expect.any(Number), review: null });
    const wordless = await review(reviewer, id, { shouldHaveAsked: true });
    expect(await problem(wordless)).toEqual([400, 'INVALID_INPUT', undefined]);
  });

  test('is judged once, however many try; the note is sealed, and Insights count it', async () => {
    const { id } = await open();
    const [here, there] = [reviewer, await openBrowser(two.nodes[1], 'reviewer')];
    for (const by of [here, there]) await by.look(id);
    const finding = 'Someone in finance would have said no.';
    const answers = await Promise.all(
      [here, there.at(two.nodes[1].url)].map((by) => review(by, id, { shouldHaveAsked: true, finding })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { lookBack } = await here.show(id);
    expect(lookBack?.review).toMatchObject({ shouldHaveAsked: true, finding });
    const entries = await entriesOf(two, id);
    expect(entries.filter(({ type }) => type === 'look-back.reviewed')).toMatchObject([{ shouldHaveAsked: true }]);
    expect(JSON.stringify(entries)).not.toContain('finance');
    const insights = Insights.parse(await json(here.call('GET', '/api/insights')));
    expect(insights.samples).toEqual([{ policy: 'notes', allowed: 3, drawn: 3, reviewed: 1, wrong: 1 }]);
  });

  test('leaves no way round it by a pass', async () => {
    const ask = (name: string) => ({
      tool: { name, annotations: { readOnlyHint: true } },
      requester: { subject: 'x' },
    });
    const response = await two.asking.call('POST', '/v1/passes', { passes: [ask('list'), ask('note')] });
    expect(await json(response)).toMatchObject({ passes: [{ policy: 'lists@1' }, null] });
  });
});
