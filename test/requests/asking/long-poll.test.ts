import { afterAll, expect, test } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { askingAt } from '../../support/nodes/asking.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());

test('ends when its time is over, however often memory is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const collections = [300, 600, 900].map((after) => setTimeout(collect, after)); // of a large heap, each takes a while
  const { id } = await asking.open();
  const polls = Array.from({ length: 20 }, () => asking.call('GET', `/v1/elicitations/${id}?wait=1`));
  const answers = Promise.all(polls.map(async (poll) => (await poll).json()));
  await expect(answers).resolves.toEqual(polls.map(() => expect.objectContaining({ id, status: 'open' })));
  collections.forEach(clearTimeout);
});
