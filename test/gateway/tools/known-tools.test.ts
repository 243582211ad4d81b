import { expect, test } from '@jest/globals';
import { KnownTools } from '#gateway/tools/known-tools';
import { until } from '../../support/poll.ts';

const tool = { name: 'read_note', inputSchema: { type: 'object' } };

test('a list is let go when it is no longer good, and is read again for the next call', async () => {
  let reads = 0;
  const tools = new KnownTools(async () => {
    reads += 1;
    return { tools: [tool] };
  }, 50);
  for (const count of [1, 2]) {
    const definition = await tools.find('read_note', {});
    expect([definition, reads]).toEqual([tool, count]);
    await until(() => !tools.isCurrent(tool));
  }
});

test('a list of which the server tells changes is kept', async () => {
  const tools = new KnownTools(async () => ({ tools: [] }));
  tools.see([tool]);
  expect(await tools.find('read_note', {})).toBe(tool);
  tools.forget();
  expect(await tools.find('read_note', {})).toBeUndefined();
});
