import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mayCast } from '#requests/machine/rules/machine';
import { begin, dueTimer, step, type Step } from '#requests/machine/rules/step';
import type { Stage } from '#requests/voting/contract/stages';
import { checkSatisfiable, resolveStages } from '#policies/deciding/rules/stages';
import { planStages } from '#policies/document/rules/stages';
import { read, readRule } from '../policies.ts';
import { directoryOf, factsOf, user } from '../users.ts';
import { isNight } from '../../support/runs.ts';

const ids = ['ada', 'ben', 'cleo', 'dan', 'eve'];
const people = directoryOf(
  ...ids.map((id) => user(id, { groups: id < 'c' ? ['finance'] : [] })),
  user('cfo'),
  user('vera', { role: 'reviewer' }),
);
const day = 86_400_000;

const stage = (terms: string): string => `policy: a\nrequire: { stages: [{ name: Pay, ${terms} }] }`;
const check = (terms: string) => checkSatisfiable(read(stage(terms)), people);

describe('an escalation that no one could complete is refused, with what to write', () => {
  test.each([
    [
      'approvers: { group: finance }, approve: 2, escalate: { after: 30m, replace: { user: cfo@example.com } }',
      'Stage Pay: after 30 minutes, only Cfo can vote, but 2 approvals are needed: write `approve: 1` under `escalate`, or name more people.',
    ],
    [
      'approvers: { group: finance }, approve: 2, escalate: { after: 30m, replace: { user: cso@example.com } }',
      'Stage Pay: after 30 minutes, its escalation reaches no one. There is no person cso@example.com. Did you mean cfo@example.com?',
    ],
    [
      'approvers: anyone, approve: 3, escalate: { after: 1h, replace: { group: finance } }',
      'Stage Pay: after 1 hour, only Ada and Ben can vote, but 3 approvals are needed: write `approve: 2` under `escalate`, or name more people.',
    ],
    [
      'approvers: { user: ada@example.com }, escalate: { after: [{ after: 1h, add: { group: finance }, approve: 2 }, { after: 2h, add: { user: cfo@example.com }, approve: 4 }] }',
      'Stage Pay: after 2 hours, only Ada, Ben and Cfo can vote, but 4 approvals are needed: write `approve: 3` under `escalate`, or name more people.',
    ],
    [
      'approvers: { group: finance }, escalate: { after: 30m, stage: { name: CFO, approve: 2, approvers: { user: cfo@example.com } } }',
      'Stage Pay, after 30 minutes: Stage CFO needs 2 approvals from cfo@example.com, but only Cfo can vote there.',
    ],
    [
      'approvers: { group: finance }, escalate: { after: 30m, stage: { name: CFO, approvers: { group: cfos } } }',
      'Stage Pay, after 30 minutes: Stage CFO needs 1 approval from the group cfos, but no one can vote there. There is no group cfos.',
    ],
    [
      'approvers: { group: finance }, escalate: { after: 30m, stage: { name: Both, groups: [{ name: A, approvers: { user: cfo@example.com } }, { name: B, approvers: { user: cfo@example.com } }] } }',
      'Stage Pay, after 30 minutes: Stage Both needs 2 different people for its groups, but only Cfo can vote there.',
    ],
  ])('%s', (terms, reason) => {
    expect(check(terms)).toEqual({ ok: false, reason });
  });

  test.each([
    'approvers: { group: finance }, approve: 2, escalate: { after: 30m, replace: { user: cfo@example.com }, approve: 1 }',
    'approvers: { group: finance }, approve: 2, escalate: { after: 30m, add: { user: cfo@example.com } }',
    'approvers: { group: finance }, approve: 2, escalate: { after: 30m, stage: { name: CFO, approvers: { user: cfo@example.com } } }',
    'approvers: { user: ada@example.com }, approve: 2, escalate: { after: 30m, add: { user: cfo@example.com } }',
    'approvers: { group: finance }, approve: 2, escalate: { after: [{ after: 1h, replace: { user: cfo@example.com } }, { after: 2h, add: anyone }] }',
  ])('%s is fine', (terms) => {
    expect(check(terms)).toEqual({ ok: true });
  });
});

const some = fc.subarray(ids, { minLength: 1 });
const sources = (names: string[]) => `[${names.map((id) => `{ user: ${id}@example.com }`).join(', ')}]`;
const approve = fc.option(fc.integer({ min: 1, max: 3 }), { nil: null });
const escalationStep = fc.record({ mode: fc.constantFrom('add', 'replace', 'stage'), names: some, approve });
const writeGroup = ({ names, approve: need }: { names: string[]; approve: number | null }) =>
  `approvers: ${sources(names)}${need === null ? '' : `, approve: ${need}`}`;
