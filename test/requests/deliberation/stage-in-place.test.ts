import { afterAll, describe, expect, test } from '@jest/globals';
import type { Inbox } from '#requests/inbox/contract/inbox';
import type { ElicitationState, OpenedElicitation } from '#requests/asking/contract/open';
import { takeDueTimers } from '#requests/state/verbs/end';
import { changeMembers } from '#people/groups/verbs';
import type { GroupId } from '#platform/model/id';
import { json } from '../../support/json.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { newGroup, publish } from '../../support/requests/policies.ts';
import { runs } from '../../support/runs.ts';

const wait = 10_000;
let clock = 1_800_000_000_000;
const two = await startTwoNodes({ now: () => clock });
afterAll(() => two.stop());
const [first, second] = two.nodes;
const ada = await openBrowser(first);
const ben = await openBrowser(second);
const carl = await openBrowser(first);
const dora = await openBrowser(second);
await newGroup(first, 'finance', [ada, ben, dora]);
await newGroup(first, 'board', [carl, dora]);
await publish(
  first,
  `policy: pay
match: { tool: pay }
require:
  stages:
    - name: Finance
      approve: 2
      approvers: { group: finance }
      escalate: { after: 10s, stage: { name: Board, approvers: { group: board }, meaning: responsible } }
  editable: { amount: { type: integer } }
  deadline: 1h`,
);

const ask = (): Promise<OpenedElicitation> => two.asking.open({ tool: { name: 'pay' } });
const stateOf = ({ id }: OpenedElicitation) => json<ElicitationState>(two.asking.call('GET', `/v1/elicitations/${id}`));
const answerOf = async (response: Response) => [response.status, (await json<{ code?: string }>(response)).code];
async function escalated(): Promise<OpenedElicitation> {
  const request = await ask();
  expect((await ada.vote(request)).status).toBe(200);
  clock += wait;
  await takeDueTimers(two.nodes[1].engine);
  return request;
}

