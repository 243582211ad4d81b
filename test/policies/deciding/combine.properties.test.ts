import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isVouched, presenceFor } from '#people/directory/contract/presence';
import type { PolicyDefaults } from '#policies/contract/policy';
import { textToType } from '#requests/facts/contract/orders';
import { combine, decide } from '#policies/deciding/rules/decide';
import { faultOfJustification, planStages, type Requirement } from '#policies/document/rules/stages';
import { pausedUntil } from '#policies/terms/pace';
import { termList, type Terms } from '#policies/document/rules/document';
import type { Verdict } from '#policies/document/rules/verdict';
import { bookOf, readRule } from '../policies.ts';
import { factsOf } from '../users.ts';

/** What a policy writes of each term; undefined says nothing. */
const written: { [K in keyof Terms]: unknown[] } = {
  requester: ['verified', 'any'],
  risk: ['low', 'medium', 'high'],
  deadline: ['10m', '1h', '2d'],
  onTimeout: ['expire', 'deny'],
  reminders: [['5m'], ['1h', '4h']],
  quietHours: ['Europe/Berlin', 'UTC'].map((timeZone) => ({ from: '22:00', until: '07:00', timeZone })),
  justification: [
    { approver: { minLength: 10 } },
    { requester: { like: 'JIRA-*' } },
    { requester: { minLength: 10 }, approver: { like: 'JIRA-*' } },
  ],
  confirmation: [{ path: '/to' }, { path: '/gone' }, { text: 'yes' }],
  freshSignIn: ['5m', '1h'],
  presence: ['none', 'fresh-sign-in', { acr: 'phr' }, { acr: 'mfa' }, 'passkey'],
  readingTime: ['0s', '3s', '10s', '1m'],
  pace: [
    { approvals: 3, within: '5m' },
    { hasty: 2, within: '1m' },
    { approvals: 2, hasty: 3, within: '10m' },
  ],
  notBefore: [true, false],
  editable: [{ amount: { type: 'integer' } }, { note: { type: 'string' } }],
  facts: [[{ label: 'Amount', path: '/amount' }], [{ label: 'To', path: '/to' }]],
  undo: ['5s', '1m'],
  grant: [{ longest: '1h' }, { longest: '10m', uses: 2, same: ['to'] }],
  chat: [{ to: 'approvers' }, { to: '#ops', vote: true }, { to: '#sec', vote: true }],
  notify: [
    { channels: ['email'] },
    { channels: ['push'] },
    { channels: ['push', 'email'], urgent: true },
    { urgent: true },
  ],
};

const minute = 60_000;
const defaults: PolicyDefaults = { requester: 'any', unknownTools: 'requester', readingTime: 5_000 };
const levels = ['low', 'medium', 'high'];
const reasons = [null, 'no', 'JIRA-1', 'long enough', 'JIRA-1234 approved'];
const times = [0, 1_000, 4_000, 7_000, 30_000, 2 * minute, 20 * minute, 90 * minute, 1_500 * minute, 5_000 * minute];
const histories = [[], [0.5], [0.5, 2], [0.5, 2, 3], [2, 4, 8], [6, 8]].flatMap((ages) =>
  [true, false].map((isHasty) => ages.map((age) => ({ at: -age * minute, isHasty }))),
);
const each = <T>(probes: readonly T[], isPermitted: (verdict: Verdict, probe: T) => boolean) => {
  return (verdict: Verdict): string[] =>
    probes.filter((probe) => isPermitted(verdict, probe)).map((probe) => JSON.stringify(probe));
};

/** What a verdict still permits by this term: the weaker one permits more. */
const permits: { [K in keyof Terms]: (verdict: Verdict) => string[] } = {
  requester: each(['verified', 'default', 'any'], ({ requester }, need) =>
    need === 'verified' ? true : need === 'default' ? requester !== 'verified' : requester === 'any',
  ),
  risk: each(levels, ({ risk }, most) => levels.indexOf(risk) <= levels.indexOf(most)),
  deadline: each(times, ({ deadline }, at) => deadline === null || at < deadline),
  onTimeout: each(['expire'] as const, ({ onTimeout }, outcome) => onTimeout === outcome),
  reminders: each([], () => false),
  quietHours: each([], () => false),
  justification: each(
    reasons.flatMap((reason) => (['requester', 'approver'] as const).map((from) => ({ reason, from }))),
    ({ justification }, { reason, from }) => faultOfJustification(justification[from], reason) === null,
  ),
  confirmation: each([[], ['DE02'], ['yes'], ['transfer'], ['DE02', 'yes']], ({ confirmation }, typed) =>
    confirmation.every((rule) => typed.includes(textToType(rule, { to: 'DE02' }, 'transfer'))),
  ),
  freshSignIn: each(times, ({ freshSignIn }, age) => freshSignIn === null || age < freshSignIn),
  presence: each(
    (['none', 'fresh-sign-in', 'phr', 'mfa', 'passkey'] as const).flatMap((shown) =>
      [true, false].map((hasPasskey) => ({ shown, hasPasskey })),
    ),
    ({ presence, risk }, { shown, hasPasskey }) => {
      const needed = presenceFor(presence, { risk, environment: 'production', hasPasskey });
      if (needed === 'none' || shown === 'passkey') return true;
      return needed === 'fresh-sign-in' ? shown !== 'none' : isVouched(needed) && needed.acr === shown;
    },
  ),
  readingTime: each(times, ({ readingTime }, after) => after >= (readingTime ?? defaults.readingTime)),
  pace: each(histories, ({ pace }, approvals) => pausedUntil(approvals, pace, 0) === null),
  notBefore: each(['a later start'], ({ notBefore }) => notBefore),
  editable: each(['amount', 'note'], ({ editable }, name) => editable !== null && name in editable),
  facts: each(['nothing next to the buttons'], ({ facts }) => facts.length === 0),
  undo: each(times, ({ undo }, after) => after >= (undo ?? 0)),
  grant: each(times, ({ grant }, longest) => grant !== null && longest <= grant.longest),
  chat: each(['post', 'vote'], ({ chat }, what) => chat !== null && (what === 'post' || chat.vote)),
  notify: each(['email', 'push', 'leave in peace'] as const, ({ notify }, what) =>
    what === 'leave in peace' ? notify?.urgent !== true : (notify?.channels?.includes(what) ?? true),
  ),
};

