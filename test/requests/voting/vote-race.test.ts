import { afterAll, expect, test } from '@jest/globals';
import { takeDueTimers } from '#requests/state/verbs/end';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { runs } from '../../support/runs.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

let clock = 1_800_000_000_000;
const two = await startTwoNodes({ now: () => clock });
afterAll(() => two.stop());

const node = (at: number) => two.nodes[at % 2 ? 1 : 0];

test('of fifty persons who vote at once at two nodes one decides, and the others learn who', async () => {
  const { id, digest } = await two.asking.open();
  const browsers: Browser[] = [];
  for (let at = 0; at < 50; at += 1) browsers.push(await openBrowser(node(at)));
  const answers = await Promise.all(
    browsers.map(async (browser, at) => {
      const response = await browser.vote(
        { id, digest },
        { action: at % 3 ? 'accept' : 'decline', comment: 'because' },
      );
      return { browser, status: response.status, body: await json<Partial<ProblemDocument>>(response) };
    }),
  );
  const [winner, ...more] = answers.filter(({ status }) => status === 200);
  expect(more).toEqual([]);
  const outcome: unknown = winner?.body.status;
  const verb = outcome === 'accepted' ? 'approved' : 'declined';
  const detail = `${winner?.browser.user.name} ${verb} this request before you.`;
  const losers = answers.filter((answer) => answer !== winner);
  expect(losers).toHaveLength(49);
  for (const { status, body } of losers)
    expect([status, body.code, body.detail]).toEqual([409, 'already-closed', detail]);
  const again = await json<ProblemDocument>(winner!.browser.vote({ id, digest }));
  expect(again.detail).toBe(`You already ${verb} this request.`);

  const row = await two.query('SELECT status, version FROM elicitation WHERE id = $1', [id]);
  expect(row).toEqual([outcome, 1]);
  const votes = await two.query('SELECT user_id FROM vote WHERE elicitation_id = $1', [id]);
  expect(votes).toEqual([winner?.browser.user.id]);
  const entries = await entriesOf(two, id);
  expect(entries.map(({ type }) => type)).toEqual(['elicitation.opened', 'elicitation.voted']);
  expect(entries[1]).toMatchObject({ actor: { kind: 'user', id: winner?.browser.user.id }, to: outcome });
});

test('a vote that races its deadline has one outcome, the same in the row, the log and the answer', async () => {
  const browser = await openBrowser(node(0));
  const voters = [browser, browser.at(node(1).url)] as const;
  const outcomes = new Set<unknown>();
  for (let round = 0; round < Math.max(20, runs(60)); round += 1) {
    clock += 10_000;
    const { id, digest } = await two.asking.at(node(round).url).open({ ttl: 1000 });
    clock += 999;
    const voting = voters[round % 2 ? 1 : 0].vote({ id, digest });
    // From a deadline that has passed before the vote arrives to one that passes when it has been counted.
    for (let turns = round % 20; turns > 0; turns -= 1) await new Promise(setImmediate);
    if (round % 20 === 19) await voting;
    clock += 1;
    await takeDueTimers(node(round + 1).engine);
    const response = await voting;
    const answer = await json<ProblemDocument>(response);
    const [status] = await two.query('SELECT status FROM elicitation WHERE id = $1', [id]);
    const entries = await entriesOf(two, id);
    outcomes.add(status);
    if (status === 'accepted') {
      expect([response.status, answer.status]).toEqual([200, 'accepted']);
      expect(entries.map(({ type }) => type)).toEqual(['elicitation.opened', 'elicitation.voted']);
    } else {
      expect([status, response.status, answer.code]).toEqual(['expired', 409, 'already-closed']);
      expect(answer.detail).toBe('This request has ended.');
      expect(entries.map(({ type }) => type)).toEqual(['elicitation.opened', 'elicitation.expired']);
    }
    const [votes] = await two.query('SELECT count(*)::int FROM vote WHERE elicitation_id = $1', [id]);
    expect(votes).toBe(status === 'accepted' ? 1 : 0);
  }
  expect([...outcomes].sort()).toEqual(['accepted', 'expired']);
});

test('a vote that comes when the deadline is over expires the request, though no clock had looked', async () => {
  const { id, digest } = await two.asking.open({ ttl: 1000 });
  const browser = await openBrowser(node(0));
  clock += 1000;
  const response = await browser.vote({ id, digest });
  expect([response.status, await response.json()]).toMatchObject([409, { code: 'already-closed' }]);
  expect(await two.query('SELECT status FROM elicitation WHERE id = $1', [id])).toEqual(['expired']);
});

test('a decline that comes too late learns who decided before it is told that it lacks a reason', async () => {
  const { id, digest } = await two.asking.open({ schema: undefined });
  const [first, other] = [await openBrowser(node(0)), await openBrowser(node(1))];
  const bare = (browser: Browser, action: string) =>
    browser.call('POST', `/api/elicitations/${id}/vote`, { action, digest });
  expect([400, ['comment']]).toEqual(await problemOf(await bare(other, 'decline')));
  expect((await bare(first, 'accept')).status).toBe(200); // a question without a form needs no content
  const late = await json<ProblemDocument>(bare(other, 'decline'));
  expect([late.status, late.detail]).toEqual([409, `${first.user.name} approved this request before you.`]);
});

async function problemOf(response: Response): Promise<[number, unknown]> {
  const { errors = [] } = await json<ProblemDocument>(response);
  return [response.status, errors.flatMap(({ path }) => path)];
}

test('a request that everyone ends at once in different ways ends once', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id, digest } = await two.asking.open();
    const [first, other] = [await openBrowser(node(0)), await openBrowser(node(1))];
    const answers = await Promise.all([
      first.vote({ id, digest }),
      other.vote({ id, digest }, { action: 'decline', comment: 'because' }),
      other.call('POST', `/api/elicitations/${id}/cancel`, { digest }),
      two.asking.at(node(1).url).call('POST', `/v1/elicitations/${id}/cancel`, {}),
      two.asking.call('POST', `/v1/elicitations/${id}/caller`, { state: 'gone' }),
      first.call('POST', `/api/elicitations/${id}/extend`, { digest, by: 60_000 }),
    ]);
    expect(answers.slice(0, 4).filter(({ status }) => status === 200)).toHaveLength(1);
    const types = (await entriesOf(two, id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'elicitation.voted' || type === 'elicitation.cancelled')).toHaveLength(1);
    const [version] = await two.query('SELECT version FROM elicitation WHERE id = $1', [id]);
    expect(version).toBe(types.length - 1);
  }
});
