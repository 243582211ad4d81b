import { describe, expect, test } from '@jest/globals';
import { parsePolicies, parsePolicy, type PolicyError } from '#policies/language/rules/parse';
import { malformedPolicies } from './malformed-policies.ts';
import { read, readRule } from '../policies.ts';
import { workOf } from '../../support/work.ts';

const errorsOf = (text: string): PolicyError[] => {
  const parsed = parsePolicy(text);
  return parsed.ok ? [] : parsed.errors;
};

describe('texts that are not a policy', () => {
  const cases = malformedPolicies();

  test('there are at least 60, all different', () => {
    expect(cases.length).toBeGreaterThanOrEqual(60);
    expect(new Set(cases.map(({ text }) => text)).size).toBe(cases.length);
  });

  test.each(cases)('$name is refused at its place', ({ text, path, at }) => {
    const errors = errorsOf(text);
    expect(errors.map((error) => ({ path: error.path, at: `${error.line}:${error.column}` }))).toContainEqual({
      path,
      at,
    });
    for (const { message } of errors) {
      expect(message).toMatch(/^[A-Z].*[.?]$/s);
      expect(message).not.toMatch(/Invalid|Unresolved|Unknown|No such|undefined|null/); // words of the tools within
    }
  });
});

describe('what is of high risk is allowed only in part and for a while', () => {
  const high = ({
    match = '{ server: files, tool: write_file }',
    when = '',
    until = ', until: 2027-01-01T00:00:00Z',
  }) => `policy: a\nmatch: ${match}\n${when && `when: ${when}\n`}allow: { ceiling: high${until} }`;
  const when = 'inFolder(request.args.path, "/home/ada/project")';

  test('with a condition that limits an argument, and an end', () => {
    expect(parsePolicy(high({ when }))).toMatchObject({
      ok: true,
      policy: { rules: [{ rule: { ceiling: 'high', until: Date.parse('2027-01-01T00:00:00Z') } }] },
    });
  });

  test.each([
    ['without a condition', {}, 'when', 'It must limit an argument, such as inFolder(request.args.path, "'],
    ['with a wide condition', { when: 'requester.verified' }, 'when', 'Must limit an argument'],
    ['with a prefix', { when: 'request.args.path.startsWith("/srv")' }, 'when', 'Must limit an argument'],
    ['with another way in', { when: `${when} || true` }, 'when', 'Must limit an argument'],
    ['without an end', { when, until: '' }, 'allow.until', 'Must be given: until.'],
    ['of any tool', { when, match: '{ server: files }' }, 'match.tool', 'Must be given: tool.'],
    ['of any server', { when, match: '{ tool: write_file }' }, 'match.server', 'Must be given: server.'],
    ['of many tools', { when, match: '{ server: files, tool: "*_file" }' }, 'match.tool', 'without *'],
    [
      'of changed definitions',
      { when, match: '{ server: files, tool: assentry.definition }' },
      'match.tool',
      'Use `require`',
    ],
  ])('and not %s', (_what, parts, path, fix) => {
    const parsed = parsePolicy(high(parts));
    expect(parsed.ok ? [] : parsed.errors.map((error) => [error.path.join('.'), error.message])).toContainEqual([
      path,
      expect.stringContaining(fix),
    ]);
  });
});

