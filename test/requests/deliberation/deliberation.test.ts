import { afterAll, describe, expect, test } from '@jest/globals';
import type { ElicitationDetail, Inbox } from '#requests/inbox/contract/inbox';
import type { ElicitationState, OpenedElicitation } from '#requests/asking/contract/open';
import { applyPolicies } from '#policies/verbs/apply';
import { changeUser } from '#people/users/verbs';
import { delegate } from '#people/delegations/verbs';
import { takeDueTimers } from '#requests/state/verbs/end';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { openStaged } from '../../support/requests/staged.ts';
import { groupOf, stageOf } from '../../support/requests/stages.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

let clock = 1_800_000_000_000;
const two = await startTwoNodes({ now: () => clock });
afterAll(() => two.stop());
const [first, second] = two.nodes;
const ada = await openBrowser(first);
const bob = await openBrowser(second);
const cleo = await openBrowser(first);

const ids = (...browsers: Browser[]): string[] => browsers.map(({ user }) => user.id);
const open = (parts: Parameters<typeof openStaged>[2]): Promise<OpenedElicitation> =>
  openStaged(two.nodes[0], two.asking, parts);
const act = (browser: Browser, { id }: { id: string }, verb: string, body?: object) =>
  browser.call('POST', `/api/elicitations/${id}/${verb}`, body);
const state = ({ id }: { id: string }): Promise<ElicitationState> =>
  json<ElicitationState>(two.asking.call('GET', `/v1/elicitations/${id}`));
const typesOf = async ({ id }: { id: string }) => (await entriesOf(two, id)).map(({ type }) => type).slice(1);
/** In the list and in its count. */
async function mineOf(browser: Browser, { id }: { id: string }): Promise<boolean> {
  const { items, counts } = await json<Inbox>(await browser.call('GET', '/api/elicitations?view=mine&limit=100'));
  expect(items.length).toBe(counts.mine);
  return items.some((item) => item.id === id && item.mine);
}
const problem = async (response: Response) => [response.status, (await json<{ code: string }>(response)).code];

describe('P3 a quorum', () => {
  test('counts each person of all groups once, and says who is still missing', async () => {
    const groups = [ids(ada, bob), ids(ada, cleo)].map((approvers, at) => ({
      name: `Group ${at}`,
      approve: 1,
      deny: 1,
      approvers,
      meaning: 'approved' as const,
    }));
    const request = await open({ stages: [stageOf({ groups })] });
    expect((await ada.vote(request)).status).toBe(200);
    const { status, stages, progress, answer } = await bob.show(request.id);
    expect(answer).toBeNull();
    expect([status, progress]).toEqual(['open', { stage: 1, stages: 1, have: 1, need: 2 }]);
    expect(stages[0]?.groups.map(({ open: openTo }) => openTo?.map(({ id }) => id))).toEqual([ids(bob), ids(cleo)]);
    expect(await problem(await ada.vote(request))).toEqual([409, 'already-voted']);
    expect((await cleo.vote(request)).status).toBe(200);
    expect((await state(request)).status).toBe('accepted');
  });
});

