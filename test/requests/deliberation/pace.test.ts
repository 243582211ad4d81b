import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Insights } from '#audit/reports/contract/insights';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { json } from '../../support/json.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';

const stages = 'stages: [{ name: One, approvers: anyone }]';
const policies = [
  `policy: paced\nmatch: { tool: pay }\nrequire: { ${stages}, pace: { approvals: 3, within: 5m } }`,
  `policy: read\nmatch: { tool: send }\nrequire: { ${stages}, pace: { hasty: 2, within: 2m } }`,
  `policy: free\nmatch: { tool: note }\nrequire: { ${stages} }`,
];
const minute = 60_000;
/** Two changes of one millisecond are stored one after the other. */
const afterwards = 5;

let clock = 1_800_000_000_000;
let ada: Browser;
const two = await startTwoNodes({ now: () => clock });
afterAll(() => two.stop());
await openBrowser(two.nodes[0]);
await two.nodes[0].applyPolicies(policies);
beforeEach(async () => {
  clock += 60 * minute;
  ada = await openBrowser(two.nodes[0]);
});

const open = (name: string) => two.asking.open({ tool: { name } });
const statusOf = async (name: string, by = ada) => (await by.vote(await open(name))).status;
const paused = async (response: Response) => {
  const { code, refusal } = await json<{ code: string; refusal?: unknown }>(response);
  return [response.status, code, refusal, response.headers.get('retry-after')];
};
const pause = (seconds: number) => [
  409,
  'not-now',
  { code: 'pause-first', values: { seconds: `${seconds}` } },
  `${seconds}`,
];

describe('a person who approves too fast', () => {
  test('pauses until the first of so many approvals is long enough ago, whatever the policies of these', async () => {
    for (const name of ['note', 'pay', 'note']) {
      expect(await statusOf(name)).toBe(200);
      clock += minute;
    }
    const request = await open('pay');
    expect(await paused(await ada.vote(request))).toEqual(pause(120));
    expect((await ada.show(request.id)).pausedUntil).toBeCloseTo(clock + 2 * minute, -1);
    expect(await statusOf('note')).toBe(200);
    const other = await openBrowser(two.nodes[1]);
    expect((await other.show(request.id)).pausedUntil).toBeNull();
    expect(await statusOf('pay', other)).toBe(200);
    const no = { action: 'decline', comment: 'no', content: undefined };
    expect((await ada.vote(await open('pay'), no)).status).toBe(200);
    clock += 3 * minute - 1;
    expect(await paused(await ada.vote(request))).toEqual(pause(1));
    clock += afterwards;
    expect((await ada.vote(request)).status).toBe(200);
  });

  test.each(['at two nodes', 'at one node'])('gets no vote more by voting at once: %s', async (where) => {
    for (let votes = 0; votes < 2; votes += 1) await statusOf('pay');
    const requests = await Promise.all(Array.from({ length: 6 }, () => open('pay')));
    const elsewhere = where === 'at one node' ? ada : ada.at(two.nodes[1].url);
    const votes = requests.map((request, at) => (at % 2 === 0 ? ada : elsewhere).vote(request));
    const answers = (await Promise.all(votes)).map(({ status }) => status).toSorted();
    expect(answers).toEqual([200, 409, 409, 409, 409, 409]);
  });

  test('pauses as well when voting on several together', async () => {
    const requests: OpenedElicitation[] = [];
    for (let opened = 0; opened < 4; opened += 1) requests.push(await open('pay'));
    const items = requests.map(({ id, digest }) => ({ id, digest }));
    const answer = await json<{ results: { problem: { refusal?: { code: string } } | null }[] }>(
      ada.call('POST', '/api/elicitations/votes', { items, action: 'accept' }),
    );
    expect(answer.results.map(({ problem }) => problem?.refusal?.code ?? null)).toEqual([
      null,
      null,
      null,
      'pause-first',
    ]);
  });

  test('pauses after so many in a row that were hardly read, and goes on if the next is read', async () => {
    const approve = async (readFor: number, request?: OpenedElicitation) => {
      const opened = request ?? (await open('send'));
      await ada.show(opened.id);
      clock += readFor;
      return ada.vote(opened);
    };
    for (const readFor of [4_999, 5_000, 1_000, 0]) expect((await approve(readFor)).status).toBe(200);
    const request = await open('send');
    expect(await paused(await approve(0, request))).toEqual(pause(120));
    clock += 2 * minute + afterwards;
    expect((await ada.vote(request)).status).toBe(200);
    expect((await approve(0)).status).toBe(200);
    expect((await approve(0)).status).toBe(200);
    expect(await paused(await approve(0))).toEqual(pause(120));
  });

  test('is named on Insights, whether a policy paces them or not', async () => {
    for (let votes = 0; votes < 20; votes += 1) {
      await statusOf('note');
      clock += 15_000;
    }
    const reviewer = await openBrowser(two.nodes[0], 'reviewer');
    const { sprees, names, limits } = Insights.parse(await json(reviewer.call('GET', '/api/insights')));
    expect(sprees).toEqual([
      { person: ada.user.id, server: null, approvals: 20, at: expect.closeTo(clock - 15_000, -1) },
    ]);
    expect([names[ada.user.id], limits.spreeSize]).toEqual([ada.user.name, 20]);
  });
});
