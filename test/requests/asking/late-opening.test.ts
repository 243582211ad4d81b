import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as sendRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { applyPolicies } from '#policies/verbs/apply';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const approver = await two.nodes[0].newUser();
await applyPolicies(two.nodes[0].engine, ['policy: allowed\nmatch: { tool: allowed }\nallow: { ceiling: medium }']);

type Parts = Record<string, unknown>;
type Opened = [number, Partial<OpenedElicitation> & Partial<Pick<ProblemDocument, 'code'>>];

/** Sends an opening to the second node whose last byte is held back on the way, until `arrive` is called. */
async function hold(key: string, parts: Parts): Promise<{ arrive(): Promise<Opened> }> {
  const body = Buffer.from(JSON.stringify({ ...question, ...parts }));
  const sent: ClientRequest = sendRequest(`${two.nodes[1].url}/v1/elicitations`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${two.asking.key}`,
      'content-type': 'application/json',
      'content-length': body.length,
      'idempotency-key': key,
    },
  });
  await new Promise((resolve) => sent.write(body.subarray(0, -1), resolve));
  return {
    async arrive() {
      sent.end(body.subarray(-1));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return [response.statusCode ?? 0, JSON.parse(await text(response)) as Opened[1]];
    },
  };
}

async function open(key: string, parts: Parts, asking = two.asking): Promise<Opened> {
  const body = { ...question, ...parts };
  const response = await asking.call('POST', '/v1/elicitations', body, { 'idempotency-key': key });
  return [response.status, (await response.json()) as Opened[1]];
}

/** People approve it, it runs, and its call is settled. */
async function runThrough({ id, toolCall, status }: Opened[1], parts: Parts): Promise<void> {
  if (status === 'open') expect((await approver.vote(id ?? '', 'accept', {})).status).toBe(200);
  expect((await two.asking.claim(toolCall ?? '', 'run', parts)).status).toBe(200);
  const end = { attempt: 'run', delivered: true };
  expect((await two.asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, end)).status).toBe(204);
}

/** How many requests and calls there are. */
const countCalls = (): Promise<unknown[]> =>
  two.query('SELECT count(*)::int FROM elicitation UNION ALL SELECT count(*)::int FROM tool_call');

describe('an opening that arrives after its repetition was answered and its call settled', () => {
  test.each([
    ['with a name', { call: 'named' }],
    ['with its key as its name', {}],
    ['that a policy allowed at once', { call: 'allowed', tool: { name: 'allowed' } }],
  ])('gets that request: %s', async (_which, parts) => {
    const key = randomUUID();
    const late = await hold(key, parts);
    const [status, opened] = await open(key, parts);
    expect(status).toBe(201);
    await runThrough(opened, parts);
    const before = await countCalls();
    const { id, toolCall } = opened;
    expect(await late.arrive()).toMatchObject([200, { id, toolCall, status: 'accepted', joined: true }]);
    expect(await countCalls()).toEqual(before);
    expect((await entriesOf(two, id ?? '')).filter(({ type }) => type === 'elicitation.opened')).toHaveLength(1);
  });

  test('gets the request of another caller that its repetition had joined', async () => {
    const [key, parts] = [randomUUID(), { call: randomUUID() }];
    const [, { id, toolCall }] = await open(randomUUID(), parts);
    const late = await hold(key, parts);
    const [status, joined] = await open(key, parts);
    expect([status, joined.id]).toEqual([200, id]);
    await runThrough(joined, parts);
    const before = await countCalls();
    expect(await late.arrive()).toMatchObject([200, { id, toolCall, status: 'accepted', joined: true }]);
    expect(await countCalls()).toEqual(before);
  });

  test('gets the later question of its call, too', async () => {
    const [key, parts] = [randomUUID(), { call: randomUUID() }];
    const [, first] = await open(randomUUID(), parts);
    await approver.vote(first.id ?? '', 'accept', {});
    const late = await hold(key, { ...parts, step: 'more' });
    const [status, second] = await open(key, { ...parts, step: 'more' });
    expect([status, second.toolCall]).toEqual([201, first.toolCall]);
    await runThrough(second, parts);
    const before = await countCalls();
    expect(await late.arrive()).toMatchObject([200, { id: second.id, toolCall: first.toolCall }]);
    expect(await countCalls()).toEqual(before);
  });

  test('does not take its call from the attempt that runs it', async () => {
    const parts = { call: randomUUID(), attempt: 'run' };
    const [, { id, toolCall = 'call_' }] = await open(randomUUID(), parts);
    await approver.vote(id ?? '', 'accept', {});
    expect((await two.asking.claim(toolCall, 'run')).status).toBe(200);
    const key = randomUUID();
    const late = await hold(key, { ...parts, step: 'more' });
    const [, more] = await open(key, { ...parts, step: 'more' }); // releases the claim, for a moment
    expect(await two.query('SELECT state FROM tool_call WHERE id = $1', [toolCall])).toEqual(['open']);
    await approver.vote(more.id ?? '', 'accept', {});
    expect((await two.asking.claim(toolCall, 'run')).status).toBe(200);
    expect(await late.arrive()).toMatchObject([200, { id: more.id }]);
    expect(await (await two.asking.claim(toolCall, 'other')).json()).toMatchObject({ state: 'running' });
  });

  test('is one of twenty, which get it all', async () => {
    const [key, parts] = [randomUUID(), { call: randomUUID() }];
    const late = await Promise.all(Array.from({ length: 20 }, () => hold(key, parts)));
    const [, opened] = await open(key, parts);
    await runThrough(opened, parts);
    const before = await countCalls();
    const answers = await Promise.all(late.map(({ arrive }) => arrive()));
    expect(new Set(answers.map(([status, { id }]) => `${status} ${id}`))).toEqual(new Set([`200 ${opened.id}`]));
    expect(await countCalls()).toEqual(before);
  });
});

describe('an idempotency key', () => {
  test('of twenty openings at two nodes that arrive together opens one', async () => {
    const [key, parts] = [randomUUID(), { call: randomUUID() }];
    const late = await Promise.all(Array.from({ length: 10 }, () => hold(key, parts)));
    const answers = await Promise.all([
      ...late.map(({ arrive }) => arrive()),
      ...Array.from({ length: 10 }, () => open(key, parts)),
    ]);
    expect(answers.map(([status]) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    const [id = ''] = new Set(answers.map(([, each]) => each.id));
    expect((await entriesOf(two, id)).map(({ type }) => type)).toEqual(['elicitation.opened']);
  });

  test('that is new asks again under the name of a settled call', async () => {
    const parts = { call: randomUUID() };
    const [, first] = await open(randomUUID(), parts);
    await runThrough(first, parts);
    const [status, second] = await open(randomUUID(), parts);
    expect([status, second.status]).toEqual([201, 'open']);
    expect(second.toolCall).not.toBe(first.toolCall);
  });

  test('never stands for another question, not even when its call is settled', async () => {
    const [key, parts] = [randomUUID(), { call: randomUUID() }];
    const [, first] = await open(key, parts);
    await runThrough(first, parts);
    const [status, { code }] = await open(key, { ...parts, message: 'Another?' });
    expect([status, code]).toEqual([409, 'idempotency-mismatch']);
  });

  test('of another server, requester or call is another key', async () => {
    const [key, parts] = [randomUUID(), { call: randomUUID() }];
    const other = await two.nodes[0].newServerKey(`other-${key}`);
    const opened = [
      await open(key, parts),
      await open(key, { ...parts, requester: { subject: 'bob' } }),
      await open(key, { call: randomUUID() }),
      await open(key, parts, askingAt(two.nodes[0].url, other)),
    ];
    expect(opened.map(([status]) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(opened.map(([, { id }]) => id)).size).toBe(4);
  });
});
