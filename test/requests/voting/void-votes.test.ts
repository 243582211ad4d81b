import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { castVote } from '#requests/voting/verbs';
import { decidePair } from '#people/accounts/verbs/decide-pair';
import { delegate } from '#people/delegations/verbs';
import { currentElicitation } from '#requests/state/verbs/change';
import { takeDueTimers } from '#requests/state/verbs/end';
import type { ElicitationId, UserId } from '#platform/model/id';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { json } from '../../support/json.ts';
import { createMeanwhile } from '../../support/nodes/meanwhile.ts';
import { setUser } from '../../support/requests/policies.ts';
import { openStaged } from '../../support/requests/staged.ts';
import { stageOf } from '../../support/requests/stages.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';

let clock = 1_800_000_000_000;
/** Loses the right to vote. */
let ada: Browser;
const two = await startTwoNodes({ now: () => clock });
afterAll(() => two.stop());
const [bob, cleo] = [await openBrowser(two.nodes[0]), await openBrowser(two.nodes[1])];
beforeEach(async () => {
  ada = await openBrowser(two.nodes[0]);
});

const open = (parts: Parameters<typeof openStaged>[2]) => openStaged(two.nodes[0], two.asking, parts);
const vote = (at: 0 | 1, { user }: Browser, { id, digest }: OpenedElicitation, parts: { for?: UserId } = {}) =>
  castVote(two.nodes[at].engine, user, id as ElicitationId, { action: 'accept', content: {}, digest, ...parts });
const rowOf = ({ id }: OpenedElicitation) => currentElicitation(two.nodes[1].engine, id as ElicitationId);
const votersOf = async (request: OpenedElicitation) => (await rowOf(request)).state.context.votes.map(({ by }) => by);
/** Takes the right away as if the node that did so died right then. */
const lose = (browser: Browser, how = `role = 'reviewer'`) =>
  two.query(`UPDATE app_user SET ${how} WHERE id = $1`, [browser.user.id]);
const saidOf = async ({ id }: OpenedElicitation) =>
  (await entriesOf(two, id)).slice(1).map(({ type, actor, user }) => [type, (actor as { kind: string }).kind, user]);

describe('AI-14, AU-03 a vote of someone who can no longer vote', () => {
  test.each([
    ['was disabled', 'disabled_at = now()'],
    ['is a reviewer now', `role = 'reviewer'`],
  ])('who %s is void before the next vote, which then does not complete the stage', async (_name, how) => {
    const request = await open({ stages: [stageOf({ approve: 2 })] });
    await vote(0, ada, request);
    await lose(ada, how);
    expect((await vote(1, bob, request)).status).toBe('open');
    expect(await votersOf(request)).toEqual([bob.user.id]);
    expect((await vote(0, cleo, request)).status).toBe('accepted');
    expect(await saidOf(request)).toEqual([
      ['elicitation.voted', 'user', undefined],
      ['elicitation.votes-voided', 'directory', ada.user.id],
      ['elicitation.voted', 'user', undefined],
      ['elicitation.voted', 'user', undefined],
    ]);
  });

  test('as whom someone stood in for takes the delegate’s vote with it', async () => {
    const request = await open({ stages: [stageOf({ approve: 2 })] });
    await delegate(two.nodes[0].engine, ada.user, { toId: bob.user.id, endsAt: clock + 60_000 });
    await vote(0, bob, request, { for: ada.user.id });
    await lose(ada);
    expect((await vote(1, cleo, request)).status).toBe('open');
    expect((await vote(1, bob, request)).status).toBe('accepted');
  });

  test('starts nothing: what was approved and waits collects again', async () => {
    const request = await open({ stages: [stageOf({ approve: 2 })], notBefore: clock + 1000, parts: { ttl: 60_000 } });
    await vote(0, ada, request);
    await vote(1, bob, request);
    await lose(ada);
    clock += 1001;
    await takeDueTimers(two.nodes[1].engine);
    expect([(await rowOf(request)).status, await votersOf(request)]).toEqual(['open', [bob.user.id]]);
    expect((await vote(0, cleo, request)).status).toBe('accepted');
  });

  test('opens an earlier stage again, and voids what was said after it', async () => {
    const request = await open({ stages: [stageOf(), stageOf({ approve: 2 })] });
    await vote(0, ada, request);
    await vote(0, bob, request);
    await lose(ada);
    expect((await vote(1, cleo, request)).state.context).toMatchObject({ stage: 1, votes: [{ by: cleo.user.id }] });
  });

  test('does not count past the deadline, which is over first', async () => {
    const request = await open({ stages: [stageOf({ approve: 2 })], parts: { ttl: 20_000 } });
    await vote(0, ada, request);
    await lose(ada);
    clock = request.deadlineAt + 1;
    expect((await rowOf(request)).status).toBe('expired');
    expect((await saidOf(request)).map(([type]) => type)).toEqual(['elicitation.voted', 'elicitation.expired']);
  });

  test('is gone from all that is open as soon as the change is made, and stays in what was decided', async () => {
    const [first, other, done] = [
      await open({ stages: [stageOf({ approve: 2 })] }),
      await open({ stages: [stageOf({ approve: 2, approvers: [ada, bob].map(({ user }) => user.id) })] }),
      await open({}),
    ];
    for (const request of [first, other, done]) await vote(0, ada, request);
    await setUser(two.nodes[0], ada, { disabled: true });
    const ids = [first, other, done].map(({ id }) => id);
    const standing = await two.query(
      `SELECT jsonb_array_length(snapshot #> '{context,votes}') FROM elicitation WHERE id = ANY($1) ORDER BY status DESC`,
      [ids],
    );
    expect(standing).toEqual([0, 0, 1]);
    const shown = await bob.show(other.id);
    expect(shown.votes).toMatchObject([{ by: ada.user.name, stands: false }]);
    expect(shown.timeline.at(-1)?.event).toEqual({ type: 'elicitation.votes-voided', user: ada.user.name });
    expect(shown.stages[0]?.groups[0]?.open?.map(({ id }) => id)).toEqual([bob.user.id]);
  });

  test('the vote of a person now known as the requester is void, at once and before the next vote', async () => {
    const [shown, next] = [
      await open({ stages: [stageOf({ approve: 2 })] }),
      await open({ stages: [stageOf({ approve: 2 })] }),
    ];
    for (const request of [shown, next]) await vote(0, ada, request);
    await lose(ada, `subjects = '{alice}'`);
    expect((await vote(1, bob, next)).status).toBe('open');
    expect(await votersOf(next)).toEqual([bob.user.id]);
    await setUser(two.nodes[0], ada, { subjects: [] });
    await setUser(two.nodes[0], ada, { subjects: ['alice'] });
    expect((await cleo.show(shown.id)).votes).toMatchObject([{ by: ada.user.name, stands: false }]);
    await setUser(two.nodes[0], ada, { subjects: [] });
  });

  test('who may vote again votes again', async () => {
    const request = await open({ stages: [stageOf({ approve: 2 })] });
    await vote(0, ada, request);
    await setUser(two.nodes[0], ada, { role: 'reviewer' });
    await setUser(two.nodes[0], ada, { role: 'approver' });
    expect(await votersOf(request)).toEqual([]);
    await vote(0, ada, request);
    expect((await vote(1, bob, request)).status).toBe('accepted');
  });
});

