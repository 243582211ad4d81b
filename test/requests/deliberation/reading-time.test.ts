import { afterAll, describe, expect, test } from '@jest/globals';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { castVote } from '#requests/voting/verbs';
import { changeUser } from '#people/users/verbs';
import { delegate } from '#people/delegations/verbs';
import type { ElicitationId } from '#platform/model/id';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

const policies = [
  'policy: slow\nmatch: { tool: slow }\nrequire: { stages: [{ name: One, approvers: anyone }], readingTime: 30s }',
  'policy: quick\nmatch: { tool: quick }\nrequire: { stages: [{ name: One, approvers: anyone }], risk: high, readingTime: 0s }',
  'policy: edited\nmatch: { tool: edited }\nrequire: { stages: [{ name: One, approvers: anyone }], risk: high, editable: { amount: { type: number } } }',
];
const time = 5_000;
const destructive = { tool: { name: 'wipe', annotations: { destructiveHint: true } } };

let clock = 1_800_000_000_000;
const two = await startTwoNodes({ now: () => clock, defaults: { readingTime: time } });
afterAll(() => two.stop());
const ada = await openBrowser(two.nodes[0], 'approver', 'password');
const bob = await openBrowser(two.nodes[1]);
await two.nodes[0].applyPolicies(policies);

const vote = (by: Browser, { id, digest }: { id: string; digest: string }, shown?: string, parts: object = {}) =>
  by.vote({ id, digest }, { shown, ...parts });
const refusal = async (response: Response) => {
  const { code, refusal: why } = await json<{ code: string; refusal?: unknown }>(response);
  return [response.status, code, why, response.headers.get('retry-after')];
};
const unopened = [409, 'not-now', { code: 'open-first' }, null];
const early = (seconds: number) => [
  409,
  'not-now',
  { code: 'read-first', values: { seconds: `${seconds}` } },
  `${seconds}`,
];
const tokenOf = ({ reading }: ElicitationDetail): string => reading?.token ?? '';

describe('AI-21 a request of high risk', () => {
  test('is approved only once it was shown for long enough, at any node; rejecting never waits', async () => {
    const request = await two.asking.open(destructive);
    expect(await refusal(await vote(ada, request))).toEqual(unopened);
    const { reading } = await ada.show(request.id);
    expect(reading).toEqual({ token: expect.any(String), time });
    const elsewhere = ada.at(two.nodes[1].url);
    expect(await refusal(await vote(elsewhere, request, reading?.token))).toEqual(early(5));
    clock += time - 1;
    expect(await refusal(await vote(elsewhere, request, reading?.token))).toEqual(early(1));
    clock += 1;
    expect((await vote(elsewhere, request, reading?.token)).status).toBe(200);
    expect(await ada.show(request.id)).toMatchObject({ status: 'accepted', reading: null });
    const other = await two.asking.open(destructive);
    const no = { action: 'decline', comment: 'no', content: undefined };
    expect((await vote(ada, other, undefined, no)).status).toBe(200);
  });

  test('takes no proof of another person, request or version, and none that was changed', async () => {
    const [request, other] = [await two.asking.open(destructive), await two.asking.open(destructive)];
    const tokens = [
      tokenOf(await bob.show(request.id)),
      tokenOf(await ada.show(other.id)),
      tokenOf(await ada.show(request.id)).replace(String(clock), String(clock - time)),
      'x',
    ];
    clock += time;
    for (const token of tokens) expect(await refusal(await vote(ada, request, token))).toEqual(unopened);
  });

  test('must be shown again after an edit', async () => {
    const request = await two.asking.open({ tool: { name: 'edited' }, arguments: { amount: 100 } });
    const before = tokenOf(await ada.show(request.id));
    const edit = { digest: request.digest, arguments: { amount: 50 } };
    expect((await bob.call('POST', `/api/elicitations/${request.id}/edit`, edit)).status).toBe(200);
    clock += time;
    const { digest, reading } = await ada.show(request.id);
    expect(await refusal(await vote(ada, { id: request.id, digest }, before))).toEqual(unopened);
    expect(await refusal(await vote(ada, { id: request.id, digest }, reading?.token))).toEqual(early(5));
    clock += time;
    expect((await vote(ada, { id: request.id, digest }, reading?.token)).status).toBe(200);
  });

  test('waits at every other door as well: a delegate, chat and the emergency override', async () => {
    const { engine } = two.nodes[0];
    const request = await two.asking.open(destructive);
    const absent = await openBrowser(two.nodes[0]);
    await delegate(engine, absent.user, { toId: bob.user.id, endsAt: clock + 3_600_000 });
    expect(await refusal(await vote(bob, request, undefined, { for: absent.user.id }))).toEqual(unopened);
    const { id, digest } = request;
    const clicked = castVote(engine, ada.user, id as ElicitationId, {
      action: 'accept',
      content: {},
      digest,
      chat: 'slack',
    });
    await expect(clicked).rejects.toMatchObject({ code: 'not-now', refusal: { code: 'open-first' } });
    await changeUser(engine, 'operator', ada.user.id, { mayBreakGlass: true });
    const token = tokenOf(await ada.show(id));
    const override = (shown?: string) => {
      const reason = 'Production is down and no one answers.';
      return ada.call('POST', `/api/elicitations/${id}/break-glass`, { digest, shown, reason, content: {} });
    };
    expect(await refusal(await override())).toEqual(unopened);
    expect(await refusal(await override(token))).toEqual(early(5));
    clock += time;
    expect((await override(token)).status).toBe(200);
  });
});

