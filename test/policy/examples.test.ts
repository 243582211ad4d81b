import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { describePolicy } from '../../src/policy/deciding/describe-policy.ts';
import { policySchema } from '../../src/policy/parsing/policy-schema.ts';
import { read } from './policies.ts';

const page = readFileSync('docs/policies.md', 'utf8');
const examples = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => text);

describe('docs/policies.md', () => {
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

describe('a policy in plain English', () => {
  test.each<[string, string[]]>([
    [
      'large-transfers',
      [
        'It is about calls of transfer or pay-* on bank, when request.args.amount > 1000.',
        "Stage 1, Manager: the requester's manager must approve; one refusal ends it.",
        'Stage 2, Finance: 2 of the group finance must approve; one refusal ends it.',
        'In Manager, if nobody decides, after 4 hours the role admin may vote too.',
        'May not vote: the requester and whoever voted in an earlier stage.',
        'After 1 day it expires.',
      ],
    ],
    [
      'production-change',
      [
        'It is about calls of deploy with destructiveHint true, when environment.name == "production" && has(request.args.service).',
        "Release: Owner: the server's owner as responsible and Operations: 50% of the group ops must approve; one refusal in Owner or 2 refusals in Operations end it.",
        'If nobody decides, after 30 minutes the role admin may vote too and after 2 hours cto@example.com may vote instead, in 2 rounds; then it is denied.',
        "May not vote: the requester, the owner of the agent's server, whoever edited the request and the policy's author.",
        'After 8 hours it is denied.',
        'Reminders after 1 hour and 4 hours, not between 22:00 and 07:00 in Europe/Berlin.',
        'The requester gives a reason that fits CHG-*.',
        'Each vote gives a reason of at least 10 characters.',
        'A vote needs a password given within 10 minutes.',
        'The requester may set when it starts; approvers may move that later.',
        'During year end, from 2026-12-24T00:00:00Z until 2027-01-02T00:00:00Z, one of the role admin must approve too.',
      ],
    ],
    [
      'small-refunds',
      [
        'It is about calls of refund.',
        'Support: one of the group support or the role admin must approve; one refusal ends it.',
        'May not vote: the requester.',
        'Approvers may change amount.',
        'Approvers may allow the same account for up to 8 hours, 20 times and 500 of amount at most.',
        'Each approver is told in chat, with what is asked; they may vote there.',
      ],
    ],
    [
      'reading',
      [
        'It is about calls of any tool with readOnlyHint true.',
        'They are allowed without asking anybody up to low risk.',
      ],
    ],
  ])('%s', (name, sentences) => {
    const text = examples.find((example) => example.startsWith(`policy: ${name}\n`)) ?? '';
    expect(describePolicy(read(text))).toEqual(sentences);
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
  expect(describePolicy(read(retired))).toEqual(['It decides nothing any more: The bank does it now.']);
});

test('two stages that escalate alike are told apart', () => {
  const stage = (name: string) =>
    `{ name: ${name}, approvers: anyone, escalate: { after: 10m, add: { role: admin } } }`;
  const sentences = describePolicy(read(`policy: a\nrequire: { stages: [${stage('One')}, ${stage('Two')}] }`));
  expect(sentences.filter((sentence) => sentence.includes('nobody decides'))).toEqual([
    'In One, if nobody decides, after 10 minutes the role admin may vote too.',
    'In Two, if nobody decides, after 10 minutes the role admin may vote too.',
  ]);
  expect(new Set(sentences).size).toBe(sentences.length);
});

test.each([
  ['all', '2', 'one refusal in A or 2 refusals in B end it'],
  ['all', '1', 'one refusal ends it'],
  ['any', '2', 'it ends when each of them is refused'],
])('a stage of two groups, %s needed, one of which %s refuse', (complete, deny, said) => {
  const groups = `[{ name: A, approvers: anyone }, { name: B, approvers: anyone, approve: 2, deny: ${deny} }]`;
  const rule = `{ stages: [{ name: S, complete: ${complete}, groups: ${groups} }] }`;
  expect(describePolicy(read(`policy: a\nrequire: ${rule}`)).join(' ')).toContain(`; ${said}.`);
});
