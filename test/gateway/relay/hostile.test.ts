import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AssentryClient } from '#sdk/client/client';
import { maxFrameBytes } from '#gateway/wrap';
import { Passes } from '#gateway/calls/passes';
import { RefusedCalls } from '#gateway/calls/own-files';
import { openOwnFiles } from '#gateway/own-files/own-files';
import { newFolder } from '../../support/new-folder.ts';
import { LineReader } from '#gateway/frames/frame';
import { Relay } from '#gateway/relay/relay';
import { readSettings } from '#sdk/mcp/tools/own-tools';
import { Problem } from '#platform/model/problem';
import { findsCall } from '../frames/finds-call.ts';
import { hostileLines } from '../frames/hostile-lines.ts';
import { mutatedFrames } from '../frames/mutated-frames.ts';

const settings = readSettings({});

/** A relay whose orchestrator cannot be had; what it would send to an upstream is kept. */
function startRelay() {
  const [forwarded, messages]: [string[], string[]] = [[], []];
  const unavailable: Promise<AssentryClient> = Promise.reject(new Problem('unavailable'));
  unavailable.catch(() => {});
  const sides = {
    toClient: async (line: string) => (messages.push(line), true),
    toUpstream: (line: string) => void forwarded.push(line),
    warn: () => {},
  };
  const pins = {
    changeOf: async () => null,
    changeOfServer: async () => null,
    standingOf: async () => 'accepted' as const,
    stand: async () => {},
    accept: async () => {},
  };
  const passes = new Passes(unavailable);
  const ownFiles = openOwnFiles(newFolder(), { variables: {} });
  const refusals = new RefusedCalls(unavailable);
  return {
    relay: new Relay(sides, {
      client: unavailable,
      settings,
      server: 'notes',
      reaches: 'npx notes',
      pins,
      passes,
      ownFiles,
      refusals,
    }),
    forwarded,
    told: messages,
  };
}

const hostile = fc.oneof(hostileLines, mutatedFrames);

test('of 1,000 hostile lines none reaches an upstream as a call', async () => {
  const lines = fc.sample(hostile, { numRuns: 1000, seed: 14 });
  const { relay, forwarded } = startRelay();
  for (const line of lines) relay.fromClient(line);
  relay.leave();
  await relay.lose();
  expect(forwarded.length).toBeGreaterThan(20);
  expect(forwarded.filter(findsCall)).toEqual([]);
});

test('the check finds the calls among them', () => {
  const lines = fc.sample(hostile, { numRuns: 1000, seed: 14 });
  expect(lines.filter((line) => findsCall(line.toString())).length).toBeGreaterThan(300);
});

test('a call without an orchestrator runs nothing, and says so', async () => {
  const { relay, forwarded, told: messages } = startRelay();
  relay.fromClient(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_note"}}'));
  await relay.lose();
  expect(forwarded).toEqual([]);
  expect(JSON.parse(messages[0] ?? '')).toMatchObject({
    id: 1,
    error: { code: -32603, data: { code: 'unavailable' } },
  });
});

test('a line that is too long is refused, and the next one is read', () => {
  const { relay, told: messages } = startRelay();
  const lines: string[] = [];
  const reader = new LineReader(10, {
    onLine: (line) => lines.push(line.toString()),
    onTooLong: () => relay.refuseLong(maxFrameBytes),
  });
  for (const part of ['{"a":1', '}\n{"aaaaaa', 'aaaaaaaaa', 'aaaa":1}\n{}\n{']) reader.push(Buffer.from(part));
  expect(lines).toEqual(['{"a":1}', '{}']);
  expect(messages.map((line) => JSON.parse(line))).toMatchObject([
    { id: null, error: { data: { code: 'body-too-large' } } },
  ]);
});
