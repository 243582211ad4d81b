import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canComplete } from '#requests/voting/contract/stages';
import { decide } from '#policies/deciding/rules/decide';
import type { Facts } from '#policies/document/rules/document';
import { matchesGlob } from '#policies/document/rules/directory';
import {
  compileBook,
  findCandidates,
  type BookEntry,
  type PolicyBook,
  type PublishedPolicy,
} from '#policies/deciding/rules/book';
import { resolveStages } from '#policies/deciding/rules/stages';
import type { StagePlan, Verdict } from '#policies/document/rules/verdict';
import { directoryOf, factsOf, user } from '../users.ts';
import { read } from '../policies.ts';

const server = fc.constantFrom('bank', 'shop', 'ba*', '*');
const tool = fc.constantFrom('transfer', 'read', 'tr*', '*fer');
const some = (name: fc.Arbitrary<string>) => fc.option(fc.uniqueArray(name, { minLength: 1, maxLength: 3 }));
const holds = fc.constantFrom('true', 'request.args.amount > 1000', 'request.args.amount < 1000', 'false');
const fails = fc.constantFrom('request.args.missing == 1', 'request.args.amount', 'request.args.to > 3');
const stage = fc.record({
  name: fc.constant('S'),
  approve: fc.constantFrom(1, 2),
  approvers: fc.constantFrom('anyone', { group: 'a' }, [{ group: 'a' }, { group: 'b' }], { manager: 'requester' }),
});
const deny = fc.constant({ deny: { reason: 'No.' } });
const allow = fc.constantFrom({ allow: { ceiling: 'low' } }, { allow: { ceiling: 'medium' } });
const require = fc.record({
  require: fc.record({
    stages: fc.tuple(stage),
    separation: fc.record({ author: fc.boolean(), earlierVoters: fc.boolean() }),
  }),
});
const policyOf = (rule: fc.Arbitrary<object>, when: fc.Arbitrary<string>): fc.Arbitrary<PublishedPolicy> =>
  fc
    .record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      priority: fc.integer({ min: -2, max: 2 }),
      when: fc.option(when),
      match: fc.record({ server: some(server), tool: some(tool) }),
      rule,
    })
    .map(({ name, priority, when: condition, match, rule: body }) => {
      const args = Object.fromEntries(Object.entries(match).filter(([, names]) => names !== null));
      const text = { policy: name, priority, match: args, ...(condition ? { when: condition } : {}), ...body };
      return { document: read(JSON.stringify(text)), version: 1, authorId: 'zoe' };
    });

const confirm = fc.constantFrom({ confirm: { ceiling: 'medium' } }, { confirm: { ceiling: 'high' } });
const anyRule = fc.oneof(deny, allow, allow, confirm, require, require);
/** Several rules, each with a condition. */
const listOf = (when: fc.Arbitrary<string>): fc.Arbitrary<object> =>
  fc
    .array(fc.tuple(when, anyRule), { minLength: 2, maxLength: 4 })
    .map((rules) => ({ rules: rules.map(([condition, body]) => ({ when: condition, ...body })) }));
const anyPolicy = (when: fc.Arbitrary<string>): fc.Arbitrary<PublishedPolicy> =>
  policyOf(fc.oneof({ weight: 2, arbitrary: anyRule }, listOf(when)), when);
const policies = fc.array(anyPolicy(holds), { maxLength: 6 });
const facts: fc.Arbitrary<Facts> = fc
  .record({ risk: fc.constantFrom('low' as const, 'medium' as const, 'high' as const), answerable: fc.boolean() })
  .map(({ risk, answerable }) => factsOf({ request: { risk }, answerable }));

const judge = (all: PublishedPolicy[], args: Facts): Verdict => decide(compileBook(all), args);
const applies = (policy: PublishedPolicy, args: Facts): boolean =>
  judge([policy], args).explanation.considered.some(({ result }) => result !== 'not-applied');

