import { afterAll, expect, test } from '@jest/globals';
import { send } from '../../mcp-v2/peers.ts';
import { startTestServer } from '../../../support/nodes/server.ts';
import { newStage, sendOld } from '../channels/outcome-stage.ts';
import { callTool } from '../peers.ts';

const options = { holdTimeoutMs: 400, progressIntervalMs: 10 };

const server = await startTestServer();
const stage = await newStage(server, 'progress');
afterAll(async () => {
  await stage.stop();
  await server.stop();
});

type Meta = { progressToken?: string };
let calls = 0;
const newCall = (name: string) => ({ name, arguments: { id: String((calls += 1)) } });

/** A whole call as it came over the wire, to the end of its stream. */
const channels: Record<string, (meta: Meta) => Promise<Response>> = {
  hold: async (_meta) => {
    const peer = await stage.old(options);
    return sendOld(peer, await peer.connect(), { ...newCall('approve'), _meta });
  },
  'hold, 2026-07-28': async (meta) => send(await stage.modern(options), 'tools/call', newCall('approve'), meta),
  link: async (_meta) => {
    const peer = await stage.old(options);
    const client = await peer.connect();
    const call = newCall('ask');
    await callTool(client, call.name, call.arguments);
    return sendOld(peer, client, { ...call, _meta });
  },
};

interface Frame {
  method?: string;
  params?: { progressToken: string; progress: number };
  result?: object;
}
const readFrames = async (response: Response): Promise<Frame[]> => {
  const text = await response.text();
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  return (events.length > 0 ? events.map((line) => line.slice('data: '.length)) : [text]).map(
    (json) => JSON.parse(json) as Frame,
  );
};

test.each(Object.keys(channels))('%s: progress rises from each to the next, and ends with the call', async (name) => {
  const frames = await readFrames(await (channels[name] as (meta: Meta) => Promise<Response>)({ progressToken: 't' }));
  const messages = frames.filter(({ method }) => method === 'notifications/progress');
  const values = messages.map(({ params }) => params?.progress ?? 0);
  expect(values.length).toBeGreaterThan(1);
  expect(values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0))).toBe(true);
  expect(new Set(messages.map(({ params }) => params?.progressToken))).toEqual(new Set(['t']));
  expect(frames.at(-1)).toHaveProperty('result');
});

test.each(Object.keys(channels))('%s: without a token only the result is shown', async (name) => {
  const frames = await readFrames(await (channels[name] as (meta: Meta) => Promise<Response>)({}));
  expect(frames).toEqual([expect.objectContaining({ result: expect.anything() })]);
});