describe('P8 a delegate', () => {
  test('votes for another, is named next to them, and neither votes again', async () => {
    const [away, deputy] = [await openBrowser(two.nodes[0]), await openBrowser(two.nodes[0])];
    const request = await open({ stages: [stageOf({ approvers: ids(away, bob), approve: 2 })] });
    expect(await problem(await deputy.vote(request, { for: away.user.id }))).toEqual([404, 'not-found']);
    await delegate(two.nodes[0].engine, away.user, { toId: deputy.user.id, endsAt: clock + 60_000 });
    expect((await deputy.show(request.id)).standsInFor.map(({ id }) => id)).toEqual(ids(away));
    expect(await mineOf(deputy, request)).toBe(true);
    expect((await deputy.vote(request, { for: away.user.id })).status).toBe(200);
    expect(await mineOf(deputy, request)).toBe(false);
    const shown = await bob.show(request.id);
    expect(shown.votes).toMatchObject([{ by: deputy.user.name, for: away.user.name, stands: true }]);
    expect(shown.timeline.at(-1)).toMatchObject({
      by: { name: deputy.user.name },
      event: { type: 'elicitation.voted', action: 'accept', for: { name: away.user.name } },
    });
    expect(await problem(await away.vote(request))).toEqual([409, 'already-voted']);
    const [, voted] = await entriesOf(two, request.id);
    expect(voted).toMatchObject({ actor: { id: deputy.user.id }, for: away.user.id });
    expect(await two.query('SELECT for_id FROM vote WHERE elicitation_id = $1', [request.id])).toEqual(ids(away));
  });

  test('neither side may be excluded: not the requester as a delegate, not a delegate of the requester', async () => {
    const [requester, deputy] = [await openBrowser(two.nodes[0]), await openBrowser(two.nodes[0])];
    const { engine } = two.nodes[0];
    await delegate(engine, requester.user, { toId: deputy.user.id, endsAt: clock + 60_000 });
    await delegate(engine, deputy.user, { toId: requester.user.id, endsAt: clock + 60_000 });
    const request = await open({ stages: [stageOf({ excluded: ids(requester) })] });
    for (const [by, parts] of [
      [requester, {}],
      [deputy, { for: requester.user.id }],
      [requester, { for: deputy.user.id }],
    ] as const) {
      expect(await problem(await by.vote(request, parts))).toEqual([409, 'not-now']);
    }
    expect((await requester.show(request.id)).can.vote.allowed).toBe(false);
    expect((await deputy.show(request.id)).standsInFor).toEqual([]);
  });
});

describe('P9 an escalation', () => {
  test('lets others vote when it is due, by the clock of any node', async () => {
    const escalation = {
      steps: [{ after: 1000, mode: 'add' as const, approvers: ids(bob) }],
      loops: 1,
      end: 'wait' as const,
    };
    const request = await open({ stages: [stageOf({ approvers: ids(ada), escalation })] });
    expect(await problem(await bob.vote(request))).toEqual([404, 'not-found']);
    clock += 1001;
    await takeDueTimers(two.nodes[1].engine);
    expect((await bob.vote(request)).status).toBe(200);
    expect(await typesOf(request)).toEqual(['elicitation.escalated', 'elicitation.voted']);
  });
});

test('P11 a deadline can refuse, and never approves', async () => {
  const request = await open({ onTimeout: 'deny', stages: [stageOf({ approve: 2 })], parts: { ttl: 20_000 } });
  await ada.vote(request);
  clock = request.deadlineAt + 1;
  await takeDueTimers(two.nodes[0].engine);
  expect(await state(request)).toMatchObject({ status: 'declined', action: 'decline' });
  const late = await json<{ detail: string }>(bob.vote(request));
  expect(late.detail).toBe('This request has ended.');
  expect((await entriesOf(two, request.id)).at(-1)).toMatchObject({ type: 'elicitation.expired', to: 'declined' });
});

