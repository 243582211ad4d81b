import { expect, test } from '@jest/globals';
import { createClient, type OpenElicitation } from '#sdk/client/client';
import { answerInTime } from '#gateway/calls/answer-in-time';

const question = { tool: { name: 'write' }, arguments: {} } as unknown as OpenElicitation;
const options = { url: 'http://127.0.0.1:1', apiKey: 'asn_k1_test' };

test('a question that Assentry does not answer ends in time, however often it would be sent again', async () => {
  const client = createClient({ ...options, fetch: () => Promise.reject(new TypeError('refused')), retries: 1_000 });
  await expect(answerInTime(client, 20).open(question)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(answerInTime(client, 20).getToolCall('call')).rejects.toMatchObject({ code: 'unavailable' });
});

test('a short outage is bridged', async () => {
  let tries = 0;
  const client = createClient({
    ...options,
    fetch: async () => {
      tries += 1;
      if (tries < 3) throw new TypeError('refused');
      const problem = { type: 'about:blank', code: 'forbidden', title: 'Answered.', errorId: `err_${'0'.repeat(16)}` };
      return Response.json({ ...problem, status: 403 }, { status: 403 });
    },
  });
  await expect(answerInTime(client).open(question)).rejects.toMatchObject({ code: 'forbidden' });
  expect(tries).toBe(3);
});

test('the caller’s own signal ends it as before', async () => {
  const client = createClient({ ...options, fetch: () => Promise.reject(new TypeError('refused')) });
  const gone = new Error('gone');
  await expect(answerInTime(client).open(question, { signal: AbortSignal.abort(gone) })).rejects.toBe(gone);
});
