import { describe, expect, test } from '@jest/globals';
import { checkSatisfiable } from '#policies/deciding/rules/stages';
import { directoryOf, user } from '../users.ts';
import { read } from '../policies.ts';
import { workOf } from '../../support/work.ts';

const users = directoryOf(
  user('ada', { groups: ['finance'], managerId: 'mona' }),
  user('ben', { groups: ['finance'] }),
  user('mona', { role: 'admin' }),
  user('olga'),
  user('vera', { role: 'reviewer', groups: ['audit'] }),
);
const lonely = directoryOf(user('ada'));

const stages = (approvers: string, more = '', head = '') =>
  read(`policy: a\n${head}\nrequire: { stages: [{ name: S, approvers: ${approvers}${more} }] }`);

describe('P6 at publishing, when no one asks yet', () => {
  test.each([
    ['{ group: finance }', ', approve: 2'],
    ['{ manager: requester }', ''],
    ['{ owner: server }', ''],
    ['anyone', ', approve: 4'],
    ['{ group: audit }', ', escalate: { after: 1h, add: { role: admin } }'],
    [`{ cel: 'user.name == request.args.name' }`, ', approve: 4'],
    [`{ cel: 'user.name.startsWith("A")' }`, ''],
  ])('%s%s can be satisfied', (approvers, more) => {
    expect(checkSatisfiable(stages(approvers, more), users)).toEqual({ ok: true });
  });

  test.each([
    [
      '{ group: finance }',
      ', approve: 3',
      'Stage S needs 3 approvals from the group finance, but only Ada and Ben can vote there.',
    ],
    ['{ group: audit }', '', 'Stage S needs 1 approval from the group audit, but no one can vote there.'],
    [
      'anyone',
      ', approve: 5',
      'Stage S needs 5 approvals from anyone who can vote, but only Ada, Ben, Mona and Olga can vote there.',
    ],
    ['{ manager: requester }', ', approve: 2', "but only the requester's manager can vote there."],
    [`{ cel: 'user.name == "Zoe"' }`, '', 'but no one can vote there.'],
  ])('%s%s is refused, with who is missing', (approvers, more, reason) => {
    expect(checkSatisfiable(stages(approvers, more), users)).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason),
    });
  });

  test.each([
    ['{ group: finanse }', '', 'There is no group finanse. Did you mean finance?'],
    ['[{ group: finanse }, { group: payroll }]', ', approve: 2', 'Did you mean finance? There is no group payroll.'],
    ['{ user: adda@example.com }', '', 'There is no person adda@example.com. Did you mean ada@example.com?'],
    ['{ user: vera@example.com }', '', 'Vera has a role that can’t vote.'],
    [
      '{ group: audit }',
      ', escalate: { after: 1h, add: { group: finanse } }',
      'There is no group finanse. Did you mean finance?',
    ],
    ['{ owner: server }', ', approve: 2', 'There is no MCP server bnak. Did you mean bank?', 'match: { server: bnak }'],
  ])('%s%s is refused, and says what there is not', (approvers, more, reason, head = '') => {
    const satisfiability = checkSatisfiable(stages(approvers, more, head), users);
    expect(satisfiability).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });

  test.each([
    ['[{ group: finance }, { group: finanse }]', '', 'Stage S: There is no group finanse. Did you mean finance?'],
    ['[{ role: aprover }, { role: admin }]', '', 'Stage S: There is no role aprover. Did you mean approver?'],
    [
      '[{ role: king }, { role: admin }]',
      '',
      'Stage S: Use admin, policy-author, operator, approver, reviewer, or a role under Settings → Roles: there is no role king.',
    ],
    ['[anyone, { user: vera@example.com }]', '', 'Stage S: Vera has a role that can’t vote.'],
    [
      'anyone',
      ', escalate: { after: 1h, replace: { user: nobody@example.com } }',
      'Stage S: after 1 hour, its escalation reaches no one. There is no person nobody@example.com.',
    ],
  ])('%s%s is refused for a name, though others would do', (approvers, more, reason) => {
    expect(checkSatisfiable(stages(approvers, more), users)).toEqual({ ok: false, reason });
  });

  test('a role that no one has, a server without an owner', () => {
    const sentenceFor = (approvers: string, head = '') => checkSatisfiable(stages(approvers, '', head), lonely);
    expect(sentenceFor('{ role: admin }')).toMatchObject({
      reason: expect.stringMatching(/ No one who can vote has the role admin\.$/),
    });
    const owned = sentenceFor('{ owner: server }', 'match: { server: bank }');
    expect(owned).toMatchObject({ reason: expect.stringMatching(/ bank has no owner\.$/) });
  });

  test('an existing group with too few members is not reported as unknown', () => {
    const satisfiability = checkSatisfiable(stages('{ group: finance }', ', approve: 3'), users);
    expect(satisfiability).toMatchObject({ reason: expect.not.stringContaining('There is no') });
  });

  test('no one has a manager, no server an owner', () => {
    expect(checkSatisfiable(stages('{ manager: requester }'), lonely).ok).toBe(false);
    expect(checkSatisfiable(stages('{ owner: server }'), lonely).ok).toBe(false);
  });

  test('the servers it names must have owners of their own', () => {
    const onTwo = stages('{ owner: server }', '', 'match: { server: [bank, shop] }');
    expect(checkSatisfiable(onTwo, users)).toMatchObject({
      ok: false,
      reason:
        'On shop: Stage S needs approval from the server’s owner, but no one can vote there. There is no MCP server shop.',
    });
    expect(checkSatisfiable(stages('{ owner: server }', '', 'match: { server: "b*" }'), users).ok).toBe(true);
  });

  test('its author, where excluded, does not count', () => {
    const text =
      'policy: a\nrequire: { stages: [{ name: S, approvers: { role: admin } }], separation: { author: true } }';
    expect(checkSatisfiable(read(text), users, 'olga')).toEqual({ ok: true });
    expect(checkSatisfiable(read(text), users, 'mona')).toMatchObject({
      ok: false,
      reason: 'Stage S needs 1 approval from administrators, but no one can vote there. Excluded there: Mona.',
    });
  });

  test('stages that need different people are counted together', () => {
    const text = (approvers: string) =>
      `policy: a\nrequire: { stages: [{ name: A, approvers: { group: finance } }, { name: B, approvers: ${approvers}, approve: 2 }], separation: { earlierVoters: true } }`;
    expect(checkSatisfiable(read(text('{ group: finance }')), users)).toMatchObject({
      ok: false,
      reason: 'Stages A and B need 3 different people, but only Ada and Ben can vote in them.',
    });
    expect(checkSatisfiable(read(text('anyone')), users)).toEqual({ ok: true });
  });

  test('a freeze needs someone too, even if everything is allowed', () => {
    const text = (group: string) =>
      `policy: a\nallow: { freeze: [{ name: F, from: 2026-01-01T00:00:00Z, until: 2026-01-02T00:00:00Z, approvers: { group: ${group} } }] }`;
    expect(checkSatisfiable(read(text('finance')), users)).toEqual({ ok: true });
    expect(checkSatisfiable(read(text('audit')), users).ok).toBe(false);
    expect(checkSatisfiable(read('policy: a\ndeny: { reason: No. }'), directoryOf())).toEqual({ ok: true });
  });
});

test('an expression about each of many people takes a share of the steps for each', () => {
  const many = directoryOf(...Array.from({ length: 500 }, (_, at) => user(`p${at}`, { groups: ['emea'] })));
  const list = JSON.stringify(Array.from({ length: 50 }, (_, at) => at));
  const costly = `{ cel: '${list}.all(x, ${list}.all(y, x + y >= 0))' }`;
  const twenty = stages(`[${Array(20).fill(costly).join(', ')}]`);
  const work = workOf(() => expect(checkSatisfiable(twenty, many)).toMatchObject({ ok: false }));
  expect(work).toBeLessThan(80);
  expect(checkSatisfiable(stages(`{ cel: '"emea" in user.groups' }`, ', approve: 50'), many).ok).toBe(true);
  expect(checkSatisfiable(stages(costly), lonely).ok).toBe(true);
});