describe('an error says what is allowed', () => {
  const stage = 'require: { stages: [{ name: S, approvers: anyone }]';
  test.each([
    ['polcy: a\ndeny: { reason: No. }', 'Must be given: policy. The name of the policy.'],
    [
      'polcy: a\ndeny: { reason: No. }',
      'There is no key polcy here. Did you mean policy? There are policy, description, ',
    ],
    ['policy: a\ndeny: {}', 'Must be given: reason. The reason shown to the requester.'],
    ['policy: a\nmatch: { mode: page }\nallow: {}', 'Must be form or url, or a list of these.'],
    [
      'policy: a\nmatch: { servr: x }\nallow: {}',
      'There is no key servr here. Did you mean server? There are server, tool,',
    ],
    ['policy: a\nallow: true', 'Must be keys with values: ceiling, until, sample and freeze.'],
    ['policy: a\nwhen:\nallow: {}', "Must be a condition as text, such as 'request.args.amount > 100'."],
    [
      'policy: a\nwhen: reqest.tool == "x"\nallow: {}',
      'There is no variable reqest. Did you mean request? There are request,',
    ],
    [
      'policy: a\nwhen: request.tol == "x"\nallow: {}',
      'There is no request.tol. Did you mean tool? There are server, tool,',
    ],
    [
      'policy: a\nwhen: amount > 1000\nallow: {}',
      'Write request.args.amount if it is an argument of the tool: there is no variable amount.',
    ],
    [
      'policy: a\nrequire: { approvers: anyone }',
      'Move approvers into a stage: stages: [{ name: Approval, approvers: … }].',
    ],
    [`policy: a\n${stage}, not: requester }`, 'Delete this line: the requester never votes.'],
    [`policy: a\n${stage}, else: ask }`, 'as the last of `rules`, without `when`'],
    ['policy: a\nallow: {}\notherwise: deny', 'as the last of `rules`, without `when`'],
    ['policy: a\nrules: [{ allow: {}, else: {} }]', 'as the last of `rules`, without `when`'],
    [`policy: a\n${stage}, when: request.args.a }`, 'Move when one level up, next to require.'],
    ['policy: a\nrules: [{ priority: 3, allow: {} }]', 'Move priority to the top of the policy, above `rules`'],
    ['policy: a\nrules: [{ retire: { reason: x } }]', 'Delete this line: retire stands alone, at the top of a policy.'],
    [
      'policy: a\nrules: [{ when: amount > 1000, allow: {} }]',
      'Write request.args.amount if it is an argument of the tool: there is no variable amount.',
    ],
    [
      'policy: a\nrules: [{ allow: {} }, { deny: { reason: x } }]',
      'Move this above rule 1, or give that one a `when`: without one it decides everything',
    ],
    [
      'policy: a\nrules: [{ when: request.args.a }]',
      'Must have exactly one of `allow`, `confirm`, `deny` and `require`.',
    ],
    [`policy: a\n${stage}, deadline: 2w }`, 'Must be a number followed by s, m, h or d, between 1s and 30d.'],
    [
      `policy: a\n${stage}, grant: {} }`,
      'Must be given: longest. It must be a number followed by s, m, h or d, between 1m and 90d.',
    ],
    [`policy: a\n${stage}, separation: { me: true } }`, 'There are agentOwner, earlierVoters, author and editor.'],
    [
      `policy: a\n${stage}, editable: { a: {} } }`,
      'Must be given: type. It must be string, number, integer, boolean or',
    ],
    ['policy: a\npriority: high\nallow: {}', 'Must be a whole number between -1000 and 1000.'],
  ])('%j: %s', (text, message) => {
    expect(errorsOf(text).map(({ message }) => message)).toContainEqual(expect.stringContaining(message));
  });

  test('each key that a freeze lacks is named, with what it must be', () => {
    const freeze = `policy: a\n${stage}, freeze: [{}] }`;
    expect(errorsOf(freeze).map(({ path, message }) => [path.slice(1).join('.'), message])).toEqual([
      ['freeze.0.name', 'Must be given: name. What people see of the window.'],
      ['freeze.0.from', 'Must be given: from. It must be a time such as 2026-12-24T00:00:00Z.'],
      ['freeze.0.until', 'Must be given: until. It must be a time such as 2026-12-24T00:00:00Z.'],
      ['freeze.0.approvers', expect.stringMatching(/^Must be given: approvers\. It must be anyone, or one of user, /)],
    ]);
  });

  test('a wrong key is reported once', () => {
    expect(errorsOf('policy: a\nrequire: { stages: [{ name: S, approvers: { team: a } }] }')).toHaveLength(1);
  });
});

