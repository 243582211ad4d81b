import { expect, test } from '@jest/globals';
import { guardPower } from '#policies/deciding/rules/decide';
import { secondAdministrator, strictDefault, type Requirement } from '#policies/document/rules/stages';
import type { ApproverSource } from '#policies/deciding/contract/clause';
import { factsOf } from '../users.ts';
import type { StagePlan } from '#policies/document/rules/verdict';

const [stage] = strictDefault.stages as [StagePlan];
const [group] = stage.groups as [StagePlan['groups'][number]];
const asking = (approvers: ApproverSource[], parts: Partial<StagePlan> = {}): Requirement => ({
  ...strictDefault,
  stages: [{ ...stage, name: 'Theirs', groups: [{ ...group, approvers }], ...parts }],
});
const stagesOf = (requirement: Requirement): string[] =>
  guardPower([requirement], defaults).stages.map(({ name }) => name);
const { defaults } = factsOf();
const administrators: ApproverSource = { kind: 'role', role: 'admin' };

test('without a policy another administrator accepts it', () => {
  expect(guardPower([], defaults)).toEqual(secondAdministrator());
});

test.each<[string, Requirement]>([
  ['anyone', asking([{ kind: 'anyone' }])],
  ['a group', asking([{ kind: 'group', name: 'Security' }])],
  ['approvers', asking([administrators, { kind: 'role', role: 'approver' }])],
  ['administrators, or another group', asking([administrators], { complete: 'any' })],
  [
    'administrators, until others are asked',
    asking([administrators], {
      escalation: {
        steps: [{ after: 1, mode: 'replace', approvers: [{ kind: 'anyone' }], approve: null, stage: null }],
        loops: 1,
        end: 'wait',
      },
    }),
  ],
])('where a policy asks %s, an administrator accepts it as well', (_who, requirement) => {
  expect(stagesOf(requirement)).toEqual(['Theirs', 'Second administrator']);
});

test('if a policy already asks administrators, no one is asked twice', () => {
  expect(stagesOf(asking([administrators]))).toEqual(['Theirs']);
});

test('it is of high risk, and gives no standing approval, whatever a policy says', () => {
  const grant = { longest: 1, uses: null, budget: null, same: [], ceiling: 'high' as const, review: null };
  const loose = { ...asking([administrators]), risk: 'low' as const, grant, editable: { to: {} } };
  expect(guardPower([loose], defaults)).toMatchObject({ risk: 'high', grant: null, editable: null, chat: null });
});

test('a policy that takes away the time to read does not take it away here', () => {
  const hasty = { ...asking([administrators]), readingTime: 0 };
  expect(guardPower([hasty], { ...defaults, readingTime: 5_000 })).toMatchObject({ readingTime: 5_000 });
});

test('of a space, its administrators accept it as well, unless a policy asks global ones', () => {
  const approversOf = ({ stages }: Requirement) =>
    stages.flatMap(({ groups }) => groups.map(({ approvers }) => approvers));
  const lead = { kind: 'user', email: 'lea@example.com' };
  expect(approversOf(guardPower([], defaults, [lead.email]))).toEqual([[administrators, lead]]);
  expect(approversOf(guardPower([asking([{ kind: 'anyone' }])], defaults, [lead.email]))).toEqual([
    [{ kind: 'anyone' }],
    [administrators, lead],
  ]);
  expect(approversOf(guardPower([asking([administrators])], defaults, [lead.email]))).toEqual([[administrators]]);
});
