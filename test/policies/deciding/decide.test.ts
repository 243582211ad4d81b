import { describe, expect, test } from '@jest/globals';
import { testServer } from '#platform/model/names';
import { decide } from '#policies/deciding/rules/decide';
import type { Facts } from '#policies/document/rules/document';
import type { Verdict } from '#policies/document/rules/verdict';
import { factsOf } from '../users.ts';
import { describePolicy } from '#policies/deciding/rules/describe';
import { bookOf, read } from '../policies.ts';

const policy = (name: string, rest: string, priority = 0): string => `policy: ${name}\npriority: ${priority}\n${rest}`;
const stage = (name: string): string => `require: { stages: [{ name: ${name}, approvers: { group: ${name} } }] }`;
const allow = 'allow: { ceiling: medium }';
const fails = 'when: request.args.missing == 1\n';

const verdictOf = (facts: Facts, ...texts: string[]): Verdict => decide(bookOf(...texts), facts);
const asking = (tool: string, server = 'bank'): Facts =>
  factsOf({ request: { tool, server, audience: 'approvers', annotations: { destructiveHint: tool !== 'x' } } });
const stagesOf = ({ stages }: Verdict): string[] => stages.map(({ name }) => name);

describe('P2 which policy decides', () => {
  test('a deny that applies wins, whatever the priority', () => {
    const never = policy('never', 'deny: { reason: Not today. }', -5);
    const verdict = verdictOf(factsOf(), policy('a', allow, 10), policy('b', stage('S'), 20), never);
    expect(verdict).toMatchObject({ outcome: 'deny', policy: 'never@1', reason: 'Not today.', stages: [] });
    expect(verdict.explanation.terms).toEqual([{ kind: 'denied', reason: 'Not today.' }]);
  });

  test('else the higher priority decides', () => {
    expect(verdictOf(factsOf(), policy('a', allow, 1), policy('b', stage('S')))).toMatchObject({
      outcome: 'allow',
      policy: 'a@1',
      stages: [],
    });
    expect(verdictOf(factsOf(), policy('a', allow), policy('b', stage('S'), 1)).policy).toBe('b@1');
  });

  test('at equal priority what requires comes before what allows, then the name decides', () => {
    expect(verdictOf(factsOf(), policy('a', allow), policy('c', stage('S')), policy('b', stage('S'))).policy).toBe(
      'b@1',
    );
  });

  test.each([
    ['match: { server: bank }', true],
    ['match: { server: [shop, ba*] }', true],
    ['match: { server: shop }', false],
    ['match: { tool: "*fer", mode: form, risk: [medium] }', true],
    ['match: { tool: "*fe" }', false],
    ['match: { mode: url }', false],
    ['match: { risk: high }', false],
    ['match: { audience: approvers }', false],
    ['match: { annotations: { idempotentHint: true } }', true],
    ['match: { annotations: { idempotentHint: false } }', false],
    ['match: { annotations: { readOnlyHint: true } }', false],
    ['when: request.args.amount > 1000', true],
    ['when: request.args.amount > 9000', false],
    ['match: { server: bank }\nwhen: request.args.amount > 9000', false],
  ])('%s', (condition, applies) => {
    const facts = factsOf({ request: { annotations: { idempotentHint: true } } });
    const verdict = verdictOf(facts, policy('a', `${condition}\n${stage('S')}`));
    expect(verdict.policy).toBe(applies ? 'a@1' : 'built-in@1');
  });
});

test.each(['', fails, 'match: { server: bank }\n'])(
  'a retired policy %j decides nothing and is not considered',
  (head) => {
    const retired = policy('gone', `${head}retire: { reason: Moved. }`, 9);
    const verdict = verdictOf(factsOf(), retired, policy('a', allow));
    expect(verdict).toMatchObject({ outcome: 'allow', policy: 'a@1' });
    expect(verdict.explanation.considered.map(({ policy: name }) => name)).toEqual(['a@1']);
    expect(verdictOf(factsOf(), retired)).toEqual(verdictOf(factsOf()));
  },
);

describe('if no policy applies', () => {
  test.each<[string, Facts, string, number]>([
    ['the requester answers', factsOf(), 'requester', 0],
    ['approvers where the caller asks for them', factsOf({ request: { audience: 'approvers' } }), 'approvers', 1],
    ['approvers of what destroys', factsOf({ request: { annotations: { destructiveHint: true } } }), 'approvers', 1],
  ])('%s', (_name, facts, audience, stages) => {
    const verdict = verdictOf(facts, policy('a', `when: 'false'\n${allow}`));
    expect(verdict).toMatchObject({ policy: 'built-in@1', outcome: 'require', audience });
    expect(verdict.stages).toHaveLength(stages);
    expect(verdict.explanation.considered).toMatchObject([{ policy: 'a@1', result: 'not-applied', decided: false }]);
  });
});