const head = 'policy: a\n';
const tail = '\ndeny: { reason: x }\n';

/** How a condition may be written, and where its error is: an unknown key, a wrong type, an end too early. */
const positions: [string, string, string][] = [
  ['plain', 'when: request.tol == "x"', '2:15'],
  ['plain after white space', 'when:     request.tol == "x"', '2:19'],
  ['on the next line', 'when:\n  request.tol == "x"', '3:11'],
  ['plain over two lines', 'when: request.tool == "x" &&\n  request.tol == "x"', '3:11'],
  ['in double quotes', 'when: "request.tool == \\"x\\" && request.tol == 1"', '2:41'],
  ['in single quotes', "when: 'request.tool == ''x'' && request.tol == 1'", '2:41'],
  ['a literal block', 'when: |\n  request.tool == "x" &&\n    request.tol == 1', '4:13'],
  ['a folded block', 'when: >-\n  request.tool == "x" &&\n  request.tol == 1', '4:11'],
  ['a block that keeps its end', 'when: |+\n\n  request.tol == 1\n', '4:11'],
  ['with a comment behind it', 'when: request.tol == 1 # the tool', '2:15'],
  ['behind an anchor', 'when: &w request.tol == 1', '2:18'],
  ['after characters outside the BMP', 'when: request.tool == "😀" && request.tol == 1', '2:39'],
  ['a type that does not fit', 'when: request.tool == "x" && request.server > 3', '2:30'],
  ['an end too early', 'when: request.tool ==', '2:22'],
  ['a bracket too many', 'when: (request.tool == "x"))', '2:28'],
  ['a text that does not end', `when: 'request.tool == "x'`, '2:24'],
  ['an escape that is none', `when: 'request.tool == "\\q"'`, '2:25'],
  ['no condition at all', 'when: request.tool', '2:7'],
];

describe('P1 the position of an error within a condition', () => {
  test.each(positions)('%s', (_name, line, at) => {
    const [error, ...others] = errorsOf(`${head}${line}${tail}`);
    expect(others).toEqual([]);
    expect(error).toMatchObject({ path: ['when'] });
    expect(`${error?.line}:${error?.column}`).toBe(at);
  });
});

describe('high risk among several rules', () => {
  const narrow = 'when: request.args.to == "DE02"';
  const high = (head: string, ...rules: string[]): string =>
    `policy: a\nmatch: { server: bank, tool: pay }\n${head}\nrules: [${rules.map((rule) => `{ ${rule} }`).join(', ')}]`;
  const allow = 'allow: { ceiling: high, until: 2027-01-01T00:00:00Z }';

  test('is allowed under a condition of its own, or of the policy', () => {
    expect(parsePolicy(high('', `${narrow}, ${allow}`, 'deny: { reason: No. }')).ok).toBe(true);
    expect(parsePolicy(high(narrow, 'when: request.args.a == 1, allow: {}', allow)).ok).toBe(true);
  });

  test('and not because rules above it take other calls', () => {
    expect(errorsOf(high('', `${narrow}, deny: { reason: No. }`, allow))).toMatchObject([
      { path: ['rules', 1, 'when'], message: expect.stringContaining('It must limit an argument') },
    ]);
  });

  test('names each fault of `match` once', () => {
    const wide = `policy: a\nrules: [{ ${narrow}, ${allow} }, { ${narrow}, ${allow} }]`;
    expect(errorsOf(wide).map(({ path }) => path.join('.'))).toEqual(['match.server', 'match.tool']);
  });

  test('is left to no requester where approvers alone may decide', () => {
    const confirm = 'policy: a\nmatch: { tool: assentry.definition }\nrules: [{ confirm: {} }]';
    expect(errorsOf(confirm)).toMatchObject([
      { path: ['rules', 0, 'confirm'], message: expect.stringMatching(/^Use/) },
    ]);
  });
});

