import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { risks } from '#requests/asking/contract/elicitation';
import { decide, denialOf } from '#policies/deciding/rules/decide';
import { compileBook, type PublishedPolicy } from '#policies/deciding/rules/book';
import { builtInPolicy, type Verdict } from '#policies/document/rules/verdict';
import { stricterTerms, type Terms, type Facts } from '#policies/document/rules/document';
import { factsOf } from '../users.ts';
import { read } from '../policies.ts';

const approvers = fc.constantFrom(
  'anyone',
  { group: 'a' },
  { group: 'b' },
  { owner: 'server' },
  { manager: 'requester' },
);
const frozen = { name: 'F', from: '2026-11-21T00:00:00Z', until: '2026-11-22T00:00:00Z', approvers: { group: 'f' } };
const later = { ...frozen, name: 'L', from: '2026-11-25T00:00:00Z', until: '2026-11-26T00:00:00Z' };
const freeze = fc.option(fc.subarray([frozen, later], { minLength: 1 }));
const optional = <T extends object>(parts: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(parts, { requiredKeys: [] });
const terms = optional({
  requester: fc.constantFrom('verified', 'any'),
  risk: fc.constantFrom('low', 'medium', 'high'),
  deadline: fc.constantFrom('10m', '1h', '2d'),
  onTimeout: fc.constantFrom('expire', 'deny'),
  justification: fc.constantFrom({ approver: { minLength: 10 } }, { requester: { like: 'JIRA-*' } }),
  confirmation: fc.constantFrom({ path: '/to' }, { text: 'yes' }),
  freshSignIn: fc.constantFrom('5m', '1h'),
  presence: fc.constantFrom('none', 'fresh-sign-in', 'passkey'),
  readingTime: fc.constantFrom('0s', '10s'),
  pace: fc.constantFrom({ approvals: 3, within: '5m' }, { hasty: 2, within: '1m' }),
  notBefore: fc.boolean(),
  editable: fc.constant({ amount: { type: 'integer' } }),
  undo: fc.constantFrom('5s', '1m'),
  grant: fc.constantFrom({ longest: '1h' }, { longest: '10m', uses: 2 }),
  chat: fc.constantFrom({ to: 'approvers' }, { to: '#ops', vote: true }),
});
const rule = fc.oneof(
  fc.constant({ deny: { reason: 'No.' } }),
  fc
    .record({
      ceiling: fc.constantFrom('low', 'medium'),
      sample: fc.option(fc.integer({ min: 1, max: 100 })),
      freeze,
    })
    .map(({ ceiling, sample, freeze: windows }) => ({
      allow: { ceiling, ...(sample && { sample: `${sample}%` }), ...(windows && { freeze: windows }) },
    })),
  fc
    .record({ ceiling: fc.constantFrom('medium', 'high'), freeze })
    .map(({ ceiling, freeze: windows }) => ({ confirm: { ceiling, ...(windows && { freeze: windows }) } })),
  fc
    .record({
      terms,
      stages: fc.uniqueArray(
        fc.record({ name: fc.constantFrom('S', 'T'), approvers, approve: fc.constantFrom(1, 2) }),
        {
          selector: ({ name }) => name,
          minLength: 1,
          maxLength: 2,
        },
      ),
      separation: fc.record({ agentOwner: fc.boolean(), earlierVoters: fc.boolean() }),
      freeze,
    })
    .map(({ terms: some, stages, separation, freeze: windows }) => ({
      require: { stages, separation, ...some, ...(windows && { freeze: windows }) },
    })),
);
const condition = fc.constantFrom('true', 'false', 'request.args.amount > 1000', 'request.args.missing == 1');
/** One rule, or several of which the last may be without a condition. */
const body = fc.oneof(
  { weight: 3, arbitrary: rule },
  fc
    .tuple(fc.array(fc.tuple(condition, rule), { minLength: 1, maxLength: 2 }), fc.option(rule))
    .map(([some, last]) => ({
      rules: [...some.map(([when, each]) => ({ when, ...each })), ...(last === null ? [] : [last])],
    })),
);
const policiesOf = (space: string | null): fc.Arbitrary<PublishedPolicy[]> =>
  fc.array(
    fc
      .record({
        name: fc.constantFrom('a', 'b', 'c', 'd'),
        priority: fc.integer({ min: -2, max: 200 }),
        when: fc.option(condition),
        server: fc.option(fc.constantFrom('bank', 'ba*', 'shop', '*')),
        written: body,
      })
      .map(({ name, priority, when, server, written }) => ({
        document: read(
          JSON.stringify({
            policy: `${space === null ? 'global' : 'own'}-${name}`,
            priority,
            ...(server && { match: { server } }),
            ...(when && { when }),
            ...written,
          }),
        ),
        version: 1,
        authorId: 'zoe',
        spaceId: space,
      })),
    { maxLength: 4 },
  );
const everywhere = policiesOf(null);
const ofSpace = policiesOf('spc_bank').filter(({ length }) => length > 0);
const facts: fc.Arbitrary<Facts> = fc
  .record({
    risk: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
    answerable: fc.boolean(),
    tool: fc.constantFrom('transfer', 'assentry.list'),
    annotations: fc.constantFrom<Record<string, boolean>>({}, { readOnlyHint: true }, { destructiveHint: true }),
    audience: fc.constantFrom(null, 'approvers' as const),
    verifiedBy: fc.constantFrom(null, 'https://id'),
    unknownTools: fc.constantFrom('requester' as const, 'approvers' as const, 'deny' as const),
    requester: fc.constantFrom('any' as const, 'verified' as const),
    verified: fc.boolean(),
    startAt: fc.constantFrom(null, Date.parse('2026-11-25T12:00:00Z')),
  })
  .map(({ risk, answerable, tool, annotations, audience, verifiedBy, verified, unknownTools, requester, startAt }) =>
    factsOf({
      request: { risk, tool, annotations, audience },
      requester: { verifiedBy, verified: verified || verifiedBy !== null },
      defaults: { unknownTools, requester, readingTime: 5_000 },
      answerable,
      startAt,
      space: 'spc_bank',
    }),
  );
const judge = (policies: PublishedPolicy[], args: Facts): Verdict => decide(compileBook(policies), args);

/** What asks more people: nothing, the requester, approvers; last what is denied. */
const level = ({ outcome, audience }: Verdict): number =>
  outcome === 'deny' ? 3 : outcome === 'allow' ? 0 : audience === 'requester' ? 1 : 2;

/** The terms that a value of which no other makes stricter is as strict as the other in all. */
function weakenedTerms(alone: Verdict, both: Verdict, { defaults }: Facts): string[] {
  const joined = stricterTerms(alone, both, defaults);
  // What only the first one says, and lists of rules, which are there twice then.
  const same = (key: keyof Terms): boolean =>
    JSON.stringify(unique(joined[key])) === JSON.stringify(unique(both[key])) ||
    (joined[key] === null && ['grant', 'editable'].includes(key));
  return (Object.keys(joined) as (keyof Terms)[]).filter(
    (key) => !['reminders', 'quietHours', 'risk', 'facts', 'chat', 'notify'].includes(key) && !same(key),
  );
}
const unique = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    Array.isArray(part) ? [...new Set(part.map((item) => JSON.stringify(item)))].toSorted() : part,
  );