describe('a stage that takes the place of the one that no one decided', () => {
  test('has its own name, people and number; votes from before stay in the record and count no longer', async () => {
    const fresh = await ask();
    expect(await answerOf(await carl.vote(fresh))).toEqual([404, 'not-found']);
    const request = await escalated();
    const shown = await carl.show(request.id);
    expect(shown).toMatchObject({
      progress: { stage: 1, stages: 1, have: 0, need: 1 },
      stages: [{ name: 'Board', groups: [{ name: 'Board' }] }],
      policy: { name: 'pay@1', stages: [{ name: 'Board' }] },
    });
    expect(shown.policy.terms).toContainEqual(
      expect.objectContaining({
        kind: 'escalation',
        steps: [expect.objectContaining({ mode: 'stage', stage: expect.objectContaining({ name: 'Board' }) })],
      }),
    );
    expect(shown.timeline.map(({ event }) => event)).toContainEqual({
      type: 'elicitation.escalated',
      to: 'open',
      inPlace: 'Board',
    });
    // As when persons are replaced: who has not voted is no longer asked, and who has still sees it.
    expect(await answerOf(await ben.vote(request))).toEqual([404, 'not-found']);
    expect(await answerOf(await ada.vote(request))).toEqual([409, 'not-now']);
    expect((await ada.show(request.id)).votes).toMatchObject([{ stands: false }]);
    expect((await carl.vote(request)).status).toBe(200);
    expect((await stateOf(request)).status).toBe('accepted');
    const entries = await entriesOf(two, request.id);
    expect(entries.map(({ type }) => type)).toEqual([
      'elicitation.opened',
      'elicitation.voted',
      'elicitation.escalated',
      'elicitation.voted',
    ]);
    expect(entries[2]).toMatchObject({ restarts: true, inPlace: 'Board', actor: { kind: 'timer' } });
    expect(entries[3]).toMatchObject({ meanings: ['responsible'] });
  });

  test('is in the views of auditors with its people and its decision, and the log verifies', async () => {
    const request = await escalated();
    await carl.vote(request);
    const votes = 'SELECT person, void_at IS NOT NULL FROM audit.votes WHERE request = $1 ORDER BY voted_at';
    expect(await two.query(votes, [request.id])).toEqual([ada.user.id, true, carl.user.id, false]);
    const decided = 'SELECT approvers FROM audit.decisions WHERE request = $1';
    expect(await two.query(decided, [request.id])).toEqual([[carl.user.id]]);
    const seats = `SELECT DISTINCT stage_name, person FROM audit.seats WHERE request = $1 AND seated_as = 'named' ORDER BY person`;
    const board = [carl.user.id, dora.user.id].toSorted();
    expect(await two.query(seats, [request.id])).toEqual(board.flatMap((person) => ['Board', person]));
    expect(await two.nodes[0].verifyLog({ keys: [], kept: [] })).toMatchObject({ fault: null });
  });

  test('may be voted in by someone who voted in the one before', async () => {
    const request = await ask();
    await dora.vote(request);
    clock += wait;
    expect((await dora.vote(request)).status).toBe(200);
    expect((await stateOf(request)).status).toBe('accepted');
  });

  test('is there first at either node, whether the timer comes or a vote that is too late', async () => {
    for (let round = 0; round < runs(60); round += 1) {
      const request = await ask();
      await ada.vote(request);
      clock += wait;
      const [, late, early] = await Promise.all([
        takeDueTimers(two.nodes[round % 2]!.engine),
        ben.vote(request),
        carl.vote(request),
      ]);
      expect([late.status, early.status]).toEqual([404, 200]);
      const accepting = (await entriesOf(two, request.id)).filter(({ type }) => type === 'elicitation.voted');
      expect(accepting.map(({ actor }) => (actor as { id: string }).id)).toEqual([ada.user.id, carl.user.id]);
    }
  });

  test('has its own people looked at again when the approval is used, and not those of the one before', async () => {
    const groups = (await two.nodes[0].engine.directory.read()).groups;
    const leave = async (name: string, { user }: Browser, isBack = false) => {
      const id = groups.find((group) => group.name === name)?.id as GroupId;
      await changeMembers(two.nodes[1].engine, 'operator', id, { [isBack ? 'add' : 'remove']: [user.id] });
    };
    const claim = async ({ toolCall }: OpenedElicitation, attempt: string) =>
      answerOf(await two.asking.claim(toolCall, attempt, { tool: { name: 'pay' } }));
    const [kept, lost] = [await escalated(), await escalated()];
    for (const request of [kept, lost]) expect((await dora.vote(request)).status).toBe(200);
    await leave('finance', dora);
    expect((await claim(kept, 'first'))[0]).toBe(200);
    await leave('finance', dora, true);
    await leave('board', dora);
    expect(await claim(lost, 'second')).toEqual([409, 'approval-lapsed']);
    await leave('board', dora, true);
  });

  test('is gone when the request is edited, which begins with the first stage again', async () => {
    const request = await escalated();
    const change = { digest: request.digest, arguments: { amount: 7 } };
    expect((await dora.call('POST', `/api/elicitations/${request.id}/edit`, change)).status).toBe(200);
    expect((await ada.show(request.id)).stages).toMatchObject([{ name: 'Finance' }]);
  });

  test('is seen by who edited it, though the first stage asks others again', async () => {
    const request = await escalated();
    const edited = await carl.call('POST', `/api/elicitations/${request.id}/edit`, {
      digest: request.digest,
      arguments: { amount: 8 },
    });
    expect(edited.status).toBe(200);
    const shown = await carl.show(request.id);
    expect(shown).toMatchObject({ revision: 2, stages: [{ name: 'Finance' }] });
    expect(await answerOf(await carl.vote(shown))).toEqual([409, 'not-now']);
    const { items } = await json<Inbox>(carl.call('GET', '/api/elicitations?view=all&limit=100'));
    expect(items.map(({ id }) => id)).toContain(request.id);
  });
});