const stages = fc
  .record({
    groups: fc.array(fc.record({ names: some, approve }), { minLength: 1, maxLength: 2 }),
    complete: fc.constantFrom('all', 'any'),
    steps: fc.array(escalationStep, { maxLength: 3 }),
    loops: fc.integer({ min: 1, max: 2 }),
  })
  .map(({ groups, complete, steps, loops }) => {
    const after = steps.map((each, at) => {
      const own = each.approve === null ? '' : `, approve: ${each.approve}`;
      if (each.mode === 'stage')
        return `{ after: ${at + 1}h, stage: { name: Else ${at}, approvers: ${sources(each.names)}${own} } }`;
      return `{ after: ${at + 1}h, ${each.mode}: ${sources(each.names)}${own} }`;
    });
    const named = groups.map((group, at) => `{ name: G${at}, ${writeGroup(group)} }`).join(', ');
    return `groups: [${named}], complete: ${complete}${after.length === 0 ? '' : `, escalate: { after: [${after.join(', ')}], loops: ${loops} }`}`;
  });

const resolved = (terms: string): Stage[] => {
  const rule = readRule(stage(terms));
  if (rule.outcome !== 'require') throw new TypeError('the policy requires nothing');
  const resolution = resolveStages(planStages(rule, null), people, factsOf());
  expect(resolution.ok).toBe(true);
  return resolution.stages;
};

const start = (terms: string): Step =>
  begin({
    audience: 'approvers',
    mode: 'form',
    stages: resolved(terms),
    openedAt: 0,
    deadlineAt: 30 * day,
    onTimeout: 'expire',
    notBefore: null,
    reminders: [],
  });

const ablePeople = ({ state }: Step) => ids.filter((by) => mayCast(state.context, { by }));
const yes = ({ state }: Step, by: string): Step =>
  step(state, { type: 'vote', by, action: 'accept', at: state.context.now });
function wait({ state }: Step): Step | null {
  const due = dueTimer(state, Infinity);
  return due === null || due.at >= 30 * day ? null : step(state, { type: 'timer', key: due.key, at: due.at });
}

/** Everyone who can vote says yes, and time goes by if that is not enough. */
function goOn(from: Step): Step {
  let now: Step | null = from;
  let last = from;
  while (now?.status === 'open') {
    last = now;
    const [by] = ablePeople(now);
    now = by === undefined ? wait(now) : yes(now, by);
  }
  return now ?? last;
}

test('no policy that passes can come to where no one can decide while time remains, whoever has voted before', () => {
  let passed = 0;
  fc.assert(
    fc.property(stages, fc.infiniteStream(fc.nat(9)), (terms, choices) => {
      if (!check(terms).ok) return;
      passed += 1;
      let now = start(terms);
      for (const choice of choices) {
        expect(goOn(now).status).toBe('accepted');
        const able = ablePeople(now);
        const next = choice < 5 && able.length > 0 ? yes(now, able[choice % able.length] ?? '') : wait(now);
        if (next === null || next.status !== 'open') break;
        now = next;
      }
    }),
    { numRuns: isNight ? 10_000 : 400 },
  );
  expect(passed).toBeGreaterThan(20);
});

test('a stage that takes the place of another begins without votes, in each round in which it does', () => {
  const own = 'stage: { name: Else, approve: 2, approvers: [{ user: ada@example.com }, { user: cleo@example.com }] }';
  const terms = `approvers: { group: finance }, approve: 2, escalate: { after: [{ after: 30m, ${own} }], loops: 2 }`;
  const before = yes(start(terms), 'ada');
  const after = wait(before) as Step;
  expect(after.topic).toBe('escalated');
  expect(after.state.context).toMatchObject({ votes: [], stages: [{ name: 'Else', groups: [{ approve: 2 }] }] });
  expect(ablePeople(after)).toEqual(['ada', 'cleo']);
  // The second round finds it there already, and takes no vote away.
  const again = wait(yes(after, 'cleo')) as Step;
  expect(again.state.context.votes.map(({ by }) => by)).toEqual(['cleo']);
  expect(yes(again, 'ada').status).toBe('accepted');
});

test('time alone never approves: with a number of its own, a step begins the stage again', () => {
  const terms =
    'approvers: [{ user: ada@example.com }, { user: ben@example.com }], approve: 2, escalate: { after: 30m, replace: { user: ada@example.com }, approve: 1 }';
  const before = yes(start(terms), 'ada');
  const after = wait(before);
  expect(after).toMatchObject({ status: 'open', topic: 'escalated' });
  expect(after?.state.context.votes).toEqual([]);
  expect(after && ablePeople(after)).toEqual(['ada']);
  expect(after && yes(after, 'ada').status).toBe('accepted');
});
