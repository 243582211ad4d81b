import { describe, expect, test } from '@jest/globals';
import { decide } from '#policies/deciding/rules/decide';
import type { Directory } from '#policies/document/rules/directory';
import type { Facts } from '#policies/document/rules/document';
import { resolveStages, type Before, type Resolution } from '#policies/deciding/rules/stages';
import { directoryOf, factsOf, user } from '../users.ts';
import { bookOf } from '../policies.ts';

const users = directoryOf(
  user('rita', { managerId: 'mona', groups: ['finance'], subjects: ['rita-at-idp'] }),
  user('mona', { role: 'admin' }),
  user('ada', { groups: ['finance', 'emea'] }),
  user('ben', { groups: ['finance', 'audit'] }),
  user('olga'),
  user('vera', { role: 'reviewer', groups: ['finance', 'audit'] }),
  user('author', { groups: ['audit'] }),
);

/** The stages of one policy, whose `require` this is, with their persons. */
function resolve(rule: string, { directory = users, facts = factsOf(), before = {} }: Partial<Given> = {}): Resolution {
  const { stages } = decide(bookOf(`policy: a\nrequire: { ${rule} }`), facts);
  return resolveStages(stages, directory, facts, before);
}

interface Given {
  directory: Directory;
  facts: Facts;
  before: Before;
}

const stageFor = (approvers: string, more = ''): string => `stages: [{ name: S, approvers: ${approvers}${more} }]`;
const firstGroup = (resolution: Resolution) => resolution.stages[0]?.groups[0];

describe('P6 the sources of approvers', () => {
  test.each([
    ['anyone', 'anyone'],
    ['{ user: ADA@Example.com }', ['ada']],
    ['{ group: finance }', ['ada', 'ben']],
    ['{ role: admin }', ['mona']],
    ['{ role: approver }', ['ada', 'ben', 'olga', 'author']],
    ['{ manager: requester }', ['mona']],
    ['{ owner: server }', ['olga']],
    [`{ cel: '"emea" in user.groups' }`, ['ada']],
    [`{ cel: 'user.role == "admin" || user.email.startsWith("o")' }`, ['mona', 'olga']],
    [`{ cel: 'request.args.amount > 1000 && user.name == "Ben"' }`, ['ben']],
    ['[{ group: emea }, { group: finance }, { owner: server }]', ['ada', 'ben', 'olga']],
    ['[{ group: emea }, anyone]', 'anyone'],
  ])('%s', (source, expected) => {
    const resolution = resolve(stageFor(source));
    expect(resolution).toMatchObject({ ok: true });
    expect(firstGroup(resolution)?.approvers).toEqual(expected);
  });

  test.each([
    ['{ user: vera@example.com }', 'no one can vote there'],
    ['{ group: nobody }', 'needs 1 approval from the group nobody'],
    ['{ user: gone@example.com }', 'needs approval from gone@example.com'],
    [`{ cel: 'user.name == request.args.missing' }`, 'no one can vote there'],
    [`{ cel: 'request.args.amount' }`, 'no one can vote there'],
  ])('%s names no one who may vote', (source, reason) => {
    const resolution = resolve(stageFor(source));
    expect(resolution).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
    expect(firstGroup(resolution)?.approvers).toEqual([]);
  });

  test('the requester has no manager if they are unknown or unverified, or if the manager may not vote', () => {
    const stranger = factsOf({ requester: { subject: 'stranger' } });
    expect(resolve(stageFor('{ manager: requester }'), { facts: stranger })).toMatchObject({
      ok: false,
      reason: 'Stage S needs approval from the requester’s manager, but no one can vote there.',
    });
    const claim = factsOf({ requester: { verified: false } });
    expect(resolve(stageFor('{ manager: requester }'), { facts: claim })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('The requester’s identity isn’t verified.'),
    });
    const directory = directoryOf(user('rita', { managerId: 'vera' }), user('vera', { role: 'reviewer' }));
    expect(resolve(stageFor('{ manager: requester }'), { directory }).ok).toBe(false);
  });
});