describe('P17 a start time', () => {
  test('can be postponed by an approver; an approved request keeps its answer until then and does not show it', async () => {
    const request = await open({ notBefore: clock + 1000 });
    const notBefore = clock + 5000;
    const moved = await act(ada, request, 'postpone', { digest: request.digest, notBefore });
    expect(await json<ElicitationDetail>(moved)).toMatchObject({
      notBefore,
      phase: 'open.asking.approvers.collecting',
    });
    await bob.vote(request, { content: { confirmed: true } });
    const scheduled = await state(request);
    expect([scheduled.status, scheduled.content]).toEqual(['open', undefined]);
    expect((await ada.show(request.id)).phase).toBe('open.asking.approvers.scheduled');
    clock += 5001;
    await takeDueTimers(two.nodes[1].engine);
    expect(await state(request)).toMatchObject({ status: 'accepted', content: { confirmed: true } });
    expect(await typesOf(request)).toEqual(['elicitation.postponed', 'elicitation.voted', 'elicitation.started']);
    expect((await entriesOf(two, request.id)).at(-1)).toMatchObject({ approvers: [bob.user.id] });
  });

  test('does not show the answer if the approved request is withdrawn', async () => {
    const request = await open({ notBefore: clock + 1000 });
    const content = { confirmed: true };
    expect((await bob.vote(request, { content, comment: 'Only today.' })).status).toBe(200);
    await two.asking.call('POST', `/v1/elicitations/${request.id}/cancel`, {});
    const { status, content: shown, comment } = await state(request);
    expect({ status, shown, comment }).toEqual({ status: 'cancelled', shown: undefined, comment: null });
  });

  test.each([
    ['earlier', -1],
    ['beyond the deadline', 9e11],
  ])('is not moved %s', async (_name, by) => {
    const request = await open({ notBefore: clock + 60_000 });
    const body = { digest: request.digest, notBefore: clock + 60_000 + by };
    expect(await problem(await act(ada, request, 'postpone', body))).toEqual([400, 'INVALID_INPUT']);
  });

  test('P16 cannot be moved into a freeze that was not considered', async () => {
    const freeze = [
      { name: 'year end', from: clock + 2000, until: clock + 3000, approvers: [{ kind: 'anyone' as const }] },
    ];
    const request = await open({ terms: { notBefore: true, freeze, frozen: [] } });
    const startAt = (notBefore: number) => act(ada, request, 'postpone', { digest: request.digest, notBefore });
    expect(await problem(await startAt(clock + 2500))).toEqual([400, 'INVALID_INPUT']);
    expect((await startAt(clock + 3000)).status).toBe(200);
  });

  test('P16 a freeze that began while people voted is considered before the end, once', async () => {
    const approvers = [{ kind: 'user' as const, email: cleo.user.email }];
    const freeze = [{ name: 'year end', from: clock + 1000, until: clock + 3000, approvers }];
    const [request, early] = [
      await open({ terms: { freeze, frozen: [] } }),
      await open({ terms: { freeze, frozen: [] } }),
    ];
    expect(await (await ada.vote(early)).json()).toMatchObject({ status: 'accepted' });
    clock += 1500;
    expect(await (await ada.vote(request)).json()).toMatchObject({ status: 'open' });
    expect((await ada.show(request.id)).stages.map(({ name }) => name).at(-1)).toBe('Freeze: year end');
    expect(await problem(await bob.vote(request))).toEqual([409, 'not-now']);
    expect(await (await cleo.vote(request)).json()).toMatchObject({ status: 'accepted' });
  });

  test('cannot be set if the policy does not let anyone do it', async () => {
    const request = await open({ terms: { notBefore: false } });
    const body = { digest: request.digest, notBefore: clock + 1000 };
    expect(await problem(await act(ada, request, 'postpone', body))).toEqual([403, 'forbidden']);
  });
});

describe('P30 a vote', () => {
  test('is taken back while the request is open, stays in the record, and may be cast again', async () => {
    const request = await open({ stages: [stageOf({ approve: 2 })] });
    await ada.vote(request);
    expect((await act(ada, request, 'withdraw-vote')).status).toBe(200);
    expect(await problem(await act(ada, request, 'withdraw-vote'))).toEqual([409, 'not-now']);
    expect((await bob.vote(request)).status).toBe(200);
    expect((await state(request)).status).toBe('open');
    await ada.vote(request);
    expect((await ada.show(request.id)).votes.map(({ stands }) => stands)).toEqual([false, true, true]);
    expect((await state(request)).status).toBe('accepted');
    expect(await problem(await act(ada, request, 'withdraw-vote'))).toEqual([409, 'already-closed']);
    const votes = await two.query('SELECT user_id FROM vote WHERE elicitation_id = $1 ORDER BY at', [request.id]);
    expect(votes).toEqual(ids(ada, bob, ada));
  });

  test('that blocked one of several groups releases the group when it is taken back, with the answer so far', async () => {
    const groups = [groupOf({ approvers: ids(ada, bob) }), groupOf({ approvers: ids(cleo) })];
    const request = await open({ stages: [stageOf({ groups, complete: 'any' })] });
    await bob.vote(request, { action: 'decline', comment: 'Wait.' });
    await ada.vote(request, { content: { confirmed: true }, comment: 'Go.' });
    expect(await state(request)).toMatchObject({ status: 'open', comment: null });
    const ended = await json<ElicitationDetail>(act(bob, request, 'withdraw-vote'));
    expect([ended.status, ended.answer]).toEqual(['accepted', { confirmed: true }]);
    expect(await state(request)).toMatchObject({ action: 'accept', content: { confirmed: true }, comment: 'Go.' });
    expect((await entriesOf(two, request.id)).at(-1)).toMatchObject({
      type: 'elicitation.vote-withdrawn',
      actor: { id: bob.user.id },
      to: 'accepted',
    });
  });

  test('that is taken back before the start time reopens the approved request, and its answer is gone', async () => {
    const request = await open({ notBefore: clock + 1000, parts: { ttl: 20_000 } });
    await ada.vote(request, { content: { confirmed: true } });
    await act(ada, request, 'withdraw-vote');
    expect(await ada.show(request.id)).toMatchObject({
      status: 'open',
      phase: 'open.asking.approvers.collecting',
      answer: null,
    });
    clock = request.deadlineAt + 1;
    await takeDueTimers(two.nodes[0].engine);
    const ended = await state(request);
    expect([ended.status, ended.content]).toEqual(['expired', undefined]);
  });
});