describe('P15 what a policy allows by itself', () => {
  test('is decided by the policy and its version', () => {
    expect(verdictOf(factsOf(), policy('a', allow))).toMatchObject({ outcome: 'allow', policy: 'a@1', stages: [] });
  });

  test.each<[string, string, Facts]>([
    ['above its ceiling', 'allow: {}', factsOf()],
    ['of high risk', allow, factsOf({ request: { risk: 'high' } })],
    ['that is a test', allow, factsOf({ request: { server: testServer.name } })],
  ])('is never a request %s: one approver is needed', (_name, rule, facts) => {
    expect(verdictOf(facts, policy('a', rule))).toMatchObject({
      outcome: 'require',
      audience: 'approvers',
      policy: 'built-in@1',
      stages: [{ groups: [{ approve: { count: 1 }, approvers: [{ kind: 'anyone' }] }] }],
    });
  });

  test('a requirement of lower priority then counts', () => {
    expect(verdictOf(factsOf(), policy('a', 'allow: {}', 9), policy('b', stage('S'))).policy).toBe('b@1');
  });
});

describe('what a policy leaves to the requester', () => {
  const confirm = 'confirm: {}';
  const asApprovers = factsOf({ request: { audience: 'approvers' } });

  test('is answered by the requester, also if the caller asks for approvers', () => {
    expect(verdictOf(asApprovers, policy('a', confirm))).toMatchObject({
      outcome: 'require',
      audience: 'requester',
      policy: 'a@1',
      stages: [],
    });
  });

  test.each<[string, string[], Facts]>([
    ['above its ceiling', [policy('a', 'confirm: { ceiling: low }')], asApprovers],
    ['of high risk, unless it says so', [policy('a', confirm)], factsOf({ request: { risk: 'high' } })],
    ['with another policy that fails', [policy('a', confirm), policy('b', fails + allow)], factsOf()],
    ['to accept a changed tool', [policy('a', 'confirm: { ceiling: high }')], asking('assentry.definition')],
    ['to change who may decide', [policy('a', 'match: { server: assentry }\nconfirm: {}')], asking('x', 'assentry')],
    ['that is a test', [policy('a', confirm)], asking('x', testServer.name)],
  ])('is never a request %s: approvers decide', (_name, texts, facts) => {
    const { audience, stages } = verdictOf(facts, ...texts);
    expect([audience, stages.length]).toEqual(['approvers', 1]);
  });

  test('may be of high risk if it says so', () => {
    const facts = factsOf({ request: { risk: 'high' } });
    expect(verdictOf(facts, policy('a', 'confirm: { ceiling: high }')).audience).toBe('requester');
  });

  test('is never the release of a result, which is free unless a policy asks approvers', () => {
    const facts = asking('assentry.result');
    expect(verdictOf(facts, policy('a', 'match: { tool: "*" }\nconfirm: {}'))).toMatchObject({ outcome: 'allow' });
  });

  test('comes after what requires and before what allows, at equal priority', () => {
    expect(verdictOf(factsOf(), policy('a', confirm), policy('b', stage('S'))).policy).toBe('b@1');
    expect(verdictOf(factsOf(), policy('a', allow), policy('b', confirm)).policy).toBe('b@1');
    expect(verdictOf(factsOf(), policy('a', confirm), policy('b', allow, 1)).outcome).toBe('allow');
  });

  test('includes what a higher policy allows only below its risk', () => {
    const verdict = verdictOf(factsOf(), policy('a', 'allow: {}', 1), policy('b', confirm));
    expect(verdict).toMatchObject({ audience: 'requester', policy: 'b@1' });
  });

  test('needs approval in a freeze window', () => {
    const window = '{ name: Audit, from: 2020-01-01T00:00:00Z, until: 2100-01-01T00:00:00Z, approvers: anyone }';
    const verdict = verdictOf(factsOf(), policy('a', `confirm: { freeze: [${window}] }`));
    expect(verdict).toMatchObject({ audience: 'approvers', policy: 'a@1', frozen: ['Audit'] });
  });
});

