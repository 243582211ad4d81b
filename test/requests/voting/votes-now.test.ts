import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { changeMembers } from '#people/groups/verbs';
import type { GroupId } from '#platform/model/id';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { newGroup, publish, setUser } from '../../support/requests/policies.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const [bob, cleo] = [await openBrowser(two.nodes[0]), await openBrowser(two.nodes[1])];
const ada = await openBrowser(two.nodes[0], 'admin');
await newGroup(two.nodes[0], 'finance', [ada, bob]);
const finance = (await two.nodes[0].engine.directory.read()).groups[0]?.id as GroupId;
await openBrowser(two.nodes[0], 'admin');
await publish(
  two.nodes[0],
  'policy: pay\nmatch: { tool: pay }\nrequire: { stages: [{ name: One, approve: 2, approvers: { group: finance } }] }',
  'policy: rule\nmatch: { tool: rule }\nrequire: { stages: [{ name: One, approvers: { role: admin } }] }',
  'policy: wire\nmatch: { tool: wire }\nrequire: { stages: [{ name: One, approvers: anyone }] }',
);
beforeEach(() => join());

const members = (add: Browser[], remove: Browser[] = []) =>
  changeMembers(two.nodes[1].engine, 'operator', finance, {
    add: add.map(({ user }) => user.id),
    remove: remove.map(({ user }) => user.id),
  });
const join = () => members([ada, bob]);
const leave = (browser: Browser) => members([], [browser]);
const ask = (tool: string) => two.asking.open({ tool: { name: tool } });
const outcome = async (response: Promise<Response>) => {
  const body = await json<{ status?: unknown; code?: string }>(response);
  return body.code ?? body.status;
};

describe('S4 who is asked by no source of the stage now', () => {
  test('has no vote, at any node, and the page says so before they try', async () => {
    const request = await ask('pay');
    expect((await ada.show(request.id)).can.vote.allowed).toBe(true);
    await leave(ada);
    expect((await ada.show(request.id)).can.vote).toEqual({ allowed: false, refusal: 'other-stage' });
    expect((await bob.show(request.id)).stages[0]?.groups[0]?.open?.map(({ id }) => id)).toEqual([bob.user.id]);
    expect(await outcome(ada.vote(request))).toBe('not-now');
    expect(await outcome(ada.at(two.nodes[1].url).vote(request))).toBe('not-now');
    await join();
    expect(await outcome(ada.vote(request))).toBe('open');
  });

  test('loses the vote they gave before the next one counts, and the log says whose', async () => {
    const request = await ask('pay');
    await ada.vote(request);
    await leave(ada);
    expect(await outcome(bob.at(two.nodes[1].url).vote(request))).toBe('open');
    const records = await entriesOf(two, request.id);
    expect(records.map(({ type }) => type)).toContain('elicitation.votes-voided');
    expect(records.find(({ type }) => type === 'elicitation.votes-voided')).toMatchObject({
      user: ada.user.id,
      actor: { kind: 'directory' },
    });
    const { votes } = await bob.show(request.id);
    expect(votes.map(({ by, stands }) => [by, stands])).toEqual([
      [ada.user.name, false],
      [bob.user.name, true],
    ]);
    await join();
    expect(await outcome(ada.vote(request))).toBe('accepted');
  });

  test('is not an administrator after being demoted', async () => {
    const request = await ask('rule');
    await setUser(two.nodes[1], ada, { role: 'approver' });
    expect(await outcome(ada.vote(request))).toBe('not-now');
    await setUser(two.nodes[1], ada, { role: 'admin' });
    expect(await outcome(ada.vote(request))).toBe('accepted');
  });

  test('neither edits, extends, postpones, reviews it nor asks others', async () => {
    const request = await ask('pay');
    await leave(bob);
    const { digest } = request;
    const { id } = ada.user;
    const acts = { extend: { digest, by: 60_000 }, approvers: { digest, user: id }, watch: { held: true } };
    for (const [verb, body] of Object.entries(acts))
      expect([verb, await outcome(bob.call('POST', `/api/elicitations/${request.id}/${verb}`, body))]).toEqual([
        verb,
        'not-now',
      ]);
  });
});

test('S4 what a policy in force denies by now takes no approval, and can be declined', async () => {
  const request = await ask('wire');
  await publish(two.nodes[1], 'policy: freeze\nmatch: { tool: wire }\ndeny: { reason: Not today. }');
  const refused = await cleo.vote(request);
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    { code: 'policy-denied', detail: 'Change the request: freeze@1 denies it now. Not today.' },
  ]);
  const { id, digest } = request;
  const declined = cleo.vote({ id, digest }, { action: 'decline', comment: 'No.' });
  expect(await outcome(declined)).toBe('declined');
});