test('P30 the requester can cancel while it is open, and no vote before or after releases anything', async () => {
  const request = await open({ stages: [stageOf({ approve: 2 })] });
  await ada.vote(request);
  const cancel = (by = two.asking) => by.call('POST', `/v1/elicitations/${request.id}/cancel`, {});
  const stranger = askingAt(two.nodes[0].url, await two.nodes[0].newServerKey('stranger'));
  expect((await cancel(stranger)).status).toBe(404);
  expect(await (await cancel()).json()).toMatchObject({ status: 'cancelled', cause: 'user', action: 'cancel' });
  expect(await problem(await bob.vote(request))).toEqual([409, 'already-closed']);
  expect(await problem(await cancel())).toEqual([409, 'already-closed']);
  const execution = await two.asking.claim(request.toolCall, 'one');
  expect(await problem(execution)).toEqual([409, 'already-closed']);
  expect((await entriesOf(two, request.id)).at(-1)).toMatchObject({
    type: 'elicitation.cancelled',
    actor: { kind: 'server' },
  });
});

describe('P21 an edit', () => {
  const terms = { editable: { amount: { type: 'number', maximum: 100 }, note: { type: 'string' } } };
  const edit = (browser: Browser, request: { id: string; digest: string }, args: object) =>
    act(browser, request, 'edit', { digest: request.digest, arguments: args });

  test('makes a new revision without votes; the tool receives the approved arguments', async () => {
    const request = await open({
      terms,
      stages: [stageOf({ approve: 2 })],
      parts: { arguments: { amount: 99, to: 'x' } },
    });
    await ada.vote(request);
    const edited = await json<ElicitationDetail>(edit(bob, request, { amount: 50 }));
    expect(edited).toMatchObject({ revision: 2, arguments: '{"amount":50,"to":"x"}', progress: { have: 0 } });
    expect(edited.deadlineAt).toBe(request.deadlineAt);
    const [change] = edited.revisions;
    expect(change).toMatchObject({ revision: 2, changes: [{ name: 'amount', before: 99, after: 50 }] });
    expect(edited.digest).not.toBe(request.digest);
    expect(edited.votes).toMatchObject([{ stands: false, revision: 1 }]);
    expect(await problem(await ada.vote(request))).toEqual([412, 'digest-mismatch']);
    expect((await ada.vote(edited)).status).toBe(200);
    const ended = await state(request);
    expect(ended).toMatchObject({ status: 'accepted', revision: 2, arguments: { amount: 50, to: 'x' } });
    const call = await two.asking.call('GET', `/v1/tool-calls/${request.toolCall}`);
    expect(await call.json()).toMatchObject({ arguments: { amount: 99, to: 'x' } });
    const [record] = (await entriesOf(two, request.id)).filter(({ type }) => type === 'elicitation.edited');
    expect(record).toMatchObject({ replaces: request.digest, digest: edited.digest, revision: 2 });
  });

  test.each([
    ['a value the policy does not allow', { amount: 101 }, 'arguments.amount'],
    ['a value of another type', { amount: 'much' }, 'arguments.amount'],
    ['an argument the policy does not name', { to: 'me' }, 'arguments.to'],
    ['nothing', {}, 'arguments'],
    ['the same value', { amount: 100 }, 'arguments'],
  ])('to %s is refused', async (_name, args, path) => {
    const request = await open({ terms });
    const response = await edit(ada, request, args);
    const { code, errors } = await json<{ code: string; errors: { path: string[] }[] }>(response);
    expect([response.status, code, errors[0]?.path.join('.')]).toEqual([400, 'INVALID_INPUT', path]);
    expect((await ada.show(request.id)).revision).toBe(1);
  });

  test('is refused if the policy allows none, if the editor is not an approver of the stage, and if the request changed meanwhile', async () => {
    expect(await problem(await edit(ada, await open({}), { amount: 1 }))).toEqual([403, 'forbidden']);
    const request = await open({ terms, stages: [stageOf({ approvers: ids(bob) })] });
    expect(await problem(await edit(ada, request, { amount: 1 }))).toEqual([404, 'not-found']);
    const unseen = { ...request, digest: '0'.repeat(64) };
    expect(await problem(await edit(bob, unseen, { amount: 1 }))).toEqual([412, 'digest-mismatch']);
  });
});

