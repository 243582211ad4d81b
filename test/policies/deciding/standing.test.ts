import { describe, expect, test } from '@jest/globals';
import type { VoteAction } from '#requests/asking/contract/elicitation';
import { compileBook, type PolicyBook } from '#policies/deciding/rules/book';
import { revalidateApproval, type Approval } from '#policies/deciding/rules/standing';
import { resolveStages } from '#policies/deciding/rules/stages';
import type { Directory, DirectoryUser } from '#policies/document/rules/directory';
import { planStages } from '#policies/document/rules/stages';
import { read, readRule } from '../policies.ts';
import { directoryOf, factsOf, user } from '../users.ts';

const rita = user('rita', { managerId: 'mia' });
const house = (...changed: DirectoryUser[]): Directory => {
  const usual = [
    rita,
    user('mia'),
    user('ada', { groups: ['finance', 'security'] }),
    user('bob', { groups: ['security'] }),
    user('cleo', { role: 'admin', mayBreakGlass: true }),
    user('olga'),
  ];
  return directoryOf(...usual.map((user) => changed.find(({ id }) => id === user.id) ?? user));
};
const empty = compileBook([]);

/** What these votes made of a request under this policy, in the house as it usually is. */
function approve(require: string, ...votes: [by: string, stage?: number, action?: VoteAction][]): Approval {
  const rule = readRule(`policy: p\nrequire:\n  ${require}`);
  if (rule.outcome !== 'require') throw new TypeError('it must require');
  const plans = planStages(rule, null);
  const { stages } = resolveStages(plans, house(), factsOf());
  const cast = votes.map(([by, stage = 0, action = 'accept']) => ({ by, stage, action }));
  return { stages, plans, votes: cast, breakGlassBy: null };
}
const lapse = (approval: Approval, directory: Directory, book: PolicyBook = empty) =>
  revalidateApproval(approval, factsOf(), { directory, book });
const lost = (id: string) => ({ because: 'user', user: id });

describe('an approval stands', () => {
  test.each([
    ['anyone', 'olga'],
    ['{ user: ada@example.com }', 'ada'],
    ['{ group: finance }', 'ada'],
    ['{ role: admin }', 'cleo'],
    ['{ manager: requester }', 'mia'],
    ['{ owner: server }', 'olga'],
    [`{ cel: '"security" in user.groups' }`, 'bob'],
  ])('while its voter is asked by %s', (source, voter) => {
    expect(lapse(approve(`stages: [{ name: One, approvers: [${source}] }]`, [voter]), house())).toBeNull();
  });
});

describe('an approval lapses', () => {
  test.each([
    ['who left the group', '{ group: finance }', 'ada', house(user('ada', { groups: ['security'] }))],
    ['who has another role', '{ role: admin }', 'cleo', house(user('cleo'))],
    ['who is no longer the manager', '{ manager: requester }', 'mia', house({ ...rita, managerId: 'bob' })],
    ['whom the condition no longer means', `{ cel: '"security" in user.groups' }`, 'bob', house(user('bob'))],
    ['who became a reviewer', 'anyone', 'olga', house(user('olga', { role: 'reviewer' }))],
    ['who is known to have asked', 'anyone', 'bob', house(user('bob', { subjects: ['rita@example.com'] }))],
  ])('with the vote of one %s', (_name, source, voter, changed) => {
    expect(lapse(approve(`stages: [{ name: One, approvers: [${source}] }]`, [voter]), changed)).toEqual(lost(voter));
  });

  test('with a voter who is gone, and with the server’s new owner where the policy keeps the owner out', () => {
    const anyone = approve('stages: [{ name: One, approvers: anyone }]', ['bob']);
    const without = { ...house(), users: house().users.filter(({ id }) => id !== 'bob') };
    expect(lapse(anyone, without)).toEqual(lost('bob'));
    const apart = approve('separation: { agentOwner: true }\n  stages: [{ name: One, approvers: anyone }]', ['bob']);
    expect(lapse(apart, house())).toBeNull();
    const owned = { ...house(), servers: [{ name: 'bank', ownerId: 'bob' }] };
    expect([lapse(apart, owned), lapse(anyone, owned)]).toEqual([lost('bob'), null]);
  });

  test('if someone voted for a person who is no longer asked', () => {
    const approval = approve('stages: [{ name: One, approvers: [{ group: finance }] }]');
    const delegated = { ...approval, votes: [{ by: 'olga', for: 'ada', stage: 0, action: 'accept' as const }] };
    expect(lapse(delegated, house())).toBeNull();
    expect(lapse(delegated, house(user('ada')))).toEqual(lost('ada'));
  });

  test('where the votes that are left cannot fill all seats', () => {
    const groups = '[{ name: F, approvers: { group: finance } }, { name: S, approvers: { group: security } }]';
    const both = approve(`stages: [{ name: One, groups: ${groups} }]`, ['ada'], ['bob']);
    expect(lapse(both, house())).toBeNull();
    expect(lapse(both, house(user('ada', { groups: ['security'] })))).toEqual(lost('ada'));
  });

  test('if a policy in force denies it, also past its policy', () => {
    const document = read('policy: stop\nmatch: { tool: transfer }\ndeny: { reason: Not today. }');
    const denying = compileBook([{ document, version: 3, authorId: null }]);
    const approval = approve('stages: [{ name: One, approvers: anyone }]', ['bob']);
    const denied = { because: 'policy', policy: 'stop@3', reason: 'Not today.' };
    expect(lapse(approval, house(), denying)).toEqual(denied);
    expect(lapse({ ...approval, votes: [], breakGlassBy: 'cleo' }, house(), denying)).toEqual(denied);
  });

  test('if the one who broke the glass may no longer do so', () => {
    const past = { ...approve('stages: [{ name: One, approvers: anyone }]'), breakGlassBy: 'cleo' };
    expect(lapse(past, house())).toBeNull();
    expect(lapse(past, house(user('cleo', { role: 'admin' })))).toEqual(lost('cleo'));
    const existing = user('cleo', { mayBreakGlass: true, subjects: ['rita@example.com'] });
    expect(lapse(past, house(existing))).toEqual(lost('cleo'));
  });
});

