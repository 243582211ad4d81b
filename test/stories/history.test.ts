import { afterAll, expect, test } from '@jest/globals';
import { fillWithHistory } from '../../examples/demo-history.ts';
import { Insights } from '#audit/reports/contract/insights';
import { openBrowser } from '../support/nodes/console.ts';
import { json } from '../support/json.ts';
import { startTestServer } from '../support/nodes/server.ts';

const day = 86_400_000;
const end = Date.parse('2026-11-20T15:00:00Z');

let at = end;
const server = await startTestServer({ now: () => at });
afterAll(() => server.stop());

test('the history of a demo is what people did, and verifies', async () => {
  const clock = { now: () => at, set: (time: number) => void (at = time) };
  const { requests } = await fillWithHistory(server, clock, { days: 4, perDay: 12, end });
  const { fault, size } = await server.verifyLog({ keys: [], kept: [] });
  expect(fault).toBeNull();
  expect(size).toBeGreaterThan(requests * 3);
  const reviewer = await openBrowser(server, 'reviewer');
  const insights = Insights.parse(await json(reviewer.call('GET', `/api/insights?from=${end - 5 * day}&to=${end}`)));
  const sum = (kind: 'accepted' | 'declined' | 'cancelled' | 'expired') =>
    insights.tools.reduce((all, tool) => all + tool[kind], 0);
  const missing = (['accepted', 'declined', 'cancelled', 'expired'] as const).filter((kind) => sum(kind) === 0);
  expect(missing).toEqual([]);
  expect(insights.spans.length).toBeGreaterThanOrEqual(4);
  const drawn = (await server.engine.proceedings.listLookBacks()).length;
  const samples = insights.samples.map((sample) => ({ policy: sample.policy, drawn: sample.drawn }));
  expect(samples).toEqual(drawn > 0 ? [{ policy: 'reading', drawn }] : []); // by chance, for ids are random
  expect(Math.max(...insights.voters.map(({ votes }) => votes))).toBeGreaterThan(3);
});
