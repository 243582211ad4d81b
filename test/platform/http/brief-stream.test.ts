import { afterAll, expect, test } from '@jest/globals';
import { openBrowser } from '../../support/nodes/console.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const browser = await openBrowser(two.nodes[0]);

/** A whole answer, as a proxy passes it on that buffers. */
const read = async (place?: string): Promise<string> =>
  (await two.asking.call('GET', '/v1/stream?wait=20', undefined, place ? { 'last-event-id': place } : {})).text();
const placeIn = (text: string): string =>
  text
    .match(/^id: (\d+)$/gm)
    ?.at(-1)
    ?.slice(4) ?? '';

test('a brief stream says where the next one begins, and that one ends with the outcome', async () => {
  const { id, digest } = await two.asking.open();
  const place = placeIn(await read());
  const [next] = await Promise.all([read(place), browser.vote({ id, digest })]);
  expect(next).toMatch(/^id: \d+\nevent: ready\ndata: {}\n\nid: \d+\nevent: elicitation\ndata: {.*"status":"accepted"/);
});

test('a brief stream misses nothing that happened after the one before, at whichever node', async () => {
  const place = placeIn(await read());
  const opened = await two.asking.open();
  expect((await browser.at(two.nodes[1].url).vote(opened)).status).toBe(200);
  expect(await read(place)).toContain(`"id":"${opened.id}"`);
});

test('a brief stream without an event ends with its time, and the place stays', async () => {
  const place = placeIn(await read());
  const response = await two.asking.call('GET', '/v1/stream?wait=1', undefined, { 'last-event-id': place });
  expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
  expect(placeIn(await response.text())).toBe(place);
  expect((await two.asking.call('GET', '/v1/stream?wait=26')).status).toBe(400);
});
