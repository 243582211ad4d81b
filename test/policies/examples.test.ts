import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { PolicyClause } from '#policies/deciding/contract/clauses';
import { formatClause, sentenceWords } from '#messages/sentence-words';
import { describePolicy } from '#policies/deciding/rules/describe';
import { policySchema } from '#policies/language/rules/schema';
import { termList } from '#policies/document/rules/document';
import { read } from './policies.ts';

const formatClauseInGerman = sentenceWords.de.clause;

const page = readdirSync('docs/policies')
  .map((file) => readFileSync(`docs/policies/${file}`, 'utf8'))
  .join('\n');
const examples = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => text);

describe('docs/policies', () => {
  test.each(examples.map((text) => [read(text).policy, text]))('its example %s is a policy', (name, text) => {
    expect(read(text)).toMatchObject({ policy: name });
  });

  test('has several examples, and names every key there is', () => {
    expect(examples.length).toBeGreaterThanOrEqual(5);
    const keys = [...new Set(propertiesOf(policySchema()).map(([key]) => key))];
    expect(keys.length).toBeGreaterThan(50);
    expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(page))).toEqual([]);
  });
});

test('the table of what require can have has a row for each term', () => {
  const rows = [...page.matchAll(/^\| ((?:`\w+`(?:, )?)+) +\|/gm)].flatMap(([, keys = '']) =>
    keys.replaceAll('`', '').split(', '),
  );
  expect(termList.map(({ key }) => key).filter((key) => !rows.includes(key))).toEqual([]);
});

describe('the JSON Schema of a policy', () => {
  test('says of every key what it is for', () => {
    const silent = propertiesOf(policySchema()).filter(([, schema]) => typeof schema['description'] !== 'string');
    expect(silent.map(([key]) => key)).toEqual([]);
  });

  test('P11 has no word with which a timeout approves', () => {
    const timeouts = propertiesOf(policySchema()).filter(([key]) => key === 'onTimeout' || key === 'then');
    expect(timeouts.map(([, schema]) => schema['enum'])).toContainEqual(['expire', 'deny']);
    expect(new Set(timeouts.flatMap(([, schema]) => schema['enum']))).toEqual(new Set(['expire', 'deny', 'wait']));
  });

  test('is closed: a key that is none is an error', () => {
    expect(policySchema()).toMatchObject({ type: 'object', additionalProperties: false, required: ['policy'] });
  });
});

const sentencesOf = (text: string): string[] =>
  describePolicy(read(text)).map((clause) => formatClause(PolicyClause.parse(clause)));

describe('a policy in plain English', () => {
  test.each<[string, string[]]>([
    [
      'large-transfers',
      [
        'Applies to transfer or pay-* on bank when request.args.amount > 1000.',
        'Stage 1, Manager: needs approval from the requester’s manager. It ends if 1 person declines.',
        'Stage 2, Finance: needs 2 approvals from the group finance. It ends if 1 person declines.',
        'If no one decides in Manager: after 4 hours, administrators can vote too. As many approvals are needed as before.',
        'The requester and people who voted in an earlier stage can’t vote.',
        'Expires after 1 day.',
      ],
    ],
    [
      'production-change',
      [
        'Applies to deploy with destructiveHint true when environment.name == "production" && has(request.args.service).',
        'Release: needs approval from the server’s owner (Owner, as responsible) and approval from 50% of the group ops (Operations). It ends if 1 person in Owner or 2 people in Operations decline.',
        'If no one decides: after 30 minutes, administrators can vote too; after 2 hours, cto@example.com can vote instead. As many approvals are needed as before. This repeats for 2 rounds. Then it is declined.',
        'The requester, the owner of the agent’s server, people who edited the request and the policy’s author can’t vote.',
        'Counts as high risk, whatever the call does.',
        'Declined after 8 hours.',
        'Reminders after 1 hour and 4 hours, except 22:00 to 07:00 (Europe/Berlin).',
        'The requester must give a reason (in the form CHG-*).',
        'Each vote needs a reason (at least 10 characters).',
        'Voting needs a sign-in or confirmation of the last 10 minutes.',
        'The requester can set a start time, and approvers can move it later.',
        'From 2026-12-24T00:00:00Z until 2027-01-02T00:00:00Z (year end), it also needs 1 approval from administrators.',
      ],
    ],
    [
      'small-refunds',
      [
        'Applies to refund.',
        'Support: needs 1 approval from the group support or administrators. It ends if 1 person declines.',
        'The requester can’t vote.',
        'Approvers can change amount.',
        'Approvers can allow calls with the same account for up to 8 hours, at most 20 times and 500 of amount.',
        'Each approver is notified in chat, sees the request and can vote there.',
      ],
    ],
    [
      'transfers',
      [
        'Applies to transfer on bank.',
        'Rule 1, when request.args.amount > 1000:',
        'Stage 1, Finance: needs 2 approvals from the group finance. It ends if 1 person declines.',
        'Stage 2, CFO: needs approval from cfo@example.com. It ends if 1 person declines.',
        'The requester and people who voted in an earlier stage can’t vote.',
        'Rule 2, otherwise:',
        'The person at the MCP client answers, up to high risk.',
      ],
    ],
    ['reading', ['Applies to any tool with readOnlyHint true.', 'Runs without approval up to low risk.']],
  ])('%s', (name, sentences) => {
    const text = examples.find((example) => example.startsWith(`policy: ${name}\n`)) ?? '';
    expect(sentencesOf(text)).toEqual(sentences);
  });
});

