import { afterAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readEntry } from '#audit/entries/rules/entry';
import type { ElicitationState, OpenedElicitation } from '#requests/asking/contract/open';
import { ToolCallState } from '#requests/claims/contract';
import type { ElicitationId } from '#platform/model/id';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const mine = askingAt(server.url, await server.newServerKey('calls'));

async function read(id: string): Promise<ToolCallState> {
  const response = await mine.call('GET', `/v1/tool-calls/${id}`);
  expect(response.status).toBe(200);
  return ToolCallState.parse(await response.json());
}

const complete = (id: string, body: Record<string, unknown>) =>
  mine.call('POST', `/v1/tool-calls/${id}/complete`, { attempt: 'one', ...body });

test('a call shows its server its arguments, its questions and their states', async () => {
  const session = randomUUID();
  const call = randomUUID();
  const first = await mine.open({ call, session, step: 'first', audience: 'requester', supersede: 'none' });
  await mine.open({ call, session, step: 'second', message: 'Sure?', audience: 'requester', supersede: 'none' });
  await mine.call('POST', `/v1/elicitations/${first.id}/answer`, { action: 'accept', content: { confirmed: true } });
  expect(await read(first.toolCall)).toMatchObject({
    id: first.toolCall,
    tool: question.tool.name,
    state: 'open',
    since: null,
    arguments: question.arguments,
    requester: { subject: 'alice', verified: false },
    session,
    elicitations: [
      { step: 'first', status: 'accepted', content: { confirmed: true }, message: question.message },
      { step: 'second', status: 'open', message: 'Sure?', schema: question.schema },
    ],
  });
});

/** A call whose one question the requester has accepted, held by the attempt `one`. */
async function claimed(): Promise<OpenedElicitation> {
  const opened = await mine.open({ call: randomUUID(), audience: 'requester' });
  await mine.call('POST', `/v1/elicitations/${opened.id}/answer`, { action: 'accept', content: { confirmed: true } });
  expect((await mine.claim(opened.toolCall, 'one')).status).toBe(200);
  return opened;
}

test('a result stays until it is delivered, and can be given again after that', async () => {
  const kept = await claimed();
  await complete(kept.toolCall, { delivered: false, result: { content: ['kept'] } });
  expect(await read(kept.toolCall)).toMatchObject({ state: 'completed', result: { content: ['kept'] } });
  await complete(kept.toolCall, { delivered: true, result: { content: ['kept'] } });
  expect(await read(kept.toolCall)).toMatchObject({ state: 'settled', result: { content: ['kept'] } });
  const gone = await claimed();
  await complete(gone.toolCall, { delivered: false, result: { content: ['kept'] } });
  await complete(gone.toolCall, { delivered: true });
  expect(await read(gone.toolCall)).not.toHaveProperty('result');
});

test('MT-04 a call of another server does not exist', async () => {
  const { toolCall } = await mine.open();
  const foreign = askingAt(server.url, await server.newServerKey(randomUUID()));
  const unknown = 'call_AAAAAAAAAAAAAAAAAAAAAA';
  const answers = await Promise.all(
    [toolCall, unknown].map(async (id) => {
      const response = await foreign.call('GET', `/v1/tool-calls/${id}`);
      const { code, detail } = await json<Record<string, unknown>>(response);
      return { status: response.status, code, detail };
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).toMatchObject({ status: 404, code: 'not-found' });
});

test('a question that continues a call belongs to that call, and is refused once the call has ended', async () => {
  const call = randomUUID();
  const { toolCall, id } = await mine.open({ call, audience: 'requester' });
  const goOn = (parts: Record<string, unknown>) =>
    mine.call('POST', '/v1/elicitations', { ...question, audience: 'requester', call, supersede: 'none', ...parts });
  expect(await (await goOn({ toolCall })).json()).toMatchObject({ id, toolCall, joined: true });
  expect(await (await goOn({ toolCall, step: 'next' })).json()).toMatchObject({ toolCall, joined: false });
  const unnamed = await goOn({ toolCall, call: randomUUID() });
  for (const { id: open } of (await read(toolCall)).elicitations)
    await mine.call('POST', `/v1/elicitations/${open}/cancel`, {});
  expect((await complete(toolCall, { delivered: true })).status).toBe(204);
  for (const refused of [unnamed, await goOn({ toolCall }), await goOn({ toolCall, step: 'late' })]) {
    expect([refused.status, await refused.json()]).toEqual([409, expect.objectContaining({ code: 'already-closed' })]);
  }
  expect((await read(toolCall)).elicitations).toHaveLength(2);
});

test.each(['relayed', 'told'])(
  'an answer that came %s is logged as such, and never counts as an approver’s',
  async (channel) => {
    const { id } = await mine.open({ audience: 'requester' });
    const answer = { action: 'accept', content: { confirmed: true }, channel };
    expect((await mine.call('POST', `/v1/elicitations/${id}/answer`, answer)).status).toBe(200);
    const history = (await server.engine.reader.history(id as ElicitationId)).map(readEntry);
    expect(history.at(-1)).toMatchObject({ type: 'elicitation.answered', channel, action: 'accept' });
    const state = (await (await mine.call('GET', `/v1/elicitations/${id}`)).json()) as ElicitationState;
    expect(state.policy?.sentence).toBe('The person at the MCP client answers.');
    const approvers = await mine.open();
    expect((await mine.call('POST', `/v1/elicitations/${approvers.id}/answer`, answer)).status).toBe(403);
  },
);
