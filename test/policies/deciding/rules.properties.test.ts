import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAlwaysDenied } from '#policies/deciding/rules/always-denied';
import { decide, denialOf } from '#policies/deciding/rules/decide';
import { compileBook, type PublishedPolicy } from '#policies/deciding/rules/book';
import { ignoresArguments } from '#policies/deciding/rules/describe';
import { checkSatisfiable } from '#policies/deciding/rules/stages';
import { stricterTerms, type Terms, type Facts } from '#policies/document/rules/document';
import type { StagePlan, Verdict } from '#policies/document/rules/verdict';
import { runs } from '../../support/runs.ts';
import { read } from '../policies.ts';
import { directoryOf, factsOf, user } from '../users.ts';

const holds = fc.constantFrom(
  'request.args.amount > 1000',
  'request.args.amount < 1000',
  'request.args.amount == 1000 || request.args.to == "DE02"',
  'request.args.to != "DE02"',
  'tool.definition == null',
);
const fails = fc.constantFrom('request.args.missing == 1', 'request.args.amount', 'request.args.to > 3');

type Outcome = Record<string, unknown>;
interface Entry {
  when: string | null;
  outcome: Outcome;
}
interface Written {
  name: string;
  priority: number;
  when: string | null;
  entries: Entry[];
}

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constant({ deny: { reason: 'No.' } }),
  fc.constantFrom('low', 'medium').map((ceiling) => ({ allow: { ceiling } })),
  fc.constantFrom('medium', 'high').map((ceiling) => ({ confirm: { ceiling } })),
  fc
    .record({
      name: fc.constantFrom('S', 'T', 'U'),
      approve: fc.constantFrom(1, 2, 3),
      approvers: fc.constantFrom('anyone', { group: 'a' }, { group: 'b' }),
      risk: fc.constantFrom('low', 'medium', 'high'),
      deadline: fc.constantFrom('1h', '2h'),
      freshSignIn: fc.constantFrom('5m', '10m'),
    })
    .map(({ name, approve, approvers, ...terms }) => ({
      require: { stages: [{ name, approve, approvers }], ...terms },
    })),
);
const entry = (when: fc.Arbitrary<string>): fc.Arbitrary<Entry> => fc.record({ when, outcome });
/** The last one may be without a condition. */
const entries = (when: fc.Arbitrary<string>): fc.Arbitrary<Entry[]> =>
  fc
    .tuple(fc.array(entry(when), { minLength: 1, maxLength: 4 }), fc.option(outcome))
    .map(([some, last]) => (last === null ? some : [...some, { when: null, outcome: last }]));
const written = (when: fc.Arbitrary<string>): fc.Arbitrary<Written> =>
  fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    priority: fc.integer({ min: -1, max: 1 }),
    when: fc.option(when, { freq: 3 }),
    entries: entries(when),
  });
const several = (when: fc.Arbitrary<string>): fc.Arbitrary<Written[]> =>
  fc.uniqueArray(written(when), { selector: ({ name }) => name, maxLength: 4 });
const facts: fc.Arbitrary<Facts> = fc
  .record({
    risk: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
    answerable: fc.boolean(),
    amount: fc.constantFrom(1, 1000, 5000),
    to: fc.constantFrom('DE02', 'FR14'),
  })
  .map(({ risk, answerable, ...args }) => factsOf({ request: { risk, args }, answerable }));

const publish = ({ name, ...policy }: Record<string, unknown>): PublishedPolicy => ({
  document: read(JSON.stringify({ policy: name, ...policy })),
  version: 1,
  authorId: 'zoe',
});
const whenOf = (when: string | null): object => (when === null ? {} : { when });
const asList = ({ name, priority, when, entries: all }: Written): PublishedPolicy =>
  publish({ name, priority, ...whenOf(when), rules: all.map((each) => ({ ...whenOf(each.when), ...each.outcome })) });
const judge = (policies: PublishedPolicy[], args: Facts): Verdict => decide(compileBook(policies), args);
const strip = ({ explanation: _explanation, ...verdict }: Verdict): Omit<Verdict, 'explanation'> => verdict;

test('a policy of one rule decides and explains as a list of that rule', () => {
  fc.assert(
    fc.property(several(fc.oneof(holds, fails)), written(fc.oneof(holds, fails)), facts, (others, policy, args) => {
      const [{ when, outcome: only }] = policy.entries as [Entry];
      const { name, priority } = { ...policy, name: 'e' };
      const rest = others.map(asList);
      const alone = judge([...rest, publish({ name, priority, ...whenOf(when), ...only })], args);
      const list = publish({ name, priority, rules: [{ ...whenOf(when), ...only }] });
      expect(judge([...rest, list], args)).toEqual(alone);
      const under = publish({ name, priority, ...whenOf(when), rules: [only] });
      expect(judge([...rest, under], args)).toEqual(alone);
    }),
    { numRuns: runs(2_000) },
  );
});

/** What asks more people: nothing, the requester, approvers; last what is denied. */
const level = ({ outcome: decided, audience }: Verdict): number =>
  decided === 'deny' ? 3 : decided === 'allow' ? 0 : audience === 'requester' ? 1 : 2;

/** The terms that a value of which no other makes stricter is as strict as the other in all. */
const weakened = (before: Verdict, after: Verdict, { defaults }: Facts): string[] => {
  const joined = stricterTerms(before, after, defaults);
  const keys: (keyof Terms)[] = ['deadline', 'freshSignIn', 'presence', 'readingTime', 'onTimeout', 'risk'];
  return keys.filter((key) => JSON.stringify(joined[key]) !== JSON.stringify(after[key]));
};
/** The strict default is contained in every stage that needs someone. */
const isAnyApproval = ({ name }: StagePlan): boolean => name === 'Approval';