/** Everything in which a verdict is weaker than another. */
function weaker(alone: Verdict, both: Verdict, args: Facts): string[] {
  if (both.outcome === 'deny') return [];
  if (level(both) < level(alone)) return [`level ${level(alone)} to ${level(both)}`];
  const faults = risks.indexOf(both.risk) < risks.indexOf(alone.risk) ? ['risk'] : [];
  if (alone.outcome === 'allow') {
    if (both.outcome === 'allow' && (both.sample ?? 0) < (alone.sample ?? 0)) faults.push('sample');
    return faults;
  }
  const names = ({ stages }: Verdict) => stages.map(({ name, groups }) => JSON.stringify({ name, groups }));
  if (alone.policy !== both.policy && alone.policy !== builtInPolicy) faults.push('policy');
  // A stage for a requester who is not checked is added only where no other needs two people.
  const lost = names(alone).filter((stage) => !names(both).includes(stage) && !stage.includes('Second person'));
  const isTwice = alone.stages.some(({ name }) => name === 'Second person') || lost.length > 0;
  if (lost.length > 0 && !(isTwice && needsTwo(both))) faults.push(`stages ${lost.join()}`);
  if (alone.grant === null && both.grant !== null) faults.push('grant');
  if (alone.editable === null && both.editable !== null) faults.push('editable');
  if ((alone.chat === null && both.chat !== null) || (both.chat?.vote && !alone.chat?.vote)) faults.push('chat');
  if (alone.freeze.some((window) => !both.freeze.some(({ name }) => name === window.name))) faults.push('freeze');
  return [...faults, ...weakenedTerms(alone, both, args)];
}