type Schema = Record<string, unknown>;

/** Every property of the schema and of what is in it. */
function propertiesOf(schema: unknown): [string, Schema][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: Record<string, Schema> };
  const own = Object.entries(properties);
  return [...own, ...Object.values(schema).flatMap((part) => propertiesOf(part))];
}

test('a policy that is retired says so and why, and nothing of what it was about', () => {
  const retired = 'policy: a\nmatch: { tool: wire }\nretire: { reason: The bank does it now. }';
  expect(sentencesOf(retired)).toEqual(['Retired, decides nothing: The bank does it now.']);
});

test('each rule of several is introduced with its condition, in both languages', () => {
  const text =
    'policy: a\nwhen: request.args.c\nkeep: 9d\nrules: [{ when: request.args.a, allow: {} }, { when: request.args.b, deny: { reason: No. } }, { confirm: {} }]';
  expect(sentencesOf(text)).toEqual([
    'Applies to any tool when request.args.c.',
    'Rule 1, when request.args.a:',
    'Runs without approval up to low risk.',
    'Rule 2, otherwise when request.args.b:',
    'Denied: No.',
    'Rule 3, otherwise:',
    'The person at the MCP client answers, up to medium risk.',
    'Content is erased 9 days after the end of a request.',
  ]);
  const german = describePolicy(read(text)).filter(({ kind }) => kind === 'rule');
  expect(german.map(formatClauseInGerman)).toEqual([
    'Regel 1, wenn request.args.a:',
    'Regel 2, sonst, wenn request.args.b:',
    'Regel 3, sonst:',
  ]);
  const both = 'policy: a\nwhen: request.args.c\nrules: [{ when: request.args.a, allow: {} }]';
  expect(sentencesOf(both)).toContain('Rule 1, when request.args.a:');
});

test('two stages that escalate alike differ', () => {
  const stage = (name: string) =>
    `{ name: ${name}, approvers: anyone, escalate: { after: 10m, add: { role: admin } } }`;
  const sentences = sentencesOf(`policy: a\nrequire: { stages: [${stage('One')}, ${stage('Two')}] }`);
  expect(sentences.filter((sentence) => sentence.includes('no one decides'))).toEqual([
    'If no one decides in One: after 10 minutes, administrators can vote too. As many approvals are needed as before.',
    'If no one decides in Two: after 10 minutes, administrators can vote too. As many approvals are needed as before.',
  ]);
  expect(new Set(sentences).size).toBe(sentences.length);
});

test('a stage that takes the place of another is told with its name, its people and its number, in both languages', () => {
  const inPlace = (stage: string): string =>
    `policy: a\nrequire: { stages: [{ name: S, approvers: anyone, escalate: { after: 30m, stage: { ${stage} } } }] }`;
  const escalationOf = (stage: string) =>
    describePolicy(read(inPlace(stage))).filter(({ kind }) => kind === 'escalation');
  const cfo = escalationOf('name: CFO, approvers: { user: cfo@example.com }');
  expect(cfo.map((clause) => formatClause(PolicyClause.parse(clause)))).toEqual([
    'If no one decides: after 30 minutes, in place of it: CFO (approval from cfo@example.com), and voting starts again.',
  ]);
  expect(cfo.map(formatClauseInGerman)).toEqual([
    'Entscheidet niemand: Wartezeit 30 Minuten, dann an ihrer Stelle: CFO (Freigabe durch cfo@example.com); die Abstimmung beginnt neu.',
  ]);
  const board = escalationOf(
    'name: Board, complete: any, groups: [{ name: A, approve: 2, deny: 2, approvers: { group: board } }, { name: B, approvers: { role: admin }, meaning: responsible }]',
  );
  expect(board.map(formatClause)).toEqual([
    'If no one decides: after 30 minutes, in place of it: Board (2 approvals from the group board (A), ended if 2 people decline or 1 approval from administrators (B, as responsible)), and voting starts again.',
  ]);
});

test.each([
  ['all', '2', 'It ends if 1 person in A or 2 people in B decline.'],
  ['all', '1', 'It ends if 1 person declines.'],
  ['any', '2', 'It ends when every group has declined.'],
])('a stage of two groups, %s needed, one of which %s refuse', (complete, deny, text) => {
  const groups = `[{ name: A, approvers: anyone }, { name: B, approvers: anyone, approve: 2, deny: ${deny} }]`;
  const rule = `{ stages: [{ name: S, complete: ${complete}, groups: ${groups} }] }`;
  expect(sentencesOf(`policy: a\nrequire: ${rule}`).join(' ')).toContain(`. ${text}`);
});