describe('P3, P4 how many', () => {
  test.each([
    ['"50%"', '{ group: finance }', 1],
    ['"51%"', '{ group: finance }', 2],
    ['"100%"', '{ group: finance }', 2],
    ['"1%"', '{ group: finance }', 1],
    ['"50%"', 'anyone', 3],
    ['2', '{ group: finance }', 2],
  ])('P4 %s of %s are %d of those who may vote then', (approve, source, expected) => {
    expect(firstGroup(resolve(stageFor(source, `, approve: ${approve}`)))?.approve).toBe(expected);
  });

  test('P4 the persons a share is of are named, so that later changes do not move it', () => {
    expect(firstGroup(resolve(stageFor('anyone', ', approve: "50%"')))?.approvers).toEqual([
      'mona',
      'ada',
      'ben',
      'olga',
      'author',
    ]);
  });

  test('P3 a person in two sources of a group is in it once', () => {
    const resolution = resolve(
      stageFor('[{ group: finance }, { group: emea }, { user: ada@example.com }]', ', approve: 3'),
    );
    expect(resolution).toMatchObject({
      ok: false,
      reason:
        'Stage S needs 3 approvals from the group finance, the group emea or ada@example.com, but only Ada and Ben can vote there. Excluded there: Rita (the requester).',
      outline: 'Stage S needs 3 people, but only 2 can vote there.',
    });
  });

  test('P3 two groups of a stage need two persons, even if one is in both', () => {
    const groups = (second: string) =>
      `stages: [{ name: S, groups: [{ name: A, approvers: { group: emea } }, { name: B, approvers: ${second} }] }]`;
    expect(resolve(groups('{ group: finance }')).ok).toBe(true);
    expect(resolve(groups('{ user: ada@example.com }'))).toMatchObject({
      ok: false,
      reason: 'Stage S needs 2 different people for its groups, but only Ada can vote there.',
      outline: 'Stage S needs 2 different people for its groups, but only 1 can vote there.',
    });
  });

  test('of groups any of which will do, one that can be complete is enough', () => {
    const groups = 'groups: [{ name: A, approvers: { group: nobody } }, { name: B, approvers: { group: emea } }]';
    expect(resolve(`stages: [{ name: S, complete: any, ${groups} }]`).ok).toBe(true);
    expect(resolve(`stages: [{ name: S, complete: all, ${groups} }]`)).toMatchObject({
      ok: false,
      reason:
        'Stage S, A, needs 1 approval from the group nobody, but no one can vote there. There is no group nobody.',
      outline: 'Stage S, A, needs 1 person, but no one can vote there.',
    });
  });
});