/** Do its stages need two people, counted in another way than by the code? */
const needsTwo = ({ stages }: Verdict): boolean =>
  stages.some(({ groups }) => groups.some(({ approve }) => 'count' in approve && approve.count > 1)) ||
  stages.slice(1).some(({ separation }) => separation.earlierVoters);

const asGlobal = (policies: PublishedPolicy[]) => policies.map((policy) => ({ ...policy, spaceId: null }));

describe('with policies of its space', () => {
  test('no verdict is weaker in anything than that of the global policies alone', () => {
    fc.assert(
      fc.property(everywhere, ofSpace, facts, (global, own, args) => {
        expect(weaker(judge(global, args), judge([...global, ...own], args), args)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('none is weaker than what they demand themselves, either', () => {
    fc.assert(
      fc.property(everywhere, ofSpace, facts, (global, own, args) => {
        const [alone, both] = [judge(asGlobal(own), args), judge([...global, ...own], args)];
        if (denialOf(compileBook(own), args)) expect(both.outcome).toBe('deny');
        const isApplied = alone.explanation.considered.some(({ result }) => result !== 'not-applied');
        if (isApplied && alone.outcome === 'require' && both.outcome !== 'deny')
          expect(level(both)).toBeGreaterThanOrEqual(level(alone));
      }),
    );
  });

  test('of other servers they are not considered', () => {
    fc.assert(
      fc.property(
        everywhere,
        ofSpace,
        facts,
        fc.constantFrom('spc_other', null, undefined),
        (global, own, args, space) => {
          const elsewhere = { ...args, space };
          expect(judge([...global, ...own], elsewhere)).toEqual(judge(global, elsewhere));
        },
      ),
    );
  });
});

const policyOf = (name: string, body: object, spaceId: string | null = null): PublishedPolicy => ({
  document: read(JSON.stringify({ policy: name, ...body })),
  version: 1,
  authorId: null,
  spaceId,
});
const asking = { require: { stages: [{ name: 'Global', approvers: 'anyone' }] } };
const bank = factsOf({ space: 'spc_bank', request: { risk: 'low' } });

test('a space that lets everything run without asking does not beat a global policy that asks', () => {
  const own = policyOf('own', { priority: 1000, allow: { ceiling: 'medium' } }, 'spc_bank');
  expect(judge([policyOf('all', asking), own], bank)).toMatchObject({ outcome: 'require', policy: 'all@1' });
  expect(judge([policyOf('all', { confirm: { ceiling: 'high' } }), own], bank)).toMatchObject({
    audience: 'requester',
  });
  expect(judge([own], bank)).toMatchObject({ outcome: 'require', audience: 'requester' });
  expect(judge([own], { ...bank, defaults: { ...bank.defaults, unknownTools: 'deny' } }).outcome).toBe('deny');
  expect(judge([policyOf('all', { allow: { ceiling: 'low' } }), own], bank)).toMatchObject({ outcome: 'allow' });
});

test('both are asked where both ask, the global one first', () => {
  const own = policyOf(
    'own',
    { require: { stages: [{ name: 'Own', approvers: { group: 'b' } }], risk: 'low' } },
    'spc_bank',
  );
  const verdict = judge([policyOf('all', asking), own], { ...bank, request: { ...bank.request, risk: 'high' } });
  expect(verdict).toMatchObject({ policy: 'all@1', risk: 'high', stages: [{ name: 'Global' }, { name: 'Own' }] });
  expect(judge([own], bank)).toMatchObject({ policy: 'own@1', stages: [{ name: 'Own' }] });
});