describe('P22 what people say', () => {
  test('is kept in order and shown to approvers, not to the server that asked', async () => {
    const request = await open({});
    await act(ada, request, 'comments', { text: 'I know of this.' });
    await act(bob, request, 'comments', { text: 'Me too.' });
    const { remarks } = await cleo.show(request.id);
    expect(remarks).toMatchObject([
      { kind: 'comment', by: ada.user.name, text: 'I know of this.' },
      { kind: 'comment', by: bob.user.name, text: 'Me too.' },
    ]);
    expect(JSON.stringify(await state(request))).not.toContain('Me too');
  });

  test('asks the requester by a form, and the reply comes back checked, once', async () => {
    const elicitation = await open({});
    const schema = { type: 'object', properties: { ticket: { type: 'string', minLength: 3 } }, required: ['ticket'] };
    const body = { digest: elicitation.digest, message: 'Which ticket?', schema };
    const shown = await json<ElicitationDetail>(act(ada, elicitation, 'inquiry', body));
    expect(await problem(await act(bob, elicitation, 'inquiry', body))).toEqual([409, 'not-now']);
    const { inquiry } = await state(elicitation);
    expect(inquiry).toEqual({ id: shown.inquiry, by: ada.user.name, message: 'Which ticket?', schema });
    const reply = (parts: object) =>
      two.asking.call('POST', `/v1/elicitations/${elicitation.id}/information`, {
        inquiry: inquiry?.id,
        action: 'accept',
        ...parts,
      });
    expect(await problem(await reply({ content: { ticket: 'x' } }))).toEqual([400, 'INVALID_INPUT']);
    expect(await problem(await reply({ inquiry: `rem_${'A'.repeat(22)}`, action: 'decline' }))).toEqual([
      409,
      'not-now',
    ]);
    const request = await json<ElicitationState>(reply({ content: { ticket: 'OPS-1' } }));
    expect([request.status, request.inquiry]).toEqual(['open', undefined]);
    expect(await problem(await reply({ content: { ticket: 'OPS-2' } }))).toEqual([409, 'not-now']);
    const { remarks } = await bob.show(elicitation.id);
    expect(remarks[1]).toMatchObject({
      kind: 'reply',
      by: null,
      answer: { action: 'accept', content: { ticket: 'OPS-1' }, channel: 'relayed' },
      replyTo: shown.inquiry,
    });
    expect(await typesOf(elicitation)).toEqual(['elicitation.inquired', 'elicitation.informed']);
  });

  test('cannot ask for a password', async () => {
    const request = await open({});
    const schema = { type: 'object', properties: { password: { type: 'string' } } };
    const response = await act(ada, request, 'inquiry', { digest: request.digest, message: 'Log in for me', schema });
    expect(await problem(response)).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('P23 an added approver', () => {
  test('must approve, too, after the others; who cannot vote is not added', async () => {
    const request = await open({ stages: [stageOf({ approvers: ids(ada) })] });
    const add = (user: string) => act(ada, request, 'approvers', { digest: request.digest, user });
    const reviewer = await openBrowser(two.nodes[0], 'reviewer');
    expect(await problem(await add(reviewer.user.id))).toEqual([400, 'INVALID_INPUT']);
    expect((await add(cleo.user.id)).status).toBe(200);
    expect(await problem(await add(cleo.user.id))).toEqual([409, 'not-now']);
    await ada.vote(request);
    const shown = await ada.show(request.id);
    expect(shown.stages).toMatchObject([{ state: 'complete' }, { state: 'current', added: true }]);
    expect(await problem(await bob.vote(request))).toEqual([404, 'not-found']);
    await cleo.vote(request);
    expect((await state(request)).status).toBe('accepted');
  });
});

test('a watch is shown to the others for a quarter of an hour, and everyone can still vote', async () => {
  const request = await open({});
  await act(ada, request, 'watch', { held: true });
  const { watch, can } = await bob.show(request.id);
  expect([watch?.by.id, can.watch.allowed, can.vote.allowed]).toEqual([ada.user.id, false, true]);
  expect(await problem(await act(bob, request, 'watch', { held: true }))).toEqual([409, 'not-now']);
  clock += 16 * 60_000;
  expect(await bob.show(request.id)).toMatchObject({ watch: null, can: { watch: { allowed: true } } });
  expect((await act(bob, request, 'watch', { held: true })).status).toBe(200);
  expect((await act(bob, request, 'watch', { held: false })).status).toBe(200);
});

test('P19 a vote needs a fresh password if the policy says so; a link is not one', async () => {
  const request = await open({ terms: { freshSignIn: 60_000 } });
  expect(await problem(await ada.vote(request))).toEqual([403, 'fresh-sign-in-needed']);
  const user = await two.nodes[0].newUser();
  clock += 60_000;
  const stale = await user.vote(request.id, 'accept', {});
  expect(await problem(stale)).toEqual([403, 'fresh-sign-in-needed']);
  const confirm = (password: string) => user.call('POST', '/api/session/confirm', { password });
  expect(await problem(await confirm('wrong'))).toEqual([400, 'INVALID_INPUT']);
  expect((await confirm(user.password)).status).toBe(204);
  expect((await user.vote(request.id, 'accept', {})).status).toBe(200);
  const logged = `SELECT f ->> 'factor', f ->> 'assurance', (f ->> 'authenticatedAt')::float8 FROM audit_entry a, audit.entry(a.body) f
    WHERE a.elicitation_id = $1 AND a.type = 'elicitation.voted'`;
  expect(await two.query(logged, [request.id])).toEqual(['password', 'single-factor', clock]);
});

describe('P24 emergency override', () => {
  const reason = 'Production is down and no one answers.';
  const breakGlass = (by: Pick<Browser, 'call'>, { id, digest }: OpenedElicitation, parts: object = {}) =>
    by.call('POST', `/api/elicitations/${id}/break-glass`, { digest, reason, content: {}, ...parts });
  const newBreaker = async () => {
    const user = await two.nodes[0].newUser();
    await changeUser(two.nodes[0].engine, 'operator', user.id as never, { mayBreakGlass: true });
    return user;
  };

  test('approves at once, with the reason sealed, the review due, and the alert in the same commit', async () => {
    const request = await open({
      stages: [stageOf({ approvers: ids(ada), approve: 1 }), stageOf()],
      notBefore: clock + 60_000,
    });
    const breaker = await newBreaker();
    expect((await breakGlass(breaker, request)).status).toBe(200);
    expect((await state(request)).status).toBe('accepted');
    const shown = await ada.show(request.id);
    const week = 7 * 86_400_000;
    expect(shown.breakGlass).toMatchObject({
      by: { id: breaker.id },
      reason,
      reviewDueAt: (shown.closedAt ?? 0) + week,
    });
    expect(shown.policy.basis).toBe('break-glass');
    const topics = await two.query('SELECT topic FROM outbox WHERE elicitation_id = $1 ORDER BY place', [request.id]);
    expect(topics.slice(-2)).toEqual(['closed', 'break-glass']);
    const xids = await two.query(
      `SELECT count(DISTINCT x)::int FROM (SELECT xmin::text AS x FROM elicitation WHERE id = $1
        UNION ALL SELECT xmin::text FROM break_glass WHERE elicitation_id = $1
        UNION ALL SELECT xmin::text FROM audit_entry WHERE elicitation_id = $1 AND type = 'elicitation.break-glass'
        UNION ALL SELECT xmin::text FROM outbox WHERE elicitation_id = $1 AND topic = 'break-glass') AS r`,
      [request.id],
    );
    expect(xids).toEqual([1]);
    const entries = await entriesOf(two, request.id);
    expect(entries.at(-1)).toMatchObject({ type: 'elicitation.break-glass', seen: request.digest });
    expect(JSON.stringify(entries)).not.toContain('Production');
  });

  test('needs the permission, a fresh password, a reason and a person who is not excluded', async () => {
    const breaker = await newBreaker();
    const request = await open({ stages: [stageOf({ excluded: [breaker.id] })] });
    expect(await problem(await breakGlass(breaker, request))).toEqual([403, 'forbidden']);
    const other = await open({});
    expect(await problem(await breakGlass(await two.nodes[0].newUser(), other))).toEqual([403, 'forbidden']);
    expect(await problem(await breakGlass(breaker, other, { reason: 'too short' }))).toEqual([400, 'INVALID_INPUT']);
    expect(await problem(await breakGlass(breaker, other, { reason: `${' '.repeat(30)}x` }))).toEqual([
      400,
      'INVALID_INPUT',
    ]);
    expect((await breakGlass({ call: two.asking.call }, other)).status).toBe(403);
    clock += 5 * 60_000;
    expect(await problem(await breakGlass(breaker, other))).toEqual([403, 'fresh-sign-in-needed']);
    expect((await state(other)).status).toBe('open');
  });

  test('is reviewed once, by someone else', async () => {
    const breaker = await newBreaker();
    await changeUser(two.nodes[0].engine, 'operator', breaker.id as never, { role: 'admin' });
    const request = await open({});
    await breakGlass(breaker, request);
    const review = (by: Pick<Browser, 'call'>) =>
      by.call('POST', `/api/elicitations/${request.id}/break-glass/review`, {
        isJustified: false,
        finding: 'Call first.',
      });
    const reviewer = await openBrowser(two.nodes[1], 'reviewer');
    for (const by of [breaker, ada]) expect(await problem(await review(by))).toEqual([403, 'forbidden']);
    const ordinary = await open({});
    for (const { id } of [ordinary, request]) await reviewer.look(id);
    expect(
      await problem(await act(reviewer, ordinary, 'break-glass/review', { isJustified: true, finding: 'x' })),
    ).toEqual([404, 'not-found']);
    const reviewed = await json<ElicitationDetail>(review(reviewer));
    expect(reviewed.breakGlass?.review).toMatchObject({
      by: { id: reviewer.user.id },
      isJustified: false,
      finding: 'Call first.',
    });
    expect(await problem(await review(reviewer))).toEqual([409, 'not-now']);
    expect((await entriesOf(two, request.id)).at(-1)).toMatchObject({
      type: 'break-glass.reviewed',
      isJustified: false,
    });
  });
});

describe('under a published policy', () => {
  const publish = (rule: string) =>
    applyPolicies(two.nodes[0].engine, [`policy: wires\nmatch: { tool: wire }\nrequire:\n${rule}`]);
  const wire = (amount: number) => two.asking.open({ tool: { name: 'wire' }, arguments: { amount } });
  const edit = (browser: Browser, { id, digest }: OpenedElicitation, args: object) =>
    act(browser, { id }, 'edit', { digest, arguments: args });

  test('P21 an edit is judged like a new request, and its editor can be excluded', async () => {
    await publish(`
  editable: { amount: { type: number } }
  separation: { editor: true }
  stages: [{ name: One, approvers: anyone }]
`);
    await applyPolicies(two.nodes[0].engine, [
      `policy: huge\npriority: 5\nmatch: { tool: wire }\nwhen: request.args.amount > 1000\nrequire: { editable: { amount: { type: number } }, stages: [{ name: Two, approve: 2, approvers: anyone }] }`,
      `policy: absurd\nmatch: { tool: wire }\nwhen: request.args.amount > 1000000\ndeny: { reason: Far too much. }`,
    ]);
    const request = await wire(10);
    expect(await problem(await edit(ada, request, { amount: 2e6 }))).toEqual([403, 'policy-denied']);
    const same = await json<ElicitationDetail>(edit(ada, request, { amount: 20 }));
    expect([same.policy.name, same.can.vote.allowed]).toEqual(['wires@1', false]);
    const more = await json<ElicitationDetail>(edit(bob, same as never, { amount: 2000 }));
    expect(more).toMatchObject({ revision: 3, policy: { name: 'huge@1' }, stages: [{ name: 'Two' }] });
    expect(more.progress).toMatchObject({ have: 0, need: 2 });
  });

  test.each([
    [
      'a reason',
      { justification: '{ requester: { like: "CHG-*" } }' },
      { reason: 'Because.' },
      'refuses its reason. Give a reason',
    ],
    [
      'no start',
      { notBefore: 'false' },
      { notBefore: clock + 20 * 86_400_000 },
      'refuses its notBefore. Leave the start out: strict',
    ],
  ])('P21 an edit to what a policy decides that asks for %s is refused', async (_name, terms, parts, text) => {
    await publish(
      '  { editable: { amount: { type: number } }, notBefore: true, stages: [{ name: One, approvers: anyone }], deadline: 30d }',
    );
    const [[key, value] = []] = Object.entries(terms);
    await applyPolicies(two.nodes[0].engine, [
      `policy: strict\npriority: 9\nmatch: { tool: wire }\nwhen: request.args.amount > 500\nrequire: { ${key}: ${value}, stages: [{ name: Strict, approvers: anyone }] }`,
    ]);
    const request = await two.asking.open({ tool: { name: 'wire' }, arguments: { amount: 10 }, ...parts });
    const refused = await edit(ada, request, { amount: 600 });
    const { code, errors } = await json<{ code: string; errors: { path: string[]; message: string }[] }>(refused);
    expect([refused.status, code, errors]).toMatchObject([400, 'INVALID_INPUT', [{ path: ['arguments'] }]]);
    expect(errors[0]?.message).toContain(text);
    const { revision, policy, arguments: kept } = await ada.show(request.id);
    expect([revision, policy.name.split('@')[0], JSON.parse(kept)]).toEqual([1, 'wires', { amount: 10 }]);
    expect((await edit(ada, request, { amount: 400 })).status).toBe(200);
  });

  test('P20 an approval states the meaning of its signature, with the printed name and the time', async () => {
    const groups = [
      `{ name: Owner, approvers: [{ user: ${ada.user.email} }, { user: ${cleo.user.email} }], meaning: responsible }`,
      `{ name: Audit, approvers: [{ user: ${bob.user.email} }, { user: ${cleo.user.email} }], meaning: reviewed, deny: 2 }`,
    ];
    await applyPolicies(two.nodes[0].engine, [
      `policy: signed\nmatch: { tool: sign }\nrequire:\n  editable: { amount: { type: number } }\n  stages:\n    - { name: Sign, groups: [${groups.join(', ')}] }`,
    ]);
    const request = await two.asking.open({ tool: { name: 'sign' }, arguments: { amount: 1 } });
    await bob.vote(request, { action: 'decline', comment: 'Not yet.' });
    await act(bob, request, 'withdraw-vote');
    await cleo.vote(request);
    const edited = await json<OpenedElicitation>(edit(ada, request, { amount: 2 }));
    await ada.vote(edited);
    clock += 5000;
    await bob.vote(edited);
    const { status, votes, timeline, closedAt } = await cleo.show(request.id);
    expect([status, closedAt]).toEqual(['accepted', clock]);
    const [first, second, third] = [ada, bob, cleo].map(({ user }) => user.name);
    expect(votes).toMatchObject([
      { by: second, action: 'decline', meanings: [], stands: false },
      { by: third, action: 'accept', meanings: ['responsible', 'reviewed'], stands: false },
      { by: first, action: 'accept', meanings: ['responsible'], stands: true },
      { by: second, action: 'accept', meanings: ['reviewed'], stands: true, at: clock },
    ]);
    expect(timeline.slice(-2)).toMatchObject([
      { at: votes[2]?.at, by: { name: first }, event: { action: 'accept', meanings: ['responsible'] } },
      { at: clock, by: { name: second }, event: { action: 'accept', meanings: ['reviewed'] } },
    ]);
    expect((await entriesOf(two, request.id)).at(-1)).toMatchObject({
      type: 'elicitation.voted',
      meanings: ['reviewed'],
    });
  });

  test('P18 a vote gives the reason the policy asks for', async () => {
    await applyPolicies(two.nodes[0].engine, [
      `policy: reasons\nmatch: { tool: pay }\nrequire: { justification: { approver: { minLength: 10, like: "OPS-*" } }, stages: [{ name: One, approvers: anyone }] }`,
    ]);
    const request = await two.asking.open({ tool: { name: 'pay' } });
    for (const comment of [undefined, 'OPS-1', 'Because I said so']) {
      expect(await problem(await ada.vote(request, { comment }))).toEqual([400, 'INVALID_INPUT']);
    }
    expect((await ada.vote(request, { comment: 'OPS-12 needs it' })).status).toBe(200);
  });
});
