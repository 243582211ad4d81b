import type { FieldError } from '#platform/model/problem';

export interface MalformedPolicy {
  name: string;
  text: string;
  path: FieldError['path'];
  /** `line:column`, both from 1, of one error. */
  at: string;
}

/** Texts that are no policy, each with where one of its errors is. */
export const malformedPolicies = (): MalformedPolicy[] => [
  ...texts.map(([name, text, at, ...path]) => ({ name, text, at, path })),
  ...heads.map(([name, line, column, ...path]) => ({
    name,
    text: `policy: a\n${line}\ndeny: { reason: No. }\n`,
    at: `2:${column}`,
    path,
  })),
  ...rules.map(([name, line, column, ...path]) => ({
    name,
    text: `policy: a\n${line}\n`,
    at: `2:${column}`,
    path,
  })),
  ...requirements.map(([name, line, column, ...path]) => ({
    name,
    text: `policy: a\nrequire:\n  stages: [{ name: S, approvers: anyone }]\n  ${line}\n`,
    at: `4:${column}`,
    path: ['require', ...path],
  })),
  ...stages.map(([name, line, column, ...path]) => ({
    name,
    text: `policy: a\nrequire:\n  stages:\n    - ${line}\n`,
    at: `4:${column}`,
    path: ['require', 'stages', 0, ...path],
  })),
];

type Path = FieldError['path'];

/** What, the whole text, where, and the path. */
const texts: [string, string, string, ...Path][] = [
  ['nothing', '', '1:1'],
  ['a comment', '# nothing\n', '1:1'],
  ['a list', '- policy: a', '1:1'],
  ['a word', 'policy', '1:1'],
  ['no name', 'deny: { reason: No. }', '1:1', 'policy'],
  ['broken YAML', 'policy: [a', '1:11'],
  ['a tab for indentation', 'match:\n\tserver: a', '2:1'],
  ['two policies', 'policy: a\ndeny: { reason: x }\n---\npolicy: b\ndeny: { reason: x }\n', '4:1'],
  ['a key twice', 'policy: a\ndeny: { reason: x }\npolicy: b', '3:1'],
  ['a key twice further in', 'policy: a\ndeny: { reason: x, reason: y }', '2:20'],
  ['a confirm of a release', 'policy: a\nmatch: { tool: assentry.result }\nconfirm: {}', '3:10', 'confirm'],
  ['a tag', 'policy: !!js/function a\ndeny: { reason: x }', '1:9'],
  ['an alias without an anchor', 'policy: *a', '1:9'],
  ['a merge key', 'policy: a\n<<: { priority: 3 }\ndeny: { reason: x }', '2:1', '<<'],
  ['an alias into itself', 'policy: a\nmatch: &m { annotations: *m }\ndeny: { reason: x }', '2:11'],
  ['the prototype as a key', 'policy: a\n__proto__: { priority: 3 }\ndeny: { reason: x }', '2:1'],
  ['the prototype as an annotation', 'policy: a\nmatch: { annotations: { __proto__: true } }\nallow: {}', '2:25'],
  ['a depth without end', `policy: ${'['.repeat(60)}${']'.repeat(60)}`, '1:33'],
  ['two rules', 'policy: a\nallow: {}\ndeny: { reason: x }', '3:7', 'deny'],
  ['a rule of a policy that is retired', 'policy: a\nretire: { reason: x }\ndeny: { reason: x }', '2:9', 'retire'],
  ['no rule', 'policy: a', '1:1'],
  ['a rule next to several', 'policy: a\nallow: {}\nrules: [{ deny: { reason: x } }]', '3:8', 'rules'],
  ['the end of a policy next to rules', 'policy: a\nrules: [{ allow: {} }]\nretire: { reason: x }', '3:9', 'retire'],
];

