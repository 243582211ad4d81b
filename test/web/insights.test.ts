import { expect, test } from '@jest/globals';
import { approvalOf, boundsOf, everySpan, periodIn } from '../../web/src/audit/insights/InsightsPage.tsx';
import { ruleDocument } from '../../web/src/policies/NewPolicyPage.tsx';
import { read } from '../policies/policies.ts';

const day = 86_400_000;
const noon = Date.parse('2026-08-12T12:00:00Z');
const span = { accepted: 1, declined: 0, cancelled: 0, expired: 0, p50: 1, p95: 2 };

test('a period is whole days, and the last is today', () => {
  expect(boundsOf(7, noon)).toEqual({ from: Date.parse('2026-08-06'), to: Date.parse('2026-08-13') });
  expect(['days=90', 'days=8', ''].map((search) => periodIn(new URLSearchParams(search)))).toEqual([90, 30, 30]);
});

test('days without a request are in the chart, as are weeks from their Monday', () => {
  const { from, to } = boundsOf(7, noon);
  const days = everySpan({ step: 'day', spans: [{ at: from + day, ...span }] }, from, to);
  expect(days.map(({ accepted }) => accepted)).toEqual([0, 1, 0, 0, 0, 0, 0]);
  const year = boundsOf(365, noon);
  const monday = Date.parse('2026-08-10');
  const weeks = everySpan({ step: 'week', spans: [{ at: monday, ...span }] }, year.from, year.to);
  expect(weeks.filter(({ accepted }) => accepted > 0).map(({ at }) => at)).toEqual([monday]);
  expect(weeks.map(({ at }) => new Date(at).getUTCDay())).toEqual(weeks.map(() => 1));
  expect(weeks[0]?.at).toBeLessThanOrEqual(year.from);
  expect((weeks.at(-1)?.at ?? 0) + 7 * day).toBeGreaterThanOrEqual(year.to);
});

test('a few decisions say nothing about a rule', () => {
  expect(approvalOf({ approved: 19, rejected: 0 })).toBeNull();
  expect(approvalOf({ approved: 97, rejected: 3 })).toBe(97);
});

test('a rule is a policy as it stands, for this tool of this server alone', () => {
  const search = new URLSearchParams({ server: '1.2', tool: 'Read_Balance.v2', approved: '97', decided: '100' });
  expect(read(ruleDocument(search) ?? '')).toMatchObject({ policy: 'allow-read-balance-v2' });
  expect(ruleDocument(search)).toContain('server: "1.2"');
});

test.each([
  { server: 'a', tool: 'b"\nallow: {}', approved: '1', decided: '1' },
  { server: 'a', tool: '*', approved: '1', decided: '1' },
  { server: 'a', tool: 'b', approved: '1 }', decided: '1' },
  { tool: 'b', approved: '1', decided: '1' },
])('an address that says anything else makes no rule: %j', (search) => {
  expect(ruleDocument(new URLSearchParams(search as Record<string, string>))).toBeNull();
});