test('changes of one request are in the order of their times, even if one node’s clock is behind', async () => {
  const request = await open({ stages: [stageOf({ approve: 3 })] });
  await vote(0, ada, request);
  clock -= 5000;
  await vote(1, bob, request);
  clock += 5000;
  const times = (await entriesOf(two, request.id)).map(({ at }) => Date.parse(String(at)));
  expect(times).toHaveLength(3);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
});

test('AI-14 of disabling that races the last vote at two nodes, one comes first, and the log says which', async () => {
  const visited = new Set<string>();
  for (let round = 0; round < 16; round += 1) {
    ada = await openBrowser(two.nodes[0]);
    const request = await open({ stages: [stageOf({ approve: 2 })] });
    await vote(0, ada, request);
    const voting = round % 8 === 0 && vote(0, bob, request);
    await voting;
    const disabling = setUser(two.nodes[round % 2 ? 0 : 1], ada, { disabled: true });
    // From a vote that has been counted before to one that comes when the right is gone.
    for (let turns = round; turns > 0; turns -= 1) await new Promise(setImmediate);
    if (round % 8 === 7) await disabling;
    await Promise.all([disabling, voting || vote(round % 2 ? 1 : 0, bob, request)]);
    const { status, state } = await rowOf(request);
    const types = (await saidOf(request)).map(([type]) => type);
    const voted = 'elicitation.voted';
    visited.add(status);
    if (status === 'accepted') expect(types).toEqual([voted, voted]);
    else {
      expect(state.context.votes.map(({ by }) => by)).toEqual([bob.user.id]);
      expect([...types].sort()).toEqual([voted, voted, 'elicitation.votes-voided'].sort());
    }
  }
  expect([...visited].sort()).toEqual(['accepted', 'open']);
});

test('AI-13 of a decision that two accounts are one person and the second one’s vote, one comes first at two nodes', async () => {
  const asAda = await openBrowser(two.nodes[1]);
  const pair = { user: ada.user.id, other: asAda.user.id };
  const decide = (answer: 'one-person' | null) => decidePair(two.nodes[1].engine, 'operator', { ...pair, answer });
  const judged = await open({ stages: [stageOf({ approve: 2 })] });
  await vote(0, ada, judged);
  const meanwhile = createMeanwhile(two);
  meanwhile.next(() => decide('one-person'));
  await expect(vote(0, asAda, judged)).rejects.toMatchObject({ code: 'already-voted' });
  expect(await votersOf(judged)).toEqual([ada.user.id]);
  for (let round = 0; round < 8; round += 1) {
    await decide(null);
    const request = await open({ stages: [stageOf({ approve: 2 })] });
    await vote(0, ada, request);
    const [last] = await Promise.allSettled([vote(0, asAda, request), decide('one-person')]);
    const { status } = await rowOf(request);
    const { code } = await json<{ code: string }>(two.asking.claim(request.toolCall, 'attempt'));
    expect([last.status, status, code]).toEqual(
      last.status === 'fulfilled' ? ['fulfilled', 'accepted', 'approval-lapsed'] : ['rejected', 'open', 'not-now'],
    );
  }
});
