import { describe, expect, test } from '@jest/globals';
import { retiringDocument } from '../../../web/src/pages/policies/text/choose-outcome.ts';
import { editPolicy, type Edit } from '../../../web/src/pages/policies/text/edit-policy.ts';
import { readPolicyParts, writeSources } from '../../../web/src/pages/policies/text/policy-parts.ts';

const text = `# Written by Ada
policy: large-transfers # the name
match:
  server: bank # only this one
  tool: [ transfer, "pay-*" ]
require:
  stages:
    - name: Manager # first
      approvers: { manager: requester }
      escalate: { after: 10m, add: { role: admin } }
  reminders: [ 1h ]
  deadline: 24h
`;
const edited = (...edits: Edit[]) => editPolicy(text, edits);

describe('the parts of a policy in its text', () => {
  test('are read for the form, and what the form does not show is named', () => {
    expect(readPolicyParts(text)).toMatchObject({
      policy: 'large-transfers',
      server: ['bank'],
      tool: ['transfer', 'pay-*'],
      outcome: 'require',
      deadline: '24h',
      beyond: ['reminders'],
      stages: [
        {
          name: 'Manager',
          isShort: true,
          groups: [{ path: ['require', 'stages', 0], approvers: [{ kind: 'manager', value: 'requester' }] }],
          escalation: { steps: [{ after: '10m', mode: 'add', approvers: [{ kind: 'role', value: 'admin' }] }] },
        },
      ],
    });
  });

  test('of an escalation with a stage of its own only that is read', () => {
    const stage = '{ name: S, approvers: anyone, escalate: { after: 1h, stage: { name: T, approvers: anyone } } }';
    expect(readPolicyParts(`require: { stages: [${stage}] }`)).toMatchObject({
      stages: [{ escalation: { hasStage: true, steps: [{ after: '1h' }] } }],
    });
    expect(readPolicyParts(text)).toMatchObject({ stages: [{ escalation: { hasStage: false } }] });
  });

  test('of pace, notifications and later looks are read', () => {
    const paced = 'require: { pace: { approvals: 10, within: 5m }, notify: { channels: [push], urgent: true } }';
    expect(readPolicyParts(paced)).toMatchObject({
      pace: { approvals: '10', hasty: '', within: '5m' },
      notify: { channels: ['push'], isUrgent: true },
      beyond: [],
    });
    expect(readPolicyParts('allow: { sample: 5% }')).toMatchObject({ sample: '5%', pace: null, beyond: [] });
  });

  test('of several rules only their number is read: the text alone shows them', () => {
    const several = 'policy: a\nrules:\n  - when: request.args.a\n    allow: {}\n  - deny: { reason: No. }\n';
    expect(readPolicyParts(several)).toMatchObject({ policy: 'a', outcome: null, rules: 2, beyond: [] });
    expect(readPolicyParts(text)).toMatchObject({ rules: null });
    expect(retiringDocument('a', several)).toBe('policy: a\nretire: { reason: "" }\n');
  });

  test.each(['a: [', '- a', 'just words', 'a: 1\na: 2'])('%j is for the text alone', (broken) => {
    expect(readPolicyParts(broken)).toBeNull();
  });

  test.each(['policy:\nrequire:\n', 'require: 7', 'require:\n  stages: [1, null]', 'match: []\nallow:\n'])(
    'the half-written %j is read without a fault',
    (half) => {
      expect(readPolicyParts(half)).not.toBeNull();
    },
  );
});

describe('an edit of the form', () => {
  test('changes its value and keeps every comment', () => {
    const now = edited([['policy'], 'transfers'], [['match', 'server'], 'vault']);
    expect(now).toBe(text.replace('large-transfers', 'transfers').replace('bank', 'vault'));
  });

  test('a new part goes where such parts stand, short ones on one line', () => {
    const now = edited(
      [['when'], 'request.args.amount > 1000'],
      [['require', 'stages', 1], { name: 'Finance', approve: 2, approvers: { group: 'finance' } }],
    );
    expect(now).toContain('"pay-*" ]\nwhen: request.args.amount > 1000\nrequire:');
    expect(now).toContain('    - name: Finance\n      approve: 2\n      approvers: { group: finance }\n');
  });

  test('what is taken away takes the mapping it leaves empty', () => {
    expect(edited([['match', 'server'], undefined], [['match', 'tool'], undefined])).not.toContain('match');
  });

  test('what is not there can be taken away, also with what would hold it', () => {
    const none: Edit[] = [
      [['require', 'separation', 'author'], undefined],
      [['match', 'server'], undefined],
    ];
    expect(editPolicy('require: { deadline: 2h }\n', none)).toBe('require: { deadline: 2h }\n');
  });

  test('what happens stays, even if nothing more is said about it', () => {
    expect(editPolicy('allow: { sample: 5% }\n', [[['allow', 'sample'], undefined]])).toBe('allow: {}\n');
  });

  test('a half-written value gives way', () => {
    expect(editPolicy('require:\n', [[['require', 'stages', 0, 'name'], 'One']])).toBe(
      'require:\n  stages:\n    - name: One\n',
    );
  });

  test('one source is written alone, several as a list', () => {
    expect(writeSources([{ kind: 'group', value: 'finance' }])).toEqual({ group: 'finance' });
    expect(
      writeSources([
        { kind: 'anyone', value: '' },
        { kind: 'owner', value: '' },
      ]),
    ).toEqual(['anyone', { owner: 'server' }]);
  });
});
