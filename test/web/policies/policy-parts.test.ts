import { describe, expect, test } from '@jest/globals';
import { chooseOutcome, retiringDocument, editPolicy, type Edit } from '../../../web/src/policies/StageFields.tsx';
import { addRule, moveRule, removeRule } from '../../../web/src/policies/Rules.tsx';
import { readPolicyParts, writeSources, type PolicyParts } from '../../../web/src/policies/policy-parts.ts';

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
const several = `policy: a
rules:
  # Large ones.
  - when: request.args.amount > 1000 # in euros
    require:
      stages:
        - { name: Finance, approve: 2, approvers: { group: finance } }
        - { name: CFO, approvers: { user: cfo@example.com } }
      reminders: [ 1h ]
  # All others.
  - confirm: { ceiling: high }
`;
const ruleIn = (document: string) => readPolicyParts(document)?.rules[0];
const partsOf = (document: string) => readPolicyParts(document) as PolicyParts;
const edited = (...edits: Edit[]) => editPolicy(text, edits);

describe('the parts of a policy in its text', () => {
  test('are read for the form, and what the form does not show is named', () => {
    expect(readPolicyParts(text)).toMatchObject({
      policy: 'large-transfers',
      server: ['bank'],
      tool: ['transfer', 'pay-*'],
      isList: false,
      beyond: [],
      rules: [
        {
          path: [],
          when: '',
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
        },
      ],
    });
  });

  test('of an escalation with a stage of its own only that is read', () => {
    const stage = '{ name: S, approvers: anyone, escalate: { after: 1h, stage: { name: T, approvers: anyone } } }';
    expect(ruleIn(`require: { stages: [${stage}] }`)).toMatchObject({
      stages: [{ escalation: { hasStage: true, steps: [{ after: '1h' }] } }],
    });
    expect(ruleIn(text)).toMatchObject({ stages: [{ escalation: { hasStage: false } }] });
  });

  test('of pace, notifications and later looks are read', () => {
    const paced = 'require: { pace: { approvals: 10, within: 5m }, notify: { channels: [push], urgent: true } }';
    expect(ruleIn(paced)).toMatchObject({
      pace: { approvals: '10', hasty: '', within: '5m' },
      notify: { channels: ['push'], isUrgent: true },
      beyond: [],
    });
    expect(ruleIn('allow: { sample: 5% }')).toMatchObject({ sample: '5%', pace: null, beyond: [] });
  });

  test('of several rules are read one by one, each with its condition and its place', () => {
    const parts = readPolicyParts(several);
    expect(parts).toMatchObject({
      policy: 'a',
      isList: true,
      beyond: [],
      rules: [
        { path: ['rules', 0], when: 'request.args.amount > 1000', outcome: 'require', beyond: ['reminders'] },
        { path: ['rules', 1], when: '', outcome: 'confirm', ceiling: 'high' },
      ],
    });
    expect(parts?.rules[0]?.stages.map(({ path }) => path)).toEqual([
      ['rules', 0, 'require', 'stages', 0],
      ['rules', 0, 'require', 'stages', 1],
    ]);
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

describe('an edit of the rules', () => {
  const added = { when: 'request.args.a', deny: { reason: 'No.' } };

  test('of one rule leaves all others as they are', () => {
    const [first, last] = partsOf(several).rules;
    const now = editPolicy(several, [
      [[...(first?.path ?? []), 'require', 'deadline'], '2h'],
      [[...(last?.path ?? []), 'confirm', 'ceiling'], 'medium'],
    ]);
    expect(now).toBe(
      several
        .replace('reminders: [ 1h ]', 'reminders: [ 1h ]\n      deadline: 2h')
        .replace('ceiling: high', 'ceiling: medium'),
    );
  });

  test('adds a rule above the one that takes all that is left, else at the end', () => {
    const { edits, at } = addRule(partsOf(several), added);
    expect(at).toBe(1);
    const now = editPolicy(several, edits);
    expect(partsOf(now).rules.map(({ outcome }) => outcome)).toEqual(['require', 'deny', 'confirm']);
    const open = 'rules:\n  - when: request.args.b\n    allow: {}\n';
    expect(addRule(partsOf(open), added).at).toBe(1);
  });

  test('makes a list of the one outcome, and takes it back when its other rules are removed', () => {
    const single = text.replace('require:', '# People decide.\nrequire:');
    const { edits, at } = addRule(partsOf(single), added);
    const list = editPolicy(single, edits);
    expect(at).toBe(0);
    expect(list).toContain('  # People decide.\n  - require:\n      stages:\n        - name: Manager # first\n');
    expect(partsOf(list).rules.map(({ when }) => when)).toEqual(['request.args.a', '']);
    expect(editPolicy(list, removeRule(partsOf(list), 0))).toBe(single);
  });

  test('keeps a list of the one rule that has a condition', () => {
    const left = editPolicy(several, removeRule(partsOf(several), 1));
    expect(partsOf(left)).toMatchObject({ isList: true, rules: [{ outcome: 'require' }] });
    expect(editPolicy(several, removeRule(partsOf(several), 0))).toBe(
      'policy: a\n# All others.\nconfirm: { ceiling: high }\n',
    );
  });

  test('moves a rule with its comments, and back', () => {
    const swapped = editPolicy(several, [moveRule(0, 1)]);
    expect(swapped).toMatch(/# All others\.\n {2}- confirm: .*\n {2}# Large ones\.\n {2}- when: .* # in euros/);
    expect(editPolicy(swapped, [moveRule(0, 1)])).toBe(several);
  });

  test('chooses an outcome for its rule alone, with the condition above it', () => {
    const now = editPolicy(several, [
      ...chooseOutcome(['rules', 1], 'deny', { reason: 'Too much.' }),
      [['rules', 1, 'when'], 'request.args.amount > 9'],
    ]);
    expect(now).toBe(
      several.replace(
        '- confirm: { ceiling: high }',
        '- when: request.args.amount > 9\n    deny: { reason: Too much. }',
      ),
    );
    expect(editPolicy(now, [[['rules', 1, 'deny', 'reason'], undefined]])).toContain('    deny: {}');
  });
});
