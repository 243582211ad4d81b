import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { runDigest } from '#sdk/client/client';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { question } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

let ahead = 0;
const two = await startTwoNodes({ now: () => Date.now() + ahead });
afterAll(() => two.stop());
afterEach(() => void (ahead = 0));
const { asking } = two;
const second = asking.at(two.nodes[1].url);
const ada = await openBrowser(two.nodes[0]);

const open = (parts: object, by = asking): Promise<Response> =>
  by.call('POST', '/v1/elicitations', { ...question, ...parts });
const accept = async (id: string): Promise<void> => {
  const { digest } = await ada.show(id);
  const vote = { digest, action: 'accept', content: { confirmed: true } };
  expect((await ada.call('POST', `/api/elicitations/${id}/vote`, vote)).status).toBe(200);
};
const complete = (toolCall: string): Promise<Response> =>
  asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, { attempt: 'first', delivered: true });

describe('a call that runs once', () => {
  test('answers already-executed once it has run, at either node, and opens nothing', async () => {
    const parts = { call: randomUUID(), once: true };
    const { id, toolCall } = await json<OpenedElicitation>(open(parts));
    expect(await json<OpenedElicitation>(open(parts, second))).toMatchObject({ id, joined: true });
    await accept(id);
    expect(await json(asking.claim(toolCall, 'first'))).toEqual({ state: 'claimed' });
    expect((await complete(toolCall)).status).toBe(204);
    const before = await two.query('SELECT count(*) FROM elicitation');
    for (const by of [asking, second]) {
      const refused = await open(parts, by);
      expect([refused.status, (await json<ProblemDocument>(refused)).code]).toEqual([409, 'already-executed']);
    }
    expect(await two.query('SELECT count(*) FROM elicitation')).toEqual(before);
    expect((await open({ ...parts, call: randomUUID() })).status).toBe(201);
    expect((await open({ ...parts, requester: { subject: 'bob' } })).status).toBe(201);
  });

  test('is asked about again if nothing ran', async () => {
    const parts = { call: randomUUID(), once: true };
    const { id, toolCall } = await json<OpenedElicitation>(open(parts));
    await asking.call('POST', `/v1/elicitations/${id}/cancel`, {});
    await complete(toolCall);
    expect((await open(parts)).status).toBe(201);
  });

  test('has a name', async () => {
    const refused = await open({ once: true });
    expect([refused.status, (await json<ProblemDocument>(refused)).errors]).toMatchObject([400, [{ path: ['once'] }]]);
  });
});

describe('what an opening says of its run', () => {
  test.each([
    { arguments: { amount: 20.5, '\u{10000}': 1, '\uffff': 2, tiny: 1e-7, zero: -0 } },
    {
      tool: {
        name: 'transfer_funds',
        title: 'Transfer',
        description: 'Moves money',
        annotations: { readOnlyHint: false },
      },
    },
    { requester: { subject: 'alice', issuer: 'https://id.example', verified: true, client: { name: 'agent' } } },
  ])('is the digest that a claim brings', async (parts) => {
    const opened = await json<OpenedElicitation>(open({ call: randomUUID(), ...parts }));
    expect(opened.run).toBe(await runDigest({ ...question, ...parts }));
    await accept(opened.id);
    const claim = { attempt: 'first', run: opened.run };
    const claimed = asking.call('POST', `/v1/tool-calls/${opened.toolCall}/claim`, claim);
    expect(await json(claimed)).toEqual({ state: 'claimed' });
  });

  test('has only hints of MCP: any other is refused at its path', async () => {
    const tool = { ...question.tool, annotations: { readOnlyHint: true, costsMoney: true } };
    const refused = await open({ tool });
    const paths = (await json<ProblemDocument>(refused)).errors?.map(({ path }) => path);
    expect([refused.status, paths]).toEqual([400, [['tool', 'annotations', 'costsMoney']]]);
  });
});

test('a claim whose attempt never reports ends as unknown after an hour, and releases nothing twice', async () => {
  const { id, toolCall } = await asking.open();
  await accept(id);
  expect(await json(asking.claim(toolCall, 'first'))).toEqual({ state: 'claimed' });
  ahead = 3_590_000;
  expect(await json(asking.claim(toolCall, 'second'))).toMatchObject({ state: 'running' });
  ahead = 3_610_000;
  const codes = await Promise.all(
    [asking, second].map(async (by, at) => (await json<ProblemDocument>(by.claim(toolCall, `later ${at}`))).code),
  );
  expect(codes.toSorted()).toEqual(['already-executed', 'outcome-unknown']);
});