/** What, one line next to a whole rule, its column, and the path. */
const heads: [string, string, number, ...Path][] = [
  ['a key that is none', 'prioritty: 3', 1, 'prioritty'],
  ['a priority that is text', 'priority: high', 11, 'priority'],
  ['a priority that is broken', 'priority: 1.5', 11, 'priority'],
  ['content kept for hours', 'keep: 23h', 7, 'keep'],
  ['content kept for ever', 'keep: 3661d', 7, 'keep'],
  ['a description that is a list', 'description: [a]', 14, 'description'],
  ['a description too long', `description: ${'x'.repeat(501)}`, 14, 'description'],
  ['a key of match that is none', 'match: { servers: a }', 10, 'match', 'servers'],
  ['an empty server', 'match: { server: "" }', 18, 'match', 'server'],
  ['an empty list of tools', 'match: { tool: [] }', 16, 'match', 'tool'],
  ['a number among tools', 'match: { tool: [a, 3] }', 20, 'match', 'tool', 1],
  ['a mode that is none', 'match: { mode: page }', 16, 'match', 'mode'],
  ['a risk that is none', 'match: { risk: [low, extreme] }', 22, 'match', 'risk', 1],
  ['an audience that is none', 'match: { audience: everyone }', 20, 'match', 'audience'],
  ['an annotation that is a record', 'match: { annotations: { a: { b: 1 } } }', 28, 'match', 'annotations', 'a'],
  ['a when without a condition', 'when:', 1, 'when'],
  ['a when of yes', 'when: true', 7, 'when'],
  ['a when of an unknown variable', 'when: reqest.tool == "x"', 7, 'when'],
  ['a when that matches', 'when: request.tool.matches("(a+)+$")', 7, 'when'],
];

/** What, one line that should be the rule, its column, and the path. */
const rules: [string, string, number, ...Path][] = [
  ['an allow of true', 'allow: true', 8, 'allow'],
  ['an allow of high risk without an end', 'allow: { ceiling: high }', 1, 'allow', 'until'],
  ['an end that is no time', 'allow: { until: tomorrow }', 17, 'allow', 'until'],
  ['a sample of nothing', 'allow: { sample: 0% }', 18, 'allow', 'sample'],
  ['a sample of more than all', 'allow: { sample: 101% }', 18, 'allow', 'sample'],
  ['a sample without a percent sign', 'allow: { sample: 5 }', 18, 'allow', 'sample'],
  ['an allow with stages', 'allow: { stages: [] }', 10, 'allow', 'stages'],
  ['a deny without a reason', 'deny: {}', 1, 'deny', 'reason'],
  ['a deny with an empty reason', 'deny: { reason: "" }', 17, 'deny', 'reason'],
  ['a retire without a reason', 'retire: {}', 1, 'retire', 'reason'],
  ['a retire with an empty reason', 'retire: { reason: "" }', 19, 'retire', 'reason'],
  ['an empty list of rules', 'rules: []', 8, 'rules'],
  ['one rule as if it were several', 'rules: { allow: {} }', 8, 'rules'],
  ['more rules than 20', `rules: [${'{ when: request.args.a, allow: {} }, '.repeat(21)}]`, 8, 'rules'],
  ['a rule of none', 'rules: [{ when: request.args.a == 1 }]', 9, 'rules', 0],
  ['a rule of two', 'rules: [{ allow: {}, deny: { reason: x } }]', 28, 'rules', 0, 'deny'],
  ['the end of a policy as one of its rules', 'rules: [{ retire: { reason: x } }]', 11, 'rules', 0, 'retire'],
  ['a match of one rule', 'rules: [{ match: { tool: a }, allow: {} }]', 11, 'rules', 0, 'match'],
  ['rules of a rule', 'rules: [{ rules: [{ allow: {} }] }]', 11, 'rules', 0, 'rules'],
  ['a condition of a rule that is none', 'rules: [{ when: request.tol == "x", allow: {} }]', 25, 'rules', 0, 'when'],
  ['a rule that nothing reaches', 'rules: [{ allow: {} }, { deny: { reason: x } }]', 24, 'rules', 1],
  [
    'the first of several that nothing reaches',
    'rules: [{ when: request.args.a, allow: {} }, { allow: {} }, { allow: {} }, { allow: {} }]',
    61,
    'rules',
    2,
  ],
  [
    'a rule that allows high risk without an end',
    'rules: [{ allow: { ceiling: high } }]',
    11,
    'rules',
    0,
    'allow',
    'until',
  ],
  [
    'a fault within a rule',
    'rules: [{ when: request.args.a, require: { stages: [] } }]',
    52,
    'rules',
    0,
    'require',
    'stages',
  ],
  ['a require without stages', 'require: {}', 1, 'require', 'stages'],
  ['a require with no stage', 'require: { stages: [] }', 20, 'require', 'stages'],
];

