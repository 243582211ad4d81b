import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Passes as Answer, RenewPasses } from '#sdk/client/client';
import { Passes, type Use } from '#gateway/calls/passes';
import { Problem } from '#platform/model/problem';

const use: Use = { tool: { name: 'read_note' }, requester: { subject: 'local:ada' } };
const other: Use = { tool: { name: 'write_note' }, requester: { subject: 'local:ada' } };
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const allow = async ({ passes }: RenewPasses): Promise<Answer> => ({
  lasts: 900,
  passes: passes.map(({ tool }) => (tool.name === 'read_note' ? { policy: 'reading@1' } : null)),
  denied: passes.map(() => false),
});

/** Passes of an orchestrator that answers so, at a time that only the test moves. */
function begin(answer = allow) {
  const clock = { now: 0 };
  const requests: RenewPasses[] = [];
  const orchestrator = { answer };
  const renewPasses = async (renewal: RenewPasses): Promise<Answer> => {
    requests.push(structuredClone(renewal));
    return orchestrator.answer(renewal);
  };
  return {
    clock,
    asked: requests,
    orchestrator,
    passes: new Passes(Promise.resolve({ renewPasses }), () => clock.now),
  };
}

test('a pass is asked for once, and is good until it is as old as Assentry said', async () => {
  const { clock, asked: requests, passes } = begin();
  const pass = await passes.find(use);
  clock.now = 899;
  expect([pass?.isGood, (await passes.find(use)) === pass, requests.length]).toEqual([true, true, 1]);
  clock.now = 900;
  expect(pass?.isGood).toBe(false);
  expect((await passes.find(use))?.isGood).toBe(true);
  expect(requests).toHaveLength(2);
  await passes.close();
});

test('its age counts from when it was asked for, not from when it came', async () => {
  const { clock, passes } = begin(async (renewal) => {
    clock.now += 901;
    return allow(renewal);
  });
  expect(await passes.find(use)).toBeNull();
});

test('a yes that comes too late is asked for once more, and counts if it comes in time', async () => {
  let took = 901;
  const {
    clock,
    asked: requests,
    passes,
  } = begin(async (renewal) => {
    clock.now += took;
    took = 10;
    return allow(renewal);
  });
  expect((await passes.find(use))?.isGood).toBe(true);
  expect(requests).toHaveLength(2);
  await passes.close();
});

test('what Assentry refuses gets no pass, and is not asked about again at once', async () => {
  const { clock, asked: requests, passes } = begin();
  expect([await passes.find(other), await passes.find(other)]).toEqual([null, null]);
  expect(requests).toHaveLength(1);
  clock.now = 10_000;
  await passes.find(other);
  expect(requests).toHaveLength(2);
});

test('once Assentry says no, or says nothing, nothing passes', async () => {
  const { clock, orchestrator, passes } = begin();
  const pass = await passes.find(use);
  orchestrator.answer = async () => ({ lasts: 900, passes: [null], denied: [false] });
  pass?.report(digest('x'), {});
  await passes.close();
  expect([pass?.isGood, await passes.find(use)]).toEqual([false, null]);
  orchestrator.answer = async () => Promise.reject(new Problem('unavailable'));
  clock.now = 20_000;
  expect(await passes.find(use)).toBeNull();
});

test('what ran is reported with the next request, and again under the same ids until it is taken', async () => {
  const { asked: requests, orchestrator, passes } = begin();
  const pass = await passes.find(use);
  pass?.report(digest('a'), {});
  pass?.report(digest('b'), {});
  orchestrator.answer = async () => Promise.reject(new Problem('unavailable'));
  await passes.close();
  orchestrator.answer = allow;
  await passes.close();
  await passes.close();
  const reports = requests.flatMap((renewal) => renewal.passes.map(({ ran = [] }) => ran));
  expect(reports.map(({ length }) => length)).toEqual([0, 2, 2]);
  expect(reports[2]).toEqual(reports[1]);
  expect(reports[2]).toMatchObject(['a', 'b'].map((text) => ({ policy: 'reading@1', run: digest(text) })));
});

test('more calls than one request takes are reported in several', async () => {
  const { asked: requests, passes } = begin();
  const pass = await passes.find(use);
  for (let at = 0; at < 1_500; at += 1) pass?.report(digest(String(at)), {});
  await passes.close();
  expect(requests.map((renewal) => renewal.passes[0]?.ran?.length)).toEqual([0, 1_000, 500]);
});

test('arguments are reported as JSON, cut where a call has too many, and never more than a request takes', async () => {
  const { asked: requests, passes } = begin();
  const pass = await passes.find(use);
  pass?.report(digest('a'), { id: 'x' });
  pass?.report(digest('b'), { text: 'é'.repeat(10_000) });
  pass?.report(digest('c'), { text: `${'x'.repeat(8_182)}🙂` });
  await passes.close();
  const [first, second, third] = requests.flatMap(({ passes: [renewed] }) => renewed?.ran ?? []);
  expect(first).toMatchObject({ arguments: '{"id":"x"}', length: 10 });
  expect([second?.arguments?.length, second?.length]).toEqual([8_192, 10_011]);
  expect(third?.arguments).toMatch(/x$/); // no half of a character
  for (let at = 0; at < 60; at += 1) pass?.report(digest(String(at)), { text: 'x'.repeat(9_000) });
  await passes.close();
  const sizes = requests.map(({ passes: [renewed] }) => JSON.stringify(renewed?.ran ?? []).length);
  expect(Math.max(...sizes)).toBeLessThan(250_000);
  expect(requests.flatMap(({ passes: [renewed] }) => renewed?.ran ?? [])).toHaveLength(63);
});

test('a tool or a requester that Assentry could not take is asked about like any other, alone', async () => {
  const { asked: requests, passes } = begin();
  expect(await passes.find({ ...use, tool: { name: 'a name' } })).toBeNull();
  expect(await passes.find({ ...use, requester: { subject: 'a\nb' } })).toBeNull();
  expect(requests).toEqual([]);
});
