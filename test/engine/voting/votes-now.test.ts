import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { OpenedElicitation } from '../../../src/contract/servers/elicitation.ts';
import { changeMembers } from '../../../src/engine/users/change-group.ts';
import type { GroupId } from '../../../src/model/id.ts';
import { openBrowser, type Browser } from '../../support/console.ts';
import { newGroup, publish, setUser } from '../../support/policies.ts';
import { entriesOf, startTwoNodes, type TwoNodes } from '../../support/two-nodes.ts';

let two: TwoNodes;
let ada: Browser;
let bob: Browser;
let cleo: Browser;
let finance: GroupId;
beforeAll(async () => {
  two = await startTwoNodes();
  [bob, cleo] = [await openBrowser(two.nodes[0]), await openBrowser(two.nodes[1])];
  ada = await openBrowser(two.nodes[0], 'admin');
  await newGroup(two.nodes[0], 'finance', [ada, bob]);
  finance = (await two.nodes[0].engine.directory.read()).groups[0]?.id as GroupId;
  await openBrowser(two.nodes[0], 'admin');
  await publish(
    two.nodes[0],
    'policy: pay\nmatch: { tool: pay }\nrequire: { stages: [{ name: One, approve: 2, approvers: { group: finance } }] }',
    'policy: rule\nmatch: { tool: rule }\nrequire: { stages: [{ name: One, approvers: { role: admin } }] }',
    'policy: wire\nmatch: { tool: wire }\nrequire: { stages: [{ name: One, approvers: anyone }] }',
  );
});
beforeEach(() => join());
afterAll(() => two?.stop());

const members = (add: Browser[], remove: Browser[] = []) =>
  changeMembers(two.nodes[1].engine, 'operator', finance, {
    add: add.map(({ user }) => user.id),
    remove: remove.map(({ user }) => user.id),
  });
const join = () => members([ada, bob]);
const leave = (browser: Browser) => members([], [browser]);
const ask = (tool: string) => two.asking.open({ tool: { name: tool } });
const vote = (browser: Browser, { id, digest }: OpenedElicitation) =>
  browser.call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', digest, content: {} });
const outcome = async (response: Promise<Response>) => {
  const body = (await (await response).json()) as { status?: unknown; code?: string };
  return body.code ?? body.status;
};

describe('S4 who is asked by no source of the stage now', () => {
  test('has no vote, at any node, and the page says so before they try', async () => {
    const asked = await ask('pay');
    expect((await ada.show(asked.id)).can.vote.allowed).toBe(true);
    await leave(ada);
    expect((await ada.show(asked.id)).can.vote).toEqual({ allowed: false, refusal: 'other-stage' });
    expect((await bob.show(asked.id)).stages[0]?.groups[0]?.open?.map(({ id }) => id)).toEqual([bob.user.id]);
    expect(await outcome(vote(ada, asked))).toBe('not-now');
    expect(await outcome(vote(ada.at(two.nodes[1].url), asked))).toBe('not-now');
    await join();
    expect(await outcome(vote(ada, asked))).toBe('open');
  });

  test('loses the vote they gave before the next one counts, and the log says whose', async () => {
    const asked = await ask('pay');
    await vote(ada, asked);
    await leave(ada);
    expect(await outcome(vote(bob.at(two.nodes[1].url), asked))).toBe('open');
    const said = await entriesOf(two, asked.id);
    expect(said.map(({ type }) => type)).toContain('elicitation.votes-voided');
    expect(said.find(({ type }) => type === 'elicitation.votes-voided')).toMatchObject({
      user: ada.user.id,
      actor: { kind: 'directory' },
    });
    const { votes } = await bob.show(asked.id);
    expect(votes.map(({ by, stands }) => [by, stands])).toEqual([
      [ada.user.name, false],
      [bob.user.name, true],
    ]);
    await join();
    expect(await outcome(vote(ada, asked))).toBe('accepted');
  });

  test('is not an administrator after being demoted', async () => {
    const asked = await ask('rule');
    await setUser(two.nodes[1], ada, { role: 'approver' });
    expect(await outcome(vote(ada, asked))).toBe('not-now');
    await setUser(two.nodes[1], ada, { role: 'admin' });
    expect(await outcome(vote(ada, asked))).toBe('accepted');
  });

  test('neither edits, extends, postpones, reviews it nor asks others', async () => {
    const asked = await ask('pay');
    await leave(bob);
    const { digest } = asked;
    const { id } = ada.user;
    const acts = { extend: { digest, by: 60_000 }, approvers: { digest, user: id }, watch: { held: true } };
    for (const [verb, body] of Object.entries(acts))
      expect([verb, await outcome(bob.call('POST', `/api/elicitations/${asked.id}/${verb}`, body))]).toEqual([
        verb,
        'not-now',
      ]);
  });
});

test('S4 what a policy in force denies by now takes no approval, and can be declined', async () => {
  const asked = await ask('wire');
  await publish(two.nodes[1], 'policy: freeze\nmatch: { tool: wire }\ndeny: { reason: Not today. }');
  const refused = await vote(cleo, asked);
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    { code: 'policy-denied', detail: 'Change the request: freeze@1 denies it now. Not today.' },
  ]);
  const { id, digest } = asked;
  const declined = cleo.call('POST', `/api/elicitations/${id}/vote`, { action: 'decline', digest, comment: 'No.' });
  expect(await outcome(declined)).toBe('declined');
});