/** What, one line of the requirement next to its stage, its column, and the rest of the path. */
const requirements: [string, string, number, ...Path][] = [
  ['P11 an approving timeout', 'onTimeout: approve', 14, 'onTimeout'],
  ['P11 a timeout that accepts', 'onTimeout: accept', 14, 'onTimeout'],
  ['P11 a timeout that allows', 'onTimeout: allow', 14, 'onTimeout'],
  ['a deadline as a number', 'deadline: 3600', 13, 'deadline'],
  ['a deadline in weeks', 'deadline: 2w', 13, 'deadline'],
  ['a deadline of nothing', 'deadline: 0s', 13, 'deadline'],
  ['a deadline of months', 'deadline: 31d', 13, 'deadline'],
  ['a reminder that is none', 'reminders: [1h, soon]', 19, 'reminders', 1],
  ['an hour that is none', 'quietHours: { from: "24:00", until: "07:00", timeZone: UTC }', 23, 'quietHours', 'from'],
  [
    'quiet hours of no length',
    'quietHours: { from: "07:00", until: "07:00", timeZone: UTC }',
    39,
    'quietHours',
    'until',
  ],
  [
    'a zone that is none',
    'quietHours: { from: "22:00", until: "07:00", timeZone: Mars }',
    58,
    'quietHours',
    'timeZone',
  ],
  ['a separation that is none', 'separation: { requester: false }', 17, 'separation', 'requester'],
  ['a separation in words', 'separation: { author: no way }', 25, 'separation', 'author'],
  [
    'a minimum of nothing',
    'justification: { approver: { minLength: 0 } }',
    43,
    'justification',
    'approver',
    'minLength',
  ],
  ['a confirmation of nothing', 'confirmation: {}', 17, 'confirmation'],
  ['a confirmation of two', 'confirmation: { path: /name, text: x }', 17, 'confirmation'],
  ['a confirmation that is no pointer', 'confirmation: { path: name }', 25, 'confirmation', 'path'],
  ['a confirmation of spaces', 'confirmation: { text: " " }', 25, 'confirmation', 'text'],
  ['a confirmation in words', 'confirmation: name', 17, 'confirmation'],
  ['a fresh sign-in of days', 'freshSignIn: 2d', 16, 'freshSignIn'],
  ['a presence of the mind', 'presence: mind', 13, 'presence'],
  ['a presence that no one vouches for', 'presence: { acr: "" }', 20, 'presence', 'acr'],
  ['a presence that two vouch for', 'presence: { acr: one two }', 20, 'presence', 'acr'],
  ['a notification of nothing', 'notify: {}', 11, 'notify'],
  ['a notification by no channel', 'notify: { channels: [] }', 23, 'notify', 'channels'],
  ['a notification by letter', 'notify: { channels: [letter] }', 24, 'notify', 'channels', 0],
  ['a pace of nothing', 'pace: { within: 5m }', 9, 'pace'],
  ['a pace without a time', 'pace: { approvals: 5 }', 3, 'pace', 'within'],
  ['a pace of one approval', 'pace: { approvals: 1, within: 5m }', 22, 'pace', 'approvals'],
  ['a pace of a day', 'pace: { hasty: 5, within: 1d }', 29, 'pace', 'within'],
  ['a time to read of hours', 'readingTime: 1h', 16, 'readingTime'],
  ['a person in place of a channel', 'chat: { to: U0123ABCD }', 15, 'chat', 'to'],
  ['a channel without its sign', 'chat: { to: ops }', 15, 'chat', 'to'],
  ['a field without a type', 'editable: { amount: { maximum: 5 } }', 15, 'editable', 'amount', 'type'],
  ['a field that is an object', 'editable: { amount: { type: object } }', 31, 'editable', 'amount', 'type'],
  ['a while to take it back that is too long', 'undo: 1h', 9, 'undo'],
  ['a key fact without a label', 'facts: [{ path: /amount }]', 11, 'facts', 0, 'label'],
  ['a key fact that is no pointer', 'facts: [{ label: Amount, path: amount }]', 34, 'facts', 0, 'path'],
  ['an argument that is a path', 'editable: { a.b: { type: string } }', 15, 'editable', 'a.b'],
  ['a grant without an end', 'grant: { uses: 3 }', 3, 'grant', 'longest'],
  ['a grant of high risk', 'grant: { longest: 1h, ceiling: high }', 34, 'grant', 'ceiling'],
  [
    'a budget below nothing',
    'grant: { longest: 1h, budget: { argument: a, total: -1 } }',
    55,
    'grant',
    'budget',
    'total',
  ],
  ['a freeze that ends first', freeze('2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'), 65, 'freeze', 0, 'until'],
  [
    'a freeze without its end',
    'freeze: [{ name: n, from: 2026-01-02T00:00:00Z, approvers: anyone }]',
    12,
    'freeze',
    0,
    'until',
  ],
  [
    'a freeze for no one',
    'freeze: [{ name: n, from: 2026-01-02T00:00:00Z, until: 2026-01-03T00:00:00Z }]',
    12,
    'freeze',
    0,
    'approvers',
  ],
  ['a freeze of a day', freeze('2026-01-02', '2026-01-03T00:00:00Z'), 36, 'freeze', 0, 'from'],
];

