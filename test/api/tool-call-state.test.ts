import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ToolCallState } from '../../src/contract/tool-call.ts';
import { askingAt, question, type Asking } from '../support/asking.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let mine: Asking;

beforeAll(async () => {
  server = await startTestServer();
  mine = askingAt(server.url, await server.newServerKey('calls'));
});
afterAll(() => server?.stop());

async function read(id: string): Promise<ToolCallState> {
  const response = await mine.call('GET', `/v1/tool-calls/${id}`);
  expect(response.status).toBe(200);
  return ToolCallState.parse(await response.json());
}

const complete = (id: string, body: Record<string, unknown>) =>
  mine.call('POST', `/v1/tool-calls/${id}/complete`, { attempt: 'one', ...body });

test('a call shows its server what it was made with, what it asked and how that stands', async () => {
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

test('a result is there until it was delivered, and after that where it was given again', async () => {
  const kept = await mine.open({ call: randomUUID(), audience: 'requester' });
  await complete(kept.toolCall, { delivered: false, result: { content: ['kept'] } });
  expect(await read(kept.toolCall)).toMatchObject({ state: 'completed', result: { content: ['kept'] } });
  await complete(kept.toolCall, { delivered: true, result: { content: ['kept'] } });
  expect(await read(kept.toolCall)).toMatchObject({ state: 'settled', result: { content: ['kept'] } });
  const gone = await mine.open({ call: randomUUID(), audience: 'requester' });
  await complete(gone.toolCall, { delivered: false, result: { content: ['kept'] } });
  await complete(gone.toolCall, { delivered: true });
  expect(await read(gone.toolCall)).not.toHaveProperty('result');
});

test('MT-04 a call of another server is as good as absent', async () => {
  const { toolCall } = await mine.open();
  const foreign = askingAt(server.url, await server.newServerKey(randomUUID()));
  const unknown = 'call_AAAAAAAAAAAAAAAAAAAAAA';
  const answers = await Promise.all(
    [toolCall, unknown].map(async (id) => {
      const response = await foreign.call('GET', `/v1/tool-calls/${id}`);
      const { code, detail } = (await response.json()) as Record<string, unknown>;
      return { status: response.status, code, detail };
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).toMatchObject({ status: 404, code: 'not-found' });
});