describe('P2 for any policies and requests', () => {
  test('a deny that applies wins, whatever its place', () => {
    fc.assert(
      fc.property(policies, policyOf(deny, holds), fc.nat(), facts, (others, denial, at, args) => {
        const all = others.toSpliced(at % (others.length + 1), 0, denial);
        if (applies(denial, args)) expect(judge(all, args)).toMatchObject({ outcome: 'deny', stages: [] });
      }),
    );
  });

  test('one more deny never approves and never asks fewer', () => {
    fc.assert(
      fc.property(policies, policyOf(deny, fc.oneof(holds, fails)), facts, (others, denial, args) => {
        const [before, after] = [judge(others, args), judge([...others, denial], args)];
        if (after.outcome !== 'deny') expect(strip(after)).toEqual(strip(before));
      }),
    );
  });

  test('their order does not matter', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyPolicy(holds), { selector: ({ document }) => document.policy }),
        facts,
        (all, args) => {
          expect(judge(all.toReversed(), args)).toEqual(judge(all, args));
        },
      ),
    );
  });
});

describe('P1 for any policies and requests', () => {
  test('one more that cannot be evaluated never loosens what the others say', () => {
    fc.assert(
      fc.property(
        fc.array(anyPolicy(fc.oneof(holds, fails)), { maxLength: 5 }),
        policyOf(anyRule, fails),
        facts,
        (others, failing, args) => {
          const [before, after] = [judge(others, args), judge([...others, failing], args)];
          const considered = after.explanation.considered.length > before.explanation.considered.length;
          if (!considered || failing.document.when === null) return;
          if (before.outcome === 'deny') expect(after.outcome).toBe('deny');
          if (after.outcome === 'deny') return;
          expect(after).toMatchObject({ outcome: 'require', audience: 'approvers' });
          expect(after.stages.length).toBeGreaterThan(0);
          for (const plan of before.stages) if (!isAnyApproval(plan)) expect(after.stages).toContainEqual(plan);
        },
      ),
    );
  });
});

describe('of many policies', () => {
  const isAbout = fc.constantFrom(
    'request.server == "bank"',
    '"shop" == request.server',
    'request.tool == "read"',
    'request.tool == "transfer"',
    'request.server == "bank" && request.args.missing == 1',
    'request.args.amount > 1000 && request.server == "shop"',
    'request.server == "shop" || request.args.amount > 1000',
    '!(request.server == "bank")',
  );
  const many = fc
    .array(policyOf(anyRule, fc.oneof(holds, fails, isAbout, isAbout)), { minLength: 1, maxLength: 300, size: 'max' })
    .map((all) =>
      all.map(({ document, ...rest }, at) => ({ ...rest, document: { ...document, policy: `policy-${at}` } })),
    );

  /** The same book with no name looked up: every policy is found for every request, and every clause is evaluated. */
  function unindexed(all: PublishedPolicy[]): PolicyBook {
    const book = compileBook(all);
    const entries = new Map([...book.entries.values()].flat().map((entry) => [entry.name, forgetNames(entry)]));
    return { ...book, entries: new Map([['[null,null]', [...entries.values()]]]) };
  }

  const forgetNames = ({ condition, ...entry }: BookEntry): BookEntry => ({
    ...entry,
    condition:
      condition !== null && 'clauses' in condition
        ? { ...condition, clauses: condition.clauses.map((clause) => ({ ...clause, names: null })) }
        : condition,
  });

  test('the few that name its server and tool decide and explain a request as all of them would', () => {
    fc.assert(
      fc.property(many, facts, (all, args) => {
        const { explanation, ...verdict } = judge(all, args);
        const { explanation: whole, ...reference } = decide(unindexed(all), args);
        expect(verdict).toEqual(reference);
        const { considered, passedOver = [], ...rest } = explanation;
        expect({ ...rest, applying: considered.filter(isApplying) }).toEqual({
          policy: whole.policy,
          outcome: whole.outcome,
          terms: whole.terms,
          applying: whole.considered.filter(isApplying),
        });
        const passed = [
          ...considered.filter((policy) => !isApplying(policy)).map(({ policy: pin }) => pin),
          ...passedOver,
        ];
        const elsewhere = new Set(namingAnother(all, args));
        const others = whole.considered.filter((policy) => !isApplying(policy)).map(({ policy }) => policy);
        expect(passed).toEqual([...others, ...(whole.passedOver ?? [])].filter((name) => !elsewhere.has(name)));
        expect(considered.filter((policy) => !isApplying(policy)).length).toBeLessThanOrEqual(10);
      }),
    );
  });

  const isApplying = ({ result }: { result: string }): boolean => result !== 'not-applied';

  /** Whose condition has a part that names another server or tool. */
  const namingAnother = (all: PublishedPolicy[], { request }: Facts): string[] =>
    all
      .filter(({ document: { when } }) => {
        const parts = (when ?? '').split(' && ');
        return parts.some((part) => {
          const [, field, name] = /^request\.(server|tool) == "(\w+)"$/.exec(part) ?? [];
          const [, reversed] = /^"(\w+)" == request\.server$/.exec(part) ?? [];
          return (
            (field !== undefined && request[field as 'server' | 'tool'] !== name) ||
            (reversed !== undefined && request.server !== reversed)
          );
        });
      })
      .map(({ document }) => `${document.policy}@1`);
});