describe('what a text becomes', () => {
  test('several rules keep their order, and a list of one is that rule alone', () => {
    const two =
      'policy: a\nwhen: request.args.c == 1\nrules: [{ when: request.args.a == 1, allow: {} }, { deny: { reason: x } }]';
    expect(read(two)).toMatchObject({
      when: 'request.args.c == 1',
      rules: [
        { when: 'request.args.a == 1', rule: { outcome: 'allow', ceiling: 'low' } },
        { when: null, rule: { outcome: 'deny' } },
      ],
      retired: null,
    });
    const alone = 'policy: a\nwhen: request.args.a == 1\nallow: {}';
    expect(read('policy: a\nrules: [{ when: request.args.a == 1, allow: {} }]')).toEqual(read(alone));
    expect(read('policy: a\nwhen: request.args.a == 1\nrules: [{ allow: {} }]')).toEqual(read(alone));
  });

  test('every default is filled', () => {
    expect(read('policy: a\nrequire: { stages: [{ name: S, approvers: anyone }] }')).toEqual({
      policy: 'a',
      description: '',
      priority: 0,
      match: { server: null, tool: null, mode: null, risk: null, annotations: {}, audience: null },
      when: null,
      keep: null,
      rules: [
        {
          when: null,
          rule: {
            outcome: 'require',
            stages: [
              {
                name: 'S',
                complete: 'all',
                groups: [
                  { name: 'S', approve: { count: 1 }, deny: 1, approvers: [{ kind: 'anyone' }], meaning: 'approved' },
                ],
                escalation: null,
              },
            ],
            separation: { agentOwner: false, earlierVoters: false, author: false, editor: false },
            risk: null,
            deadline: null,
            onTimeout: 'expire',
            reminders: [],
            requester: null,
            quietHours: null,
            notBefore: false,
            justification: { requester: [], approver: [] },
            freshSignIn: null,
            readingTime: null,
            pace: [],
            presence: { needed: 'none', hasDefault: true },
            notify: null,
            editable: null,
            facts: [],
            undo: null,
            grant: null,
            chat: null,
            confirmation: [],
            freeze: [],
          },
        },
      ],
      retired: null,
    });
  });

  test('what retires a policy needs nothing else, and may keep what the policy was about', () => {
    const retired = { rules: [], retired: 'Moved.' };
    expect(read('policy: a\nretire: { reason: Moved. }')).toMatchObject({ match: { tool: null }, ...retired });
    const kept = 'policy: a\npriority: 3\nmatch: { tool: x }\nwhen: request.args.a > 1\nretire: { reason: Moved. }';
    expect(read(kept)).toMatchObject({ priority: 3, match: { tool: ['x'] }, when: 'request.args.a > 1', ...retired });
  });

  test('a step of an escalation can have a stage, in its short form or with groups, and another name', () => {
    const stage = (inPlace: string): string =>
      `policy: a\nrequire: { stages: [{ name: S, approvers: anyone, escalate: { after: 1h, stage: { ${inPlace} } } }] }`;
    const groups = [
      { name: 'T', approve: { count: 2 }, deny: 1, approvers: [{ kind: 'group', name: 'board' }], meaning: 'reviewed' },
    ];
    expect(readRule(stage('name: T, approve: 2, meaning: reviewed, approvers: { group: board }'))).toMatchObject({
      stages: [
        {
          escalation: {
            steps: [
              {
                after: 3_600_000,
                mode: 'stage',
                approvers: [{ kind: 'group', name: 'board' }],
                approve: null,
                stage: { name: 'T', complete: 'all', groups },
              },
            ],
          },
        },
      ],
    });
    const two = '[{ name: A, approvers: anyone }, { name: B, approvers: { role: admin } }]';
    expect(readRule(stage(`name: T, complete: any, groups: ${two}`))).toMatchObject({
      stages: [{ escalation: { steps: [{ stage: { complete: 'any', groups: [{ name: 'A' }, { name: 'B' }] } }] } }],
    });
    expect(errorsOf(stage('name: S, approvers: anyone'))).toMatchObject([
      { path: ['require', 'stages'], message: 'Must have different names: S is used twice.' },
    ]);
  });

  test('JSON is read like YAML', () => {
    const json = JSON.stringify({ policy: 'a', match: { tool: 'x' }, allow: { ceiling: 'medium' } }, null, 2);
    expect(read(json)).toEqual(read('policy: a\nmatch: { tool: [x] }\nallow: { ceiling: medium }'));
  });

  test.each([
    ['30s', 30_000],
    ['10m', 600_000],
    ['24h', 86_400_000],
    ['30d', 2_592_000_000],
  ])('a deadline of %s is %d milliseconds', (deadline, expected) => {
    const text = `policy: a\nrequire: { deadline: ${deadline}, stages: [{ name: S, approvers: anyone }] }`;
    expect(readRule(text)).toMatchObject({ deadline: expected });
  });

  test('several policies of a file are told apart, and so are their errors', () => {
    const two = 'policy: a\nallow: {}\n---\npolicy: b\nallow: {}\n---\n';
    expect(parsePolicies(two)).toMatchObject({ ok: true, policies: [{ policy: 'a' }, { policy: 'b' }] });
    expect(parsePolicies('')).toEqual({ ok: true, policies: [] });
    expect(parsePolicies(two.replace('b\nallow: {}', 'b\nallow: 3'))).toMatchObject({
      ok: false,
      errors: [{ path: ['allow'], line: 5, column: 8 }],
    });
    expect(parsePolicies(two.replace('policy: b', 'policy: a'))).toMatchObject({
      ok: false,
      errors: [{ path: ['policy'], line: 4, column: 1 }],
    });
  });
});