describe('a rule whose condition fails', () => {
  test('loosens nothing, wherever it stands and whatever it says', () => {
    let counted = 0;
    fc.assert(
      fc.property(
        several(fc.oneof(holds, fails)),
        written(fc.oneof(holds, holds, fails)),
        entry(fails),
        fc.nat(),
        facts,
        (others, usual, failing, at, args) => {
          const own = { ...usual, name: 'own' };
          const last = own.entries.at(-1)?.when === null ? own.entries.length : own.entries.length + 1;
          const more = { ...own, entries: own.entries.toSpliced(at % last, 0, failing) };
          const rest = others.map(asList);
          const [before, after] = [judge([...rest, asList(own)], args), judge([...rest, asList(more)], args)];
          expect(level(after)).toBeGreaterThanOrEqual(level(before));
          const isMet = after.explanation.considered.filter(({ result }) => result === 'failed').length;
          counted += Number(isMet > before.explanation.considered.filter(({ result }) => result === 'failed').length);
          if (after.outcome === 'deny') return;
          for (const plan of before.stages) if (!isAnyApproval(plan)) expect(after.stages).toContainEqual(plan);
          if (before.outcome === 'require' && before.stages.length > 0)
            expect(weakened(before, after, args).filter((key) => key !== 'risk')).toEqual([]);
        },
      ),
      { numRuns: runs(10_000) },
    );
    expect(counted).toBeGreaterThan(50);
  });

  test('lets nothing pass and nothing be left to the requester if it is looked at', () => {
    fc.assert(
      fc.property(several(holds), entry(fails), written(holds), facts, (others, failing, usual, args) => {
        const own = { ...usual, name: 'own', when: null, entries: [failing, ...usual.entries] };
        const verdict = judge([...others.map(asList), asList(own)], args);
        expect(level(verdict)).toBeGreaterThanOrEqual(2);
      }),
    );
  });
});

/** The same as single policies, each under the negated conditions of those before it. */
const split = ({ name, priority, when, entries: all }: Written): PublishedPolicy[] =>
  all.map((each, at) => {
    const earlier = all.slice(0, at).map((before) => `!(${before.when})`);
    const conditions = [when, each.when].filter((text) => text !== null).map((text) => `(${text})`);
    const joined = [...conditions, ...earlier].join(' && ');
    return publish({ name: `${name}-${at}`, priority, ...(joined && { when: joined }), ...each.outcome });
  });

describe('where no condition fails', () => {
  test('the first that fits decides as single policies with the earlier conditions negated do', () => {
    fc.assert(
      fc.property(several(holds), facts, (all, args) => {
        const [first, second] = [judge(all.map(asList), args), judge(all.flatMap(split), args)];
        const { policy, ...rest } = strip(second);
        expect(strip(first)).toEqual({ ...rest, policy: policy.replace(/-\d+@/, '@') });
        const denied = denialOf(compileBook(all.map(asList)), args)?.policy ?? null;
        const deniedApart = denialOf(compileBook(all.flatMap(split)), args)?.policy.replace(/-\d+@/, '@') ?? null;
        expect(denied).toBe(deniedApart);
      }),
      { numRuns: runs(6_000) },
    );
  });

  test('each policy gives one rule at most, and those behind it are not looked at', () => {
    fc.assert(
      fc.property(several(holds), facts, (all, args) => {
        const { considered } = judge(all.map(asList), args).explanation;
        for (const { name } of all) {
          const own = considered.filter(({ policy }) => policy === `${name}@1`);
          const applied = own.filter(({ result }) => result !== 'not-applied');
          expect(applied.length).toBeLessThanOrEqual(1);
          const place = applied[0]?.rule ?? Infinity;
          expect(own.every(({ rule = 1 }) => rule <= place)).toBe(true);
        }
      }),
    );
  });
});

describe('whatever the arguments', () => {
  const args = fc.dictionary(fc.constantFrom('amount', 'to', 'missing'), fc.oneof(fc.integer(), fc.constant('DE02')));

  test('a steady verdict stays, and what is denied always is denied', () => {
    let [steady, denied] = [0, 0];
    const when = fc.oneof({ weight: 4, arbitrary: fc.constant('tool.definition == null') }, holds);
    fc.assert(
      fc.property(several(when), args, (all, call) => {
        const book = compileBook(all.map(asList));
        const other = decide(book, factsOf({ request: { args: call } }));
        if (ignoresArguments(book, factsOf())) {
          steady += 1;
          expect(strip(other)).toEqual(strip(decide(book, factsOf())));
        }
        if (isAlwaysDenied(book, factsOf())) {
          denied += 1;
          expect(other.outcome).toBe('deny');
        }
      }),
      { numRuns: runs(10_000) },
    );
    expect([steady > 20, denied > 3]).toEqual([true, true]);
  });
});

test('a policy finds its people if each of its rules does', () => {
  const people = directoryOf(user('ada', { groups: ['a'] }), user('ben', { groups: ['a', 'b'] }), user('eve'));
  fc.assert(
    fc.property(written(holds), (policy) => {
      const alone = policy.entries.map((only) =>
        checkSatisfiable(asList({ ...policy, entries: [only] }).document, people),
      );
      expect(checkSatisfiable(asList(policy).document, people).ok).toBe(alone.every(({ ok }) => ok));
    }),
  );
});