describe('P3, P7 for any policies and people', () => {
  const names = ['rita', 'ada', 'ben', 'zoe', 'mona'];
  const users = fc
    .tuple(
      ...names.map((id) =>
        fc.record({ id: fc.constant(id), groups: fc.subarray(['a', 'b']), managerId: fc.constantFrom(...names) }),
      ),
    )
    .map((all) => directoryOf(...all.map(({ id, ...rest }) => user(id, rest))));

  test('the requester and people the policy excludes are in no group, and what can be completed says so', () => {
    fc.assert(
      fc.property(fc.array(policyOf(require, holds), { minLength: 1, maxLength: 3 }), users, (all, directory) => {
        const args = factsOf();
        const { stages: plans } = judge(all, args);
        const resolution = resolveStages(plans, directory, args);
        resolution.stages.forEach(({ groups, excluded }, at) => {
          expect(excluded).toContain('rita');
          if (plans[at]?.excluded.length) expect(excluded).toContain('zoe');
          const named = groups.flatMap(({ approvers }) => (approvers === 'anyone' ? [] : approvers));
          expect(named.filter((name) => excluded.includes(name))).toEqual([]);
        });
        const voters = directory.users.map(({ id }) => id);
        const isEach = resolution.stages.every((stage) => canComplete(stage, new Set(voters)));
        if (resolution.ok) expect(isEach).toBe(true);
        if (!isEach) expect(resolution.ok).toBe(false);
      }),
    );
  });
});

describe('the index', () => {
  test('finds what a look at every policy finds', () => {
    fc.assert(
      fc.property(
        policies,
        fc.constantFrom('bank', 'shop', 'barn'),
        fc.constantFrom('transfer', 'read', 'defer'),
        (all, item, other) => {
          const args = factsOf({ request: { server: item, tool: other } });
          const isIn = (patterns: string[] | null, name: string) =>
            !patterns || patterns.some((glob) => matchesGlob(name, glob));
          const fitting = all.filter(({ document: { match } }) => isIn(match.server, item) && isIn(match.tool, other));
          const results = findCandidates(compileBook(all), args).map(({ document }) => document);
          expect(results.map((document) => JSON.stringify(document)).toSorted()).toEqual(
            fitting.map(({ document }) => JSON.stringify(document)).toSorted(),
          );
        },
      ),
    );
  });

  test.each([
    ['abc', 'abc', true],
    ['abc', 'a*c', true],
    ['ac', 'a*c', true],
    ['aba', 'ab*ba', false],
    ['abcabc', '*abc', true],
    ['abcab', '*abc', false],
    ['a.c', 'a?c', false],
    ['xaxbx', '*a*b*', true],
    ['xbxax', '*a*b*', false],
    ['', '*', true],
    ['', '', true],
    ['a*c', 'a*c', true],
    ['abcbc', 'a*bc', true],
    ['abab', 'a*ab*b', false],
    ['aabb', 'a*ab*b', true],
  ])('%j fits %j: %s', (text, pattern, expected) => {
    expect(matchesGlob(text, pattern)).toBe(expected);
  });
});

const strip = ({ explanation: _explanation, ...verdict }: Verdict): Omit<Verdict, 'explanation'> => verdict;

/** The strict default is contained in every stage that needs someone. */
const isAnyApproval = ({ name }: StagePlan): boolean => name === 'Approval';
