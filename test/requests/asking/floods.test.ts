import { afterAll, describe, expect, test } from '@jest/globals';
import type { BulkVoteResult } from '#requests/voting/contract/votes';
import type { OpenedElicitation, ToolCallClaim } from '#requests/asking/contract/open';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { readEntry } from '#audit/entries/rules/entry';
import type { ElicitationId } from '#platform/model/id';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { newGroup, publish } from '../../support/requests/policies.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

const server = await startTestServer({ limits: { perServer: 12, perRequester: 3, perApprover: 2 } });
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());
const ada = await openBrowser(server);

const open = (parts: Record<string, unknown>, by = asking): Promise<Response> =>
  by.call('POST', '/v1/elicitations', { ...question, ...parts });
const refused = async (response: Response) => {
  const { code, detail } = await json<ProblemDocument>(response);
  return [response.status, code, detail];
};
const by = (subject: string) => ({ requester: { subject } });
const newServer = async (name: string) => askingAt(server.url, await server.newServerKey(name));

describe('P26 an equal request', () => {
  const opened = (parts: Record<string, unknown>, by = asking) => json<OpenedElicitation>(open(parts, by));
  const approve = ({ id, digest }: OpenedElicitation) => ada.vote({ id, digest });
  const claim = ({ toolCall }: OpenedElicitation, attempt: string) =>
    json<ToolCallClaim>(asking.claim(toolCall, attempt, by('same')));

  test.each([
    ['without a name', undefined],
    ['under a name', 'named'],
  ])('joins what was asked %s, and one approval releases one execution', async (_, call) => {
    const first = await opened({ ...by('same'), call });
    const response = await open({ ...by('same'), reason: 'In other words.' });
    const { id, toolCall, digest } = first;
    expect([response.status, await response.json()]).toMatchObject([200, { id, toolCall, digest, joined: true }]);
    await approve(first);
    expect(await claim(first, 'one')).toEqual({ state: 'claimed' });
    expect(await claim(first, 'two')).toMatchObject({ state: 'running' });
    // What is decided is never joined: yesterday's approval is not today's, used or not.
    const next = await opened(by('same'));
    expect([next.joined, next.toolCall === toolCall]).toEqual([false, false]);
    await approve(next);
    const unused = await opened(by('same'));
    expect([unused.joined, unused.id === next.id]).toEqual([false, false]);
    await approve(unused);
  });

  const schema = { type: 'object', properties: { confirmed: { type: 'boolean', title: 'Sure?' } } };
  test.each<[string, Record<string, unknown>]>([
    ['of another requester', by('another')],
    ['of the same name, but verified', { requester: { subject: 'differing', verified: true } }],
    ['by another agent', { requester: { subject: 'differing', client: { name: 'another-agent' } } }],
    ['with other arguments', { arguments: { amount: 101 } }],
    ['in other words', { message: 'Something else?' }],
    ['with another form', { schema }],
    ['of another tool', { tool: { name: 'transfer_money' } }],
    ['of a tool with another schema', { tool: { name: 'transfer_funds', schemaDigest: 'a'.repeat(64) } }],
    ['of a tool that says it destroys', { tool: { name: 'transfer_funds', annotations: { destructiveHint: true } } }],
  ])('does not join a request that differs %s', async (_, parts) => {
    const from = await newServer(`differing-${_.replaceAll(/\W/g, '-')}`);
    const first = await opened(by('differing'), from);
    expect((await opened(by('differing'), from)).id).toBe(first.id);
    const other = await opened({ ...by('differing'), ...parts }, from);
    expect([other.joined, other.id === first.id]).toEqual([false, false]);
  });

  test('does not join a request of another server or a later step of another call', async () => {
    const [first, second] = [await newServer('equal-one'), await newServer('equal-two')];
    await opened({ ...by('stepping'), message: 'The first?', call: 'steps' }, first);
    const step = await opened({ ...by('stepping'), call: 'steps', step: '1' }, first);
    const alone = await opened(by('stepping'), first);
    const elsewhere = await opened(by('stepping'), second);
    expect([step, alone, elsewhere].map(({ joined }) => joined)).toEqual([false, false, false]);
    expect(new Set([step, alone, elsewhere].map(({ id }) => id)).size).toBe(3);
  });

  test('joins even if its requester has reached the limit', async () => {
    const from = await newServer('full');
    const [first] = [await opened(by('full'), from), await opened({ ...by('full'), call: 'a' }, from)];
    await opened({ ...by('full'), call: 'b' }, from);
    expect((await open({ ...by('full'), call: 'c' }, from)).status).toBe(429);
    expect(await opened(by('full'), from)).toMatchObject({ id: first.id, joined: true });
  });

  test('under two names is two requests: each approval releases one execution', async () => {
    const wishes = await Promise.all(
      ['one', 'two'].map(async (call) => (await open({ ...by('wisher'), call })).json()),
    );
    const [first, second] = wishes as OpenedElicitation[];
    expect(first?.toolCall).not.toBe(second?.toolCall);
  });
});

