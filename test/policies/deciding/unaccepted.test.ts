import { describe, expect, test } from '@jest/globals';
import { isAlwaysDenied } from '#policies/deciding/rules/always-denied';
import { decide, denialOf } from '#policies/deciding/rules/decide';
import { ignoresArguments } from '#policies/deciding/rules/describe';
import { compileBook } from '#policies/deciding/rules/book';
import type { Facts } from '#policies/document/rules/document';
import type { Verdict } from '#policies/document/rules/verdict';
import { bookOf, read } from '../policies.ts';
import { factsOf } from '../users.ts';

/** A call of a tool that claims to read only. */
const reading = (changes: { tool?: string; unaccepted?: boolean; annotations?: object } = {}): Facts =>
  factsOf({
    request: {
      tool: changes.tool ?? 'list',
      risk: 'low',
      audience: 'approvers',
      annotations: { readOnlyHint: true, ...changes.annotations },
    },
    unaccepted: changes.unaccepted ?? true,
  });

const byHint = 'policy: reading\nmatch: { annotations: { readOnlyHint: true } }\nallow: { ceiling: low }';
const byRisk = 'policy: low\nallow: { ceiling: low }';
const byCondition = 'policy: when\nwhen: request.annotations.readOnlyHint == true\nallow: { ceiling: medium }';
const bySeveral = 'policy: glob\nmatch: { tool: "li*" }\nallow: { ceiling: low }';
const byName = 'policy: named\nmatch: { tool: [count, list] }\nallow: { ceiling: low }';
const anyTool = 'policy: any\nmatch: { server: bank }\nallow: { ceiling: medium }';
const stage = (name: string, match: string): string =>
  `policy: ${name.toLowerCase()}\n${match}\nrequire: { stages: [{ name: ${name}, approvers: anyone }] }`;

const verdictOf = (facts: Facts, ...policies: string[]): Verdict => decide(bookOf(...policies), facts);
const raised = { kind: 'raised', because: 'unaccepted-definition' };

describe('a claim to read only in a definition that no one has accepted', () => {
  test.each([byHint, byRisk, byCondition, bySeveral])('frees no call by %j, and the verdict says why', (policy) => {
    expect(verdictOf(reading({ unaccepted: false }), policy)).toMatchObject({ outcome: 'allow' });
    const verdict = verdictOf(reading(), policy);
    expect(verdict).toMatchObject({ outcome: 'require', audience: 'approvers', risk: 'medium' });
    expect(verdict.explanation.terms[0]).toEqual(raised);
    expect(verdict.stages).toHaveLength(1);
  });

  test('counts for a policy that names the tool, as before', () => {
    const verdict = verdictOf(reading(), byName, byHint);
    expect(verdict).toEqual(verdictOf(reading({ unaccepted: false }), byName, byHint));
    expect(verdict).toMatchObject({ outcome: 'allow', policy: 'named@1', risk: 'low' });
  });

  test('is not needed where a policy allows the tool whatever it claims', () => {
    expect(verdictOf(reading(), anyTool)).toMatchObject({ outcome: 'allow', policy: 'any@1', risk: 'medium' });
  });

  test('leaves no call to the requester that would not be left to them without it', () => {
    const confirm = 'policy: confirmed\nconfirm: { ceiling: low }';
    expect(verdictOf(reading({ unaccepted: false }), confirm).audience).toBe('requester');
    expect(verdictOf(reading(), confirm)).toMatchObject({ outcome: 'require', audience: 'approvers' });
  });

  test('takes away nothing that a policy requires of reading tools, and nothing that it denies', () => {
    const privacy = stage('Privacy', 'match: { annotations: { readOnlyHint: true } }');
    const verdict = verdictOf(reading(), privacy, anyTool);
    expect(verdict).toMatchObject({ outcome: 'require', policy: 'privacy@1' });
    expect(verdict.stages.map(({ name }) => name)).toEqual(['Privacy']);
    const both = verdictOf(reading(), privacy, stage('Owner', 'match: { risk: medium }'));
    expect(both.stages.map(({ name }) => name).toSorted()).toEqual(['Owner', 'Privacy']);
    const never = 'policy: never\nmatch: { risk: low }\ndeny: { reason: No. }';
    const book = bookOf(never, anyTool);
    expect(decide(book, reading()).outcome).toBe('deny');
    expect(denialOf(book, reading())).toMatchObject({ policy: 'never@1' });
    expect(isAlwaysDenied(book, reading())).toBe(true);
  });

  test('is worth nothing where no policy applies, and takes no allowance of tools that write', () => {
    expect(verdictOf(reading())).toMatchObject({ outcome: 'require', risk: 'medium' });
    const writing = 'policy: writing\nmatch: { annotations: { readOnlyHint: false } }\nallow: { ceiling: medium }';
    expect(verdictOf(reading(), writing)).toMatchObject({ outcome: 'require', audience: 'approvers' });
  });

  test('counts for no global policy because a policy of a space names the tool', () => {
    const [global, own] = [read(byHint), read(byName)];
    const book = compileBook([
      { document: global, version: 1, authorId: null },
      { document: own, version: 1, authorId: null, spaceId: 'spc_a' },
    ]);
    const inSpace = (unaccepted: boolean) => decide(book, { ...reading({ unaccepted }), space: 'spc_a' });
    expect(inSpace(false).outcome).toBe('allow');
    expect(inSpace(true)).toMatchObject({ outcome: 'require', audience: 'approvers' });
  });

  test('asks the same people once', () => {
    const verdict = verdictOf(reading(), stage('Owner', 'match: { server: bank }'));
    expect(verdict.stages).toHaveLength(1);
    expect(verdict.explanation.terms).not.toContainEqual(raised);
  });

  test('needs an answer to arguments if a policy would look at them without it', () => {
    const book = bookOf(
      byName,
      'policy: guard\nmatch: { risk: medium }\nwhen: request.args.x == 1\ndeny: { reason: No. }',
    );
    expect(ignoresArguments(book, reading({ unaccepted: false }))).toBe(true);
    expect(ignoresArguments(book, reading())).toBe(false);
  });

  test('changes nothing for a tool that does not claim it', () => {
    const other = reading({ annotations: { readOnlyHint: false } });
    expect(verdictOf(other, byHint)).toEqual(verdictOf({ ...other, unaccepted: false }, byHint));
  });
});
