import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { BegunMemo, KeptMemo } from '#requests/asking/contract/routes';
import { question, askingAt, type Asking } from '../../support/nodes/asking.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';
import { dumpDatabase } from '../../support/databases/database-dump.ts';

let ahead = 0;
const two = await startTwoNodes({ now: () => Date.now() + ahead });
afterAll(() => two.stop());
afterEach(() => void (ahead = 0));
const { asking } = two;
const second = asking.at(two.nodes[1].url);
const { requester } = question;
const day = 86_400_000;

const begin = (body: object, by: Asking = asking): Promise<BegunMemo> => json(by.call('POST', '/v1/memos', body));
const keep = (toolCall: string, body: object, by: Asking = asking): Promise<KeptMemo> =>
  json(by.call('POST', `/v1/tool-calls/${toolCall}/memos`, body));
const named = (call: string) => ({ key: 'checkout', calls: [call], requester });

describe('what a step of a call makes once', () => {
  test('is reserved by the name of its call, kept with it, and found by every later run, at either node', async () => {
    const call = randomUUID();
    const first = await begin(named(call));
    expect(first).toEqual({ id: expect.any(String), isKept: false, value: null });
    expect(await begin(named(call), second)).toEqual(first); // a run after a crash
    const { toolCall } = await asking.open({ call });
    const value = { url: 'https://pay.example/secret-session', lines: [1, null] };
    expect(await keep(toolCall, { id: first.id, key: 'checkout', value })).toEqual({ value });
    const expected = { id: first.id, isKept: true, value };
    expect([await begin(named(call), second), await begin({ key: 'checkout', toolCall })]).toEqual([
      expected,
      expected,
    ]);
    expect((await begin({ key: 'another', toolCall })).isKept).toBe(false);
    expect(await dumpDatabase(two.nodes[0].databaseUrl)).not.toContain('secret-session');
  });

  test('is that of the first run if several keep theirs at once', async () => {
    const { toolCall } = await asking.open();
    const names = [randomUUID(), randomUUID(), randomUUID()];
    const begun = await Promise.all([
      ...names.map((name) => begin(named(name))),
      begin({ key: 'checkout', toolCall }, second),
    ]);
    const kept = await Promise.all(
      begun.map(({ id }, at) => keep(toolCall, { id, key: 'checkout', value: at }, at % 2 ? second : asking)),
    );
    expect(new Set(kept.map(({ value }) => value)).size).toBe(1);
    expect(await begin({ key: 'checkout', toolCall })).toMatchObject({ isKept: true, value: kept[0]?.value });
  });

  test('begins anew with the next call of that name, and after a day without a call', async () => {
    const call = randomUUID();
    const first = await begin(named(call));
    const { id, toolCall } = await asking.open({ call });
    await keep(toolCall, { id: first.id, key: 'checkout', value: 1 });
    await asking.call('POST', `/v1/elicitations/${id}/cancel`, {});
    await asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, { attempt: 'a', delivered: true });
    const next = await begin(named(call));
    expect([next.isKept, next.id === first.id]).toEqual([false, false]);
    ahead = day + 1;
    expect((await begin(named(call))).id).not.toBe(next.id);
  });

  test('is gone with the content of its call', async () => {
    const { toolCall, id } = await asking.open();
    const begun = await begin({ key: 'checkout', toolCall });
    await keep(toolCall, { id: begun.id, key: 'checkout', value: 'a' });
    await two.query('UPDATE elicitation SET data_key = NULL WHERE id = $1', [id]);
    const response = await asking.call('POST', '/v1/memos', { key: 'checkout', toolCall });
    expect(response.status).toBeGreaterThanOrEqual(400);
  });

  test('belongs to its server: no other finds it, keeps it, or takes its place', async () => {
    const foreign = askingAt(two.nodes[0].url, await two.nodes[0].newServerKey('billing'));
    const { toolCall } = await asking.open();
    const { id } = await begin({ key: 'checkout', toolCall });
    const statuses = await Promise.all([
      foreign.call('POST', '/v1/memos', { key: 'checkout', toolCall }),
      foreign.call('POST', `/v1/tool-calls/${toolCall}/memos`, { id, key: 'checkout', value: 1 }),
      asking.call('POST', `/v1/tool-calls/${toolCall}/memos`, { id: 'made-up', key: 'checkout', value: 1 }),
      asking.call('POST', `/v1/tool-calls/${toolCall}/memos`, { id, key: 'another', value: 1 }),
      asking.call('POST', '/v1/memos', { key: 'checkout' }),
      asking.call('POST', `/v1/tool-calls/${toolCall}/memos`, { id, key: 'checkout', value: 'x'.repeat(70_000) }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 400, 400, 400, 400]);
    expect((await begin({ key: 'checkout', toolCall })).isKept).toBe(false);
  });
});