/** What, the one stage, its column, and the rest of the path. */
const stages: [string, string, number, ...Path][] = [
  ['a stage without a name', '{ approvers: anyone }', 7, 'name'],
  ['a stage without approvers', '{ name: S }', 7],
  ['approvers and groups', '{ name: S, approvers: anyone, groups: [{ name: A, approvers: anyone }] }', 29, 'approvers'],
  ['complete without groups', '{ name: S, approvers: anyone, complete: any }', 47, 'complete'],
  [
    'groups of one name',
    '{ name: S, groups: [{ name: A, approvers: anyone }, { name: A, approvers: anyone }] }',
    26,
    'groups',
  ],
  ['no one', '{ name: S, approvers: [] }', 29, 'approvers'],
  ['approvers that are a name', '{ name: S, approvers: ada }', 29, 'approvers'],
  ['a source that is none', '{ name: S, approvers: { team: a } }', 31, 'approvers', 'team'],
  ['two sources in one', '{ name: S, approvers: { group: a, role: admin } }', 29, 'approvers'],
  ['an address that is none', '{ name: S, approvers: [{ user: ada }] }', 38, 'approvers', 0, 'user'],
  ['a role that is none', '{ name: S, approvers: [{ role: Boss }] }', 38, 'approvers', 0, 'role'],
  ['a role that cannot vote', '{ name: S, approvers: [{ role: reviewer }] }', 38, 'approvers', 0, 'role'],
  ['a manager of the agent', '{ name: S, approvers: { manager: agent } }', 40, 'approvers', 'manager'],
  ['an unknown field of a person', `{ name: S, approvers: { cel: 'user.age > 3' } }`, 42, 'approvers', 'cel'],
  ['an approval of no one', '{ name: S, approvers: anyone, approve: 0 }', 46, 'approve'],
  ['a share of no one', '{ name: S, approvers: anyone, approve: "0%" }', 46, 'approve'],
  ['a share above all', '{ name: S, approvers: anyone, approve: "101%" }', 46, 'approve'],
  ['a denial of no one', '{ name: S, approvers: anyone, deny: 0 }', 43, 'deny'],
  ['a meaning that is none', '{ name: S, approvers: anyone, meaning: liked }', 46, 'meaning'],
  ['P11 an escalation that approves', escalate('{ after: 1m, add: anyone, then: approve }'), 79, 'escalate', 'then'],
  ['an escalation to no one', escalate('{ after: 1m }'), 47, 'escalate'],
  ['an escalation of both', escalate('{ after: 1m, add: anyone, replace: anyone }'), 47, 'escalate'],
  [
    'an escalation to others and a stage',
    escalate('{ after: 1m, add: anyone, stage: { name: T, approvers: anyone } }'),
    47,
    'escalate',
  ],
  ['a stage in place without people', escalate('{ after: 1m, stage: { name: T } }'), 67, 'escalate', 'stage'],
  [
    'a number next to a stage in place',
    escalate('{ after: 1m, stage: { name: T, approvers: anyone }, approve: 1 }'),
    108,
    'escalate',
    'approve',
  ],
  [
    'a stage in place that escalates',
    escalate('{ after: 1m, stage: { name: T, approvers: anyone, escalate: { after: 1m, add: anyone } } }'),
    97,
    'escalate',
    'stage',
    'escalate',
  ],
  [
    'steps in no order',
    escalate('{ after: [{ after: 2m, add: anyone }, { after: 1m, add: anyone }] }'),
    94,
    'escalate',
    'after',
    1,
    'after',
  ],
  ['steps without end', escalate('{ after: 1m, add: anyone, loops: 11 }'), 80, 'escalate', 'loops'],
];

function escalate(escalation: string): string {
  return `{ name: S, approvers: anyone, escalate: ${escalation} }`;
}

function freeze(from: string, until: string): string {
  return `freeze: [{ name: year end, from: ${from}, until: ${until}, approvers: anyone }]`;
}