describe('texts made to cost', () => {
  test.each([
    ['a long one', `policy: a\ndescription: "${'x'.repeat(70_000)}"`],
    ['one that nests', '['.repeat(60_000)],
    ['one that nests as JSON does', '{"a": '.repeat(10_000)],
    ['one that nests within a line', `${'- '.repeat(30_000)}a`],
    ['one of keys within keys', '? '.repeat(30_000)],
    ['one of values of nothing', ': '.repeat(30_000)],
    ['one of tags', '!a '.repeat(20_000)],
    ['one of tags behind a key', `a: ${'!a '.repeat(20_000)}`],
    ['one of keys that follow each other', 'a: '.repeat(20_000)],
    ['one of anchors', '&a '.repeat(20_000)],
    ['one that nests over many lines', linesOf(40, (at) => ' '.repeat(at * 60) + '- '.repeat(30))],
    ['one that is indented without end', linesOf(300, (at) => `${' '.repeat(at)}a:`)],
    ['one of very many keys', `a: {${Array.from({ length: 9_000 }, (_, at) => `k${at}`).join(',')}}`],
    ['one that multiplies itself', multiply(9)],
    ['one that refers to itself very often', `x: &x 1\n${linesOf(5_000, (at) => `k${at}: *x`)}`],
  ])('%s is refused in little time', (_name, text) => {
    expect(workOf(() => expect(errorsOf(text)).not.toEqual([]))).toBeLessThan(320);
  });
});

/** Each line repeats the one above nine times. */
function multiply(times: number): string {
  const lines = Array.from({ length: times }, (_, at) => {
    const above = Array.from({ length: 9 }, () => (at === 0 ? 'x' : `*a${at - 1}`));
    return `a${at}: &a${at} [${above.join(', ')}]`;
  });
  return `${lines.join('\n')}\n`;
}

function linesOf(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at)).join('\n');
}

test.each([
  ['keys', Array.from({ length: 6_000 }, (_, at) => `k${at}: 1\n`).join('')],
  ['list members', `a: [${'1,'.repeat(30_000)}]\n`],
  ['faults', 'a: ]\n'.repeat(12_000)],
])('a text of too many %s is refused before it is read to its end', (_what, text) => {
  expect(parsePolicy(text)).toMatchObject({
    ok: false,
    errors: [{ path: [], message: expect.stringMatching(/^Must have at most 8000 YAML tokens/) }],
  });
});