describe('P1 what cannot be evaluated', () => {
  test('denies if it would deny', () => {
    expect(verdictOf(factsOf(), policy('a', `${fails}deny: { reason: No. }`))).toMatchObject({ outcome: 'deny' });
  });

  test('requires if it would require', () => {
    const verdict = verdictOf(factsOf(), policy('a', fails + stage('S')));
    expect(verdict).toMatchObject({ outcome: 'require', policy: 'a@1', audience: 'approvers' });
    expect(verdict.explanation.considered).toMatchObject([
      { result: 'failed', failure: 'request.args.missing == 1: No such key: missing', decided: true },
    ]);
  });

  test('never allows, and neither does any other: one approver is needed', () => {
    const verdict = verdictOf(factsOf(), policy('a', fails + allow), policy('b', allow, 5));
    expect(verdict).toMatchObject({ outcome: 'require', policy: 'built-in@1', audience: 'approvers' });
    expect(stagesOf(verdict)).toEqual(['Approval']);
  });

  test('adds its stages to those of the policy that decides, whichever is higher', () => {
    for (const priority of [-1, 1]) {
      const verdict = verdictOf(factsOf(), policy('a', stage('A')), policy('b', fails + stage('B'), priority));
      expect(verdict.policy).toBe('a@1');
      expect(stagesOf(verdict)).toEqual(['A', 'B']);
    }
  });

  test('of two policies, the stricter of every term counts, and nothing can be changed or granted', () => {
    const terms = (rest: string) => `require: { stages: [{ name: S, approvers: anyone }], ${rest} }`;
    const verdict = verdictOf(
      factsOf(),
      policy(
        'a',
        terms(
          'risk: low, deadline: 2h, onTimeout: deny, readingTime: 5s, pace: { approvals: 9, within: 5m }, notify: { channels: [push, email] }, notBefore: true, grant: { longest: 1h }',
        ),
      ),
      policy(
        'b',
        fails +
          terms(
            'deadline: 1h, freshSignIn: 5m, readingTime: 20s, pace: { hasty: 3, within: 1m }, notify: { channels: [email], urgent: true }, notBefore: true, editable: { to: { type: string } }',
          ),
      ),
    );
    expect(verdict).toMatchObject({
      risk: 'medium',
      deadline: 3_600_000,
      onTimeout: 'deny',
      freshSignIn: 300_000,
      readingTime: 20_000,
      pace: [
        { approvals: 9, hasty: null, within: 300_000 },
        { approvals: null, hasty: 3, within: 60_000 },
      ],
      notify: { channels: ['email'], urgent: true },
      notBefore: true,
      editable: null,
      grant: null,
    });
  });

  test.each([
    ['to: "#ops", vote: true', 'to: approvers, vote: true', { to: '#ops', vote: true }],
    ['to: approvers, vote: true', 'to: "#ops"', { to: 'approvers', vote: false }],
    ['to: approvers, vote: true', null, null],
    [null, 'to: approvers, vote: true', null],
  ])('P31 of two policies, chat gets only what both announce: %j and %j', (name, other, expected) => {
    const telling = (chat: string | null) =>
      `require: { stages: [{ name: S, approvers: anyone }]${chat === null ? '' : `, chat: { ${chat} }`} }`;
    const verdict = verdictOf(factsOf(), policy('a', telling(name), 1), policy('b', fails + telling(other)));
    expect(verdict).toMatchObject({ outcome: 'require', chat: expected });
  });

  test('a published condition that does not compile any more is such a failure', () => {
    const book = bookOf(policy('a', `when: 'true'\ndeny: { reason: No. }`));
    const entries = [...book.entries].map(([key, all]) => [
      key,
      all.map((entry) => ({ ...entry, condition: { failure: 'gone' } })),
    ]);
    expect(decide({ ...book, entries: new Map(entries as [string, never[]][]) }, factsOf())).toMatchObject({
      outcome: 'deny',
      explanation: { considered: [{ result: 'failed', failure: 'gone' }] },
    });
  });

  test('arguments that cannot be read fail every condition', () => {
    const args = JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`) as Record<string, unknown>;
    const facts = factsOf({ request: { args } });
    expect(verdictOf(facts, policy('a', `when: request.tool == "x"\n${allow}`)).outcome).toBe('require');
    expect(verdictOf(facts, policy('a', `when: request.tool == "x"\ndeny: { reason: No. }`)).outcome).toBe('deny');
  });
});

describe('P16 freeze windows', () => {
  const window =
    'freeze: [{ name: year end, from: 2026-11-21T00:00:00Z, until: 2026-11-22T00:00:00Z, approvers: { role: admin } }]';
  const frozen = policy('a', `allow: { ceiling: medium, ${window} }`);
  const during = factsOf();
  const after = factsOf({ now: Date.parse('2026-11-22T00:00:00Z') });

  test('within one its approvers are needed, even where it is allowed', () => {
    const verdict = verdictOf(during, frozen);
    expect(verdict).toMatchObject({ outcome: 'require', policy: 'a@1', frozen: ['year end'] });
    expect(verdict.stages).toMatchObject([
      { name: 'Freeze: year end', groups: [{ approvers: [{ kind: 'role', role: 'admin' }] }] },
    ]);
  });

  test('its end is outside', () => {
    expect(verdictOf(after, frozen)).toMatchObject({ outcome: 'allow', frozen: [] });
  });

  test('what requires gets one more stage', () => {
    const rule = policy('a', `require: { stages: [{ name: S, approvers: anyone }], ${window} }`);
    expect(stagesOf(verdictOf(during, rule))).toEqual(['S', 'Freeze: year end']);
    expect(stagesOf(verdictOf(after, rule))).toEqual(['S']);
  });

  test('a start within it counts, when the request is made before', () => {
    const facts = factsOf({ now: Date.parse('2026-11-20T00:00:00Z'), startAt: Date.parse('2026-11-21T12:00:00Z') });
    expect(verdictOf(facts, frozen).frozen).toEqual(['year end']);
  });
});

test('P1 a condition that names another tool still denies if the arguments cannot be read', () => {
  const args = JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`) as Record<string, unknown>;
  const denial = policy('a', `when: request.tool == "another"\ndeny: { reason: No. }`);
  expect(verdictOf(factsOf({ request: { args } }), denial).outcome).toBe('deny');
  expect(verdictOf(factsOf(), denial).outcome).toBe('require');
});

describe('the explanation', () => {
  test('names a policy that does not apply, and explains the first ten of them', () => {
    const others = Array.from({ length: 300 }, (_, at) =>
      policy(`p${String(at).padStart(3, '0')}`, `when: request.args.amount < 0 && false\n${allow}`),
    );
    const elsewhere = policy('elsewhere', `when: request.server == "shop" && request.args.missing == 1\n${allow}`);
    const applying = policy('z', `when: request.args.amount > 1000\n${stage('Finance')}`, -1);
    const { explanation } = verdictOf(factsOf(), ...others, elsewhere, applying);
    expect(explanation.considered).toHaveLength(11);
    expect(explanation.considered[9]).toMatchObject({
      policy: 'p009@1',
      clauses: [{ holds: false }, { holds: false }],
    });
    expect(explanation.considered[10]).toMatchObject({ policy: 'z@1', decided: true });
    expect(explanation.passedOver).toHaveLength(290);
    expect(explanation.passedOver?.slice(0, 2)).toEqual(['p010@1', 'p011@1']);
  });

  test('tells what was considered in its order, which clauses hold, and what is required', () => {
    const { explanation } = verdictOf(
      factsOf(),
      policy('small', `when: request.args.amount < 100 && request.mode == "form"\n${allow}`),
      policy('large', `when: request.args.amount > 1000\n${stage('Finance')}`, 5),
      policy('elsewhere', `match: { server: shop }\n${allow}`),
    );
    expect(explanation).toEqual({
      policy: 'large@1',
      outcome: 'require',
      terms: [
        {
          kind: 'stage',
          position: null,
          name: 'Finance',
          complete: 'all',
          groups: [
            {
              name: 'Finance',
              need: { count: 1 },
              approvers: [{ kind: 'group', name: 'Finance' }],
              meaning: 'approved',
              deny: 1,
            },
          ],
        },
        { kind: 'separation', excluded: ['requester'] },
      ],
      considered: [
        {
          policy: 'large@1',
          outcome: 'require',
          result: 'applied',
          failure: null,
          decided: true,
          clauses: [{ text: 'request.args.amount > 1000', holds: true }],
        },
        {
          policy: 'small@1',
          outcome: 'allow',
          result: 'not-applied',
          failure: null,
          decided: false,
          clauses: [
            { text: 'request.args.amount < 100', holds: false },
            { text: 'request.mode == "form"', holds: true },
          ],
        },
      ],
    });
  });

  test('a verdict is plain JSON', () => {
    const verdict = verdictOf(factsOf(), policy('a', stage('S')));
    expect(JSON.parse(JSON.stringify(verdict))).toEqual(verdict);
  });
});

describe('reading', () => {
  const request = { tool: 'assentry.resource', annotations: { readOnlyHint: true }, risk: 'low' } as const;
  const decided = (...policies: string[]) => decide(bookOf(...policies), factsOf({ request }));

  test('is allowed unless a policy names it', () => {
    const everything = 'policy: everything\nrequire: { stages: [{ name: One, approvers: anyone }] }';
    expect(decided()).toMatchObject({ outcome: 'allow', policy: 'built-in@1', risk: 'low' });
    expect(decided(everything)).toMatchObject({ outcome: 'allow', policy: 'built-in@1' });
    expect(decided(everything, 'policy: a\nmatch: { tool: assentry.* }\ndeny: { reason: No. }')).toMatchObject({
      outcome: 'deny',
      policy: 'a@1',
    });
  });
});

describe('an outside address of a server behind the gateway', () => {
  const annotations = { readOnlyHint: false, destructiveHint: false };
  const request = { tool: 'assentry.connect', annotations, mode: 'url', audience: 'requester' } as const;
  const decided = (...policies: string[]) => decide(bookOf(...policies), factsOf({ request, answerable: false }));

  test('is the requester’s to open unless a policy names it, and is never allowed without their page', () => {
    const everything = 'policy: everything\nrequire: { stages: [{ name: One, approvers: anyone }] }';
    const named = (rule: string) => `policy: a\nmatch: { tool: assentry.connect }\n${rule}`;
    const open = { outcome: 'require', audience: 'requester' };
    expect(decided(everything)).toMatchObject({ ...open, policy: 'built-in@1' });
    expect(decided(everything, named('deny: { reason: No. }'))).toMatchObject({ outcome: 'deny', policy: 'a@1' });
    expect(decided(named('allow: { ceiling: medium }'))).toMatchObject(open);
  });
});

describe('P2 what is of high risk and allowed in part', () => {
  const until = '2026-12-21T10:00:00Z';
  const always = policy(
    'always',
    `match: { server: files, tool: write_file }
when: has(request.args.path) && inFolder(request.args.path, "/home/ada/project")
allow: { ceiling: high, until: ${until} }`,
    100,
  );
  const writing = (path: unknown, now = Date.parse('2026-11-21T10:00:00Z')): Facts =>
    factsOf({
      now,
      request: {
        server: 'files',
        tool: 'write_file',
        args: { path },
        risk: 'high',
        annotations: { destructiveHint: true },
      },
    });

  test('runs where the condition holds, and is asked about elsewhere', () => {
    expect(verdictOf(writing('/home/ada/project/a.ts'), always)).toMatchObject({ outcome: 'allow', risk: 'high' });
    for (const path of ['/home/ada/project-b/a.ts', '/home/ada/project/../.bashrc', ['/home/ada/project/a'], null])
      expect(verdictOf(writing(path), always)).toMatchObject({ outcome: 'require', stages: [{ name: 'Approval' }] });
  });

  test('ends at its time', () => {
    const at = Date.parse(until);
    expect(verdictOf(writing('/home/ada/project/a', at - 1), always).outcome).toBe('allow');
    const after = verdictOf(writing('/home/ada/project/a', at), always);
    expect(after).toMatchObject({ outcome: 'require', policy: 'built-in@1' });
  });

  test('says its end', () => {
    expect(describePolicy(read(always))).toContainEqual({ kind: 'allowed', ceiling: 'high', until: Date.parse(until) });
  });
});

describe('P2 a reading', () => {
  const reading = (readOnlyHint: boolean): Facts =>
    factsOf({
      request: {
        tool: 'assentry.resource',
        audience: 'approvers',
        args: { uri: 'x:y' },
        annotations: { readOnlyHint },
      },
    });
  const free = policy('free', allow);
  const named = policy('named', `match: { tool: assentry.resource }\n${allow}`);

  test('is allowed if no policy names it, and waits if it may do more than read', () => {
    expect(verdictOf(reading(true), free)).toMatchObject({ outcome: 'allow', policy: 'built-in@1' });
    expect(verdictOf(reading(false), free)).toMatchObject({ outcome: 'require', policy: 'built-in@1' });
    expect(verdictOf(reading(false), free, named)).toMatchObject({ outcome: 'allow', policy: 'named@1' });
  });
});