describe('P7 who may not vote', () => {
  test.each<[string, Partial<Facts['requester']>]>([
    ['by address', { subject: 'rita@example.com' }],
    ['by address in other letters', { subject: 'RITA@Example.COM' }],
    ['by one of their subjects', { subject: 'rita-at-idp' }],
    ['even where no one verified the subject', { subject: 'rita-at-idp', verified: false }],
  ])('the requester is known %s', (_name, requester) => {
    const resolution = resolve(stageFor('anyone'), { facts: factsOf({ requester }) });
    expect(resolution.stages[0]?.excluded).toEqual(['rita']);
  });

  test.each([
    ['{ user: rita@example.com }'],
    ['{ manager: requester }'],
    ['{ owner: server }'],
    [`{ cel: 'user.id == "rita"' }`],
    ['{ group: only }'],
    ['{ role: admin }'],
  ])('the requester is no one of %s', (source) => {
    const rita = user('rita', { managerId: 'rita', role: 'admin', groups: ['only'] });
    const directory = { users: [rita], servers: [{ name: 'bank', ownerId: 'rita' }], groups: ['only'] };
    const resolution = resolve(stageFor(source), { directory });
    expect(resolution).toMatchObject({ ok: false, reason: expect.stringContaining('Rita (the requester)') });
    expect(firstGroup(resolution)?.approvers).toEqual([]);
    expect(resolution.stages[0]?.excluded).toEqual(['rita']);
  });

  test.each<[string, string, Before, string[]]>([
    ['agentOwner: true', 'olga', {}, ['rita', 'olga']],
    ['author: true', 'author', {}, ['rita', 'author']],
    ['editor: true', 'ben', { editors: ['ben'] }, ['rita', 'ben']],
  ])('with %s %s may not', (separation, out, before, excluded) => {
    const rule = `${stageFor('anyone')}, separation: { ${separation} }`;
    expect(resolve(rule, { before }).stages[0]?.excluded).toEqual(excluded);
    expect(resolve(stageFor('anyone'), { before }).stages[0]?.excluded).toEqual(['rita']);
    const own = resolve(`${stageFor(`{ user: ${out}@example.com }`)}, separation: { ${separation} }`, { before });
    expect(own).toMatchObject({ ok: false });
  });

  test('with earlierVoters every stage needs other persons', () => {
    const two = (more: string, second = '{ group: finance }') =>
      `stages: [{ name: A, approvers: { group: finance } }, { name: B, approvers: ${second}, approve: 2 }]${more}`;
    const fresh = ', separation: { earlierVoters: true }';
    expect(resolve(two('')).ok).toBe(true);
    expect(resolve(two(''))).toMatchObject({ stages: [{ freshVoters: false }, { freshVoters: false }] });
    expect(resolve(two(fresh))).toMatchObject({
      ok: false,
      reason: 'Stages A and B need 3 different people, but only Ada and Ben can vote in them.',
      outline: 'Stages A and B need 3 different people, but only 2 can vote in them.',
      stages: [{ freshVoters: true }, { freshVoters: true }],
    });
    expect(resolve(two(fresh, '[{ group: finance }, { role: admin }]')).ok).toBe(true);
  });

  test('with earlierVoters a stage of anyone is short once all have voted', () => {
    const rule = `${stageFor('anyone')}, separation: { earlierVoters: true }`;
    const voters = ['mona', 'ada', 'ben', 'olga'];
    expect(resolve(rule, { before: { voters } }).ok).toBe(true);
    expect(resolve(rule, { before: { voters: [...voters, 'author'] } })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('no one can vote there'),
    });
  });

  test.each([
    ['first', '{ name: A, approvers: { user: ada@example.com } }', 'A'],
    ['second', '{ name: A, approvers: anyone }, { name: B, approvers: { user: ada@example.com } }', 'B'],
  ])('a plain %s stage and a later fresh one need two persons', (_which, plain, name) => {
    const fresh = (approver: string): string =>
      `policy: b\nwhen: request.args.missing == 1\nrequire: { stages: [{ name: C, approvers: { user: ${approver}@example.com } }], separation: { earlierVoters: true } }`;
    const resolveFor = (approver: string): Resolution => {
      const { stages } = decide(bookOf(`policy: a\nrequire: { stages: [${plain}] }`, fresh(approver)), factsOf());
      return resolveStages(stages, users, factsOf());
    };
    expect(resolveFor('ben').ok).toBe(true);
    const reason = `Stages ${name} and C need 2 different people, but only Ada can vote in them.`;
    expect(resolveFor('ada')).toMatchObject({ ok: false, reason });
  });

  test('with earlierVoters a share is of those who have not voted yet', () => {
    const rule = `${stageFor('{ group: finance }', ', approve: "100%"')}, separation: { earlierVoters: true }`;
    expect(firstGroup(resolve(rule, { before: { voters: ['ada'] } }))).toMatchObject({
      approve: 1,
      approvers: ['ben'],
    });
    expect(resolve(rule, { before: { voters: ['ada', 'ben'] } }).ok).toBe(false);
  });
});

describe('P9 escalation', () => {
  const rule = (approvers: string, escalate: string) => stageFor(approvers, `, escalate: ${escalate}`);

  test('its steps get their persons, without those who may not vote', () => {
    const steps =
      '{ after: [{ after: 10m, add: { role: admin } }, { after: 1h, replace: anyone }], loops: 2, then: deny }';
    expect(resolve(rule('{ group: finance }', steps)).stages[0]?.escalation).toEqual({
      steps: [
        { after: 600_000, mode: 'add', approvers: ['mona'] },
        { after: 3_600_000, mode: 'replace', approvers: ['mona', 'ada', 'ben', 'olga', 'author'] },
      ],
      loops: 2,
      end: 'deny',
    });
  });

  test('whom it brings counts when it is asked whether the stage can be completed', () => {
    expect(resolve(rule('{ group: nobody }', '{ after: 10m, add: { role: admin } }')).ok).toBe(true);
    expect(resolve(rule('{ group: nobody }', '{ after: 10m, add: { user: vera@example.com } }')).ok).toBe(false);
  });
});