describe('a vote that is lost', () => {
  test('costs nothing if the remaining votes are enough', () => {
    const any =
      '{ name: One, complete: any, groups: [{ name: F, approvers: { group: finance } }, { name: S, approvers: { group: security } }] }';
    const approval = approve(`stages: [${any}]`, ['ada'], ['bob']);
    expect(lapse(approval, house(user('bob')))).toBeNull();
  });

  test('for a refusal that held up another group approves nothing', () => {
    const two =
      '{ name: One, complete: any, groups: [{ name: F, approvers: [{ user: ada@example.com }, { user: olga@example.com }] }, { name: S, approvers: { user: bob@example.com } }] }';
    const approval = approve(`stages: [${two}]`, ['ada'], ['olga', 0, 'decline'], ['bob']);
    expect(lapse(approval, house())).toBeNull();
    const gone = house(user('olga', { role: 'reviewer' }), user('bob', { role: 'reviewer' }));
    expect(lapse(approval, gone)).toEqual(lost('bob'));
  });

  test('of an escalation stands while a source of a step that was taken asks for them', () => {
    const escalation = '{ after: 1h, add: { user: olga@example.com } }';
    const approval = approve(`stages: [{ name: One, approvers: { group: finance }, escalate: ${escalation} }]`, [
      'olga',
    ]);
    const request = approval.stages.map((stage) => ({
      ...stage,
      groups: stage.groups.map((group) => ({ ...group, approvers: ['ada', 'olga'] })),
    }));
    expect(lapse({ ...approval, stages: request }, house())).toEqual(lost('olga'));
    const next = request.map((stage) => ({
      ...stage,
      ...(stage.escalation && {
        escalation: { ...stage.escalation, steps: stage.escalation.steps.map((step) => ({ ...step, taken: true })) },
      }),
    }));
    expect(lapse({ ...approval, stages: next }, house())).toBeNull();
  });

  test('of a stage that took the place of another stands by its own sources, and by what came since', () => {
    const steps =
      '[{ after: 1h, add: { user: olga@example.com } }, { after: 2h, stage: { name: Board, approvers: { group: security } } }, { after: 3h, add: { user: cleo@example.com } }]';
    const approval = approve(`stages: [{ name: One, approvers: { group: finance }, escalate: { after: ${steps} } }]`, [
      'bob',
    ]);
    const inPlace = (since: number[], ...approvers: string[]) =>
      approval.stages.map((stage) => ({
        ...stage,
        name: 'Board',
        groups: stage.groups.map((group) => ({ ...group, approvers })),
        replacement: { step: 1, since },
      }));
    const of = (by: string, since: number[] = []): Approval => ({
      ...approval,
      stages: inPlace(since, 'ada', 'bob', 'olga', 'cleo'),
      votes: [{ by, stage: 0, action: 'accept' }],
    });
    expect(lapse(of('bob'), house())).toBeNull();
    // Ada is in both groups: that of the stage before keeps no vote.
    expect(lapse(of('ada'), house(user('ada', { groups: ['finance'] })))).toEqual(lost('ada'));
    expect(lapse(of('ada'), house(user('ada', { groups: ['security'] })))).toBeNull();
    // A step before it is over; one that came since counts.
    expect(lapse(of('olga'), house())).toEqual(lost('olga'));
    expect([lapse(of('cleo'), house()), lapse(of('cleo', [2]), house())]).toEqual([lost('cleo'), null]);
  });

  test('is not made good by a person who was not asked', () => {
    const approval = approve('stages: [{ name: One, approvers: { group: finance } }]', ['bob']);
    expect(lapse(approval, house(user('bob', { groups: ['finance'] })))).toEqual(lost('bob'));
  });
});