describe('the policy’s own time to read', () => {
  test('counts at any risk, and requests decided together do not escape it', async () => {
    const request = await two.asking.open({ tool: { name: 'slow' } });
    const { reading, policy } = await ada.show(request.id);
    expect(reading?.time).toBe(30_000);
    expect(policy.terms).toContainEqual({ kind: 'reading-time', within: 30_000 });
    const items = [{ id: request.id, digest: request.digest }];
    const together = await ada.call('POST', '/api/elicitations/votes', { items, action: 'accept' });
    expect(await together.json()).toMatchObject({ results: [{ problem: { refusal: { code: 'open-first' } } }] });
    clock += 29_000;
    expect(await refusal(await vote(ada, request, reading?.token))).toEqual(early(1));
    clock += 1_000;
    expect((await vote(ada, request, reading?.token)).status).toBe(200);
  });

  test('can be none, and other requests are approved at once', async () => {
    for (const tool of ['quick', 'plain']) {
      const request = await two.asking.open({ tool: { name: tool } });
      expect((await ada.show(request.id)).reading).toBeNull();
      expect((await vote(ada, request)).status).toBe(200);
    }
  });
});

describe('a long value of the arguments', () => {
  const lines = Array.from({ length: 13 }, (_, at) => ({ at }));
  const call = { tool: { name: 'plain' }, arguments: { lines, text: 'x'.repeat(601), to: 'Bob' } };

  test('is brought as opened with an approval, and declining waits for nothing', async () => {
    const request = await two.asking.open(call);
    const missing = (values: string) => [409, 'not-now', { code: 'open-long', values: { values } }, null];
    expect(await refusal(await vote(ada, request))).toEqual(missing('/lines, /text'));
    expect(await refusal(await vote(ada, request, undefined, { opened: ['/lines'] }))).toEqual(missing('/text'));
    const items = [{ id: request.id, digest: request.digest }];
    const together = await ada.call('POST', '/api/elicitations/votes', { items, action: 'accept' });
    expect(await together.json()).toMatchObject({ results: [{ problem: { refusal: { code: 'open-long' } } }] });
    expect((await vote(ada, request, undefined, { opened: ['/text', '/lines'] })).status).toBe(200);
    const other = await two.asking.open({ ...call, arguments: { ...call.arguments, to: 'Eve' } });
    const no = { action: 'decline', comment: 'no', content: undefined };
    expect((await vote(ada, other, undefined, no)).status).toBe(200);
  });

  test('is open when the whole text of the arguments is', async () => {
    const request = await two.asking.open({ ...call, arguments: { ...call.arguments, to: 'Ida' } });
    expect((await vote(ada, request, undefined, { opened: [''] })).status).toBe(200);
  });

  test('is needed for an emergency override as well', async () => {
    const { id, digest } = await two.asking.open({ ...call, arguments: { ...call.arguments, to: 'Uma' } });
    const reason = 'Production is down and no one answers.';
    const override = (opened?: string[]) =>
      ada.call('POST', `/api/elicitations/${id}/break-glass`, { digest, opened, reason, content: {} });
    expect((await refusal(await override()))[2]).toMatchObject({ code: 'open-long' });
    expect((await override([''])).status).toBe(200);
  });
});