const keys = termList.map(({ key }) => key);
type Written = { [K in keyof Terms]?: unknown };
const policy = (name: string, terms: Written, when?: string): string =>
  JSON.stringify({
    policy: name,
    ...(when !== undefined && { when }),
    require: { stages: [{ name, approvers: 'anyone' }], ...terms },
  });
const fails = 'request.args.missing == 1';
const judge = (risk: 'low' | 'high', ...policies: string[]): Verdict =>
  decide(bookOf(...policies), factsOf({ request: { risk }, requester: { verifiedBy: 'https://id' }, defaults }));

/** What the verdict of both permits and that of one of them does not, by term. */
function weakened(first: Written, second: Written, risk: 'low' | 'high', among = keys): string[] {
  const both = judge(risk, policy('a', first), policy('b', second, fails));
  const single = [judge(risk, policy('a', first)), judge(risk, policy('b', second, fails))];
  return among.flatMap((key) =>
    permits[key](both)
      .filter((probe) => !single.every((verdict) => permits[key](verdict).includes(probe)))
      .map((probe) => `${key}: ${probe}`),
  );
}

describe('of two policies that hold together', () => {
  test.each(keys)('%s is never weaker than in either, for every two values', (key) => {
    const values = [{}, ...written[key].map((value) => ({ [key]: value }))];
    const pairs = values.flatMap((first) => values.map((second) => [first, second] as const));
    const faults = pairs.flatMap(([first, second]) =>
      (['low', 'high'] as const).flatMap((risk) => weakened(first, second, risk, [key])),
    );
    expect(faults).toEqual([]);
    const permitted = values.map((value) => permits[key](judge('low', policy('a', value))).join());
    if (!isOfFirst(key)) expect(new Set(permitted).size).toBeGreaterThan(1);
  });

  test('no term is weaker than in either, for any two policies', () => {
    fc.assert(
      fc.property(anyTerms, anyTerms, fc.constantFrom('low', 'high'), (first, second, risk) => {
        expect(weakened(first, second, risk)).toEqual([]);
      }),
    );
  });

  test.each(keys.filter(isOfFirst))('%s is that of the policy that decides', (key) => {
    for (const value of [undefined, ...written[key]])
      for (const other of [undefined, ...written[key]]) {
        const first = requirementOf({ [key]: value });
        expect(join(first, requirementOf({ [key]: other }))[key]).toEqual(first[key]);
      }
  });
});

describe('combining requirements', () => {
  test('is associative', () => {
    fc.assert(
      fc.property(anyRequirement, anyRequirement, anyRequirement, (a, b, c) => {
        expect(join(join(a, b), c)).toEqual(join(a, join(b, c)));
      }),
    );
  });

  test('is commutative, but for the name, what only the first one says, and the order of rules', () => {
    fc.assert(
      fc.property(anyRequirement, anyRequirement, (a, b) => {
        expect(withoutFirst(join(a, b))).toEqual(withoutFirst(join(b, a)));
      }),
    );
  });

  test('is idempotent, but for rules that are there twice, and permissions that no two policies give', () => {
    fc.assert(
      fc.property(anyRequirement, (a) => {
        expect(asSets(join(a, a))).toEqual(asSets({ ...a, editable: null, grant: null }));
      }),
    );
  });

  test('keeps every part of a requirement', () => {
    const plain = requirementOf({});
    expect(Object.keys(join(plain, plain)).toSorted()).toEqual(Object.keys(plain).toSorted());
  });
});

/** Reminders make no request stricter. */
function isOfFirst(key: keyof Terms): boolean {
  return key === 'reminders' || key === 'quietHours';
}

const anyTerms: fc.Arbitrary<Written> = fc.record(
  Object.fromEntries(keys.map((key) => [key, fc.constantFrom(...written[key])])),
  { requiredKeys: [] },
);
const anyRequirement = fc.tuple(anyTerms, fc.constantFrom('a', 'b')).map(([terms, name]) => requirementOf(terms, name));

function requirementOf(terms: Written, name = 'a'): Requirement {
  const rule = readRule(policy(name, terms));
  if (rule.outcome !== 'require') throw new Error('The policy must require.');
  const { outcome: _outcome, separation: _separation, ...rest } = rule;
  return { ...rest, policy: `${name}@1`, stages: planStages(rule, null), frozen: [] };
}

const join = (first: Requirement, second: Requirement): Requirement => combine(first, second, defaults);

/** Lists without an order and without what they have twice. */
const asSets = <T extends object>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    Array.isArray(part) ? [...new Set(part.map((item) => JSON.stringify(item)))].toSorted() : part,
  ) as T;

function withoutFirst({
  policy: _policy,
  reminders: _reminders,
  quietHours: _quiet,
  facts,
  chat,
  ...rest
}: Requirement) {
  return asSets({ ...rest, isShown: facts.length > 0, chat: chat && { vote: chat.vote } });
}