describe('P26 a flood', () => {
  test('of one requester stops at the limit, and continues after a decision', async () => {
    const flood = await newServer('flooding');
    const ask = (call: string) => open({ ...by('flooder'), call }, flood);
    const first = await json<OpenedElicitation>(ask('0'));
    for (const call of ['1', '2']) expect((await ask(call)).status).toBe(201);
    const response = await ask('3');
    expect(response.headers.get('retry-after')).toBe('30');
    expect(await refused(response)).toEqual([429, 'rate-limited', expect.stringContaining('this requester')]);
    expect((await ask('1')).status).toBe(200); // what was asked before is joined
    expect((await open({ ...by('calm'), call: '3' }, flood)).status).toBe(201);
    await ada.vote(first);
    expect((await ask('3')).status).toBe(201);
  });

  test('of one server stops at the limit, and other servers continue', async () => {
    const many = await newServer('many');
    for (let at = 0; at < 12; at++) expect((await open(by(`person ${at}`), many)).status).toBe(201);
    expect(await refused(await open(by('one more'), many))).toEqual([
      429,
      'rate-limited',
      expect.stringContaining('this server'),
    ]);
    expect((await open(by('one more'))).status).toBe(201);
  });

  test('stops when every approver who may decide has reached the limit', async () => {
    const [first, other] = [await openBrowser(server), await openBrowser(server)];
    await newGroup(server, 'only-one', [first]);
    await newGroup(server, 'both', [first, other]);
    const policy = (name: string) =>
      `policy: ${name}\nmatch: { tool: ${name} }\nrequire: { stages: [{ name: One, approvers: { group: ${name} } }] }`;
    await publish(server, policy('only-one'), policy('both'));
    const busy = await newServer('busy');
    const ask = (tool: string, at: number) => open({ ...by(`for ${tool} ${at}`), tool: { name: tool } }, busy);
    for (const at of [1, 2]) expect((await ask('only-one', at)).status).toBe(201);
    expect(await refused(await ask('only-one', 3))).toEqual([
      429,
      'rate-limited',
      expect.stringContaining('each person who may decide'),
    ]);
    expect((await ask('both', 4)).status).toBe(201);
  });
});

test('a stage that has no approvers before its escalation is not a flood', async () => {
  const policy = `policy: unmanaged
match: { tool: unmanaged }
require:
  stages: [{ name: One, approvers: { manager: requester }, escalate: { after: 10m, add: { group: later } } }]`;
  await newGroup(server, 'later', [ada]);
  await publish(server, policy);
  const from = await newServer('unmanaged');
  expect((await open({ ...by('someone'), tool: { name: 'unmanaged' } }, from)).status).toBe(201);
});

describe('P25 one decision about several requests', () => {
  const vote = (items: Pick<OpenedElicitation, 'id' | 'digest'>[], parts = {}) =>
    ada.call('POST', '/api/elicitations/votes', {
      items: items.map(({ id, digest }) => ({ id, digest })),
      action: 'accept',
      ...parts,
    });
  const results = async (response: Response) => (await json<BulkVoteResult>(response)).results;
  const schema = { type: 'object', properties: { confirmed: { type: 'boolean', default: true } } };
  const pile = async (name: string, parts: Record<string, unknown>[]): Promise<OpenedElicitation[]> => {
    const from = await newServer(name);
    const opened = await Promise.all(parts.map((part, at) => open({ schema, ...by(`${name} ${at}`), ...part }, from)));
    return Promise.all(opened.map((response) => json<OpenedElicitation>(response)));
  };

  test('counts for each request as it was shown; requests that were not shown, have ended or are of high risk are reported separately', async () => {
    const tool = { name: 'bulk' };
    const [first, second, unseen] = await pile('bulk', [{ tool }, { tool }, { tool }]);
    const gone = { id: `eli_${'A'.repeat(22)}`, digest: '0'.repeat(64) };
    const outcomes = await results(
      await vote([first!, second!, { ...unseen!, digest: '0'.repeat(64) }, gone] as OpenedElicitation[]),
    );
    expect(outcomes).toMatchObject([
      { id: first!.id, status: 'accepted', problem: null },
      { id: second!.id, status: 'accepted', problem: null },
      { id: unseen!.id, status: 'open', problem: { code: 'digest-mismatch' } },
      { id: gone.id, status: null, problem: { code: 'not-found' } },
    ]);
    expect((await ada.show(first!.id)).answer).toEqual({ confirmed: true });
  });

  test('never decides a request of high risk', async () => {
    const tool = { name: 'wipe', annotations: { destructiveHint: true } };
    const [first] = await pile('wiping', [{ tool }]);
    const outcomes = await results(await vote([first!]));
    expect(outcomes).toMatchObject([{ status: 'open', problem: { code: 'forbidden' } }]);
    expect((await ada.show(first!.id)).votes).toEqual([]);
  });

  test('declines at every risk, whatever the tools, each with a vote and an entry of its own', async () => {
    const wiped = { name: 'wipe-all', annotations: { destructiveHint: true } };
    const [first, other, changed] = await pile('declined', [{ tool: wiped }, { tool: { name: 'c' } }, { tool: wiped }]);
    const items = [first!, other!, { ...changed!, digest: '0'.repeat(64) }];
    const outcomes = await results(await vote(items, { action: 'decline', comment: 'The agent runs wild.' }));
    expect(outcomes).toMatchObject([
      { status: 'declined', problem: null },
      { status: 'declined', problem: null },
      { status: 'open', problem: { code: 'digest-mismatch' } },
    ]);
    for (const { id, digest } of [first!, other!]) {
      const [voted] = (await server.engine.reader.history(id as ElicitationId))
        .map(readEntry)
        .filter(({ type }) => type === 'elicitation.voted');
      expect(voted).toMatchObject({ elicitation: id, action: 'decline', seen: digest });
    }
  });

  test('is refused as a whole if the requests are not alike, and a decline without a reason decides nothing', async () => {
    const [first, other] = await pile('unlike', [{ tool: { name: 'a' } }, { tool: { name: 'b' } }]);
    expect(await refused(await vote([first!, other!]))).toMatchObject([400, 'INVALID_INPUT']);
    const outcomes = await results(await vote([first!], { action: 'decline' }));
    expect(outcomes).toMatchObject([{ status: 'open', problem: { code: 'INVALID_INPUT' } }]);
    expect((await results(await vote([first!], { action: 'decline', comment: 'No.' })))[0]).toMatchObject({
      status: 'declined',
    });
  });
});
