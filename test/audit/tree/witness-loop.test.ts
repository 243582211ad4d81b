import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { cosign, cosigner, cosignerKey, parseCosignerKey } from '#audit/tree/rules/notes';
import type { Engine } from '#platform/nodes/verbs/engine';
import { createHealth } from '#platform/nodes/verbs/health';
import type { PostOffer } from '#audit/tree/verbs';
import { growTiles } from '#audit/tree/rules/merkle';
import { createWitnessLoop } from '#audit/tree/loops/witnesses';

const signer = cosigner('witness.example.com/w1', Buffer.alloc(32, 1));
const verifier = parseCosignerKey(cosignerKey(signer));
const tiles = growTiles(
  [],
  0,
  Array.from({ length: 5 }, (_, at) => Buffer.alloc(32, at)),
);
const head = { size: 1, note: 'assentry/test\n1\nAAAA\n\n\u2014 assentry/test AAAAAAAAAAAA\n' };

test('a witness that does not answer for minutes is named until it cosigns again', async () => {
  let now = 1_000_000;
  let isAway = true;
  const health = createHealth(() => now);
  const engine = {
    health,
    now: () => now,
    witnesses: [{ verifier, url: 'http://witness.invalid/' }],
    merkleLog: { latest: async () => head, origin: async () => 'assentry/test' },
    cosignatures: { all: async () => [], keep: async () => {} },
    ring: { kids: [] },
  } as unknown as Engine;
  const post = async () => {
    if (isAway) throw new TypeError('fetch failed');
    return { status: 200, body: cosign(head.note.split('\n\n')[0] + '\n', signer, 1_000) };
  };
  const loop = createWitnessLoop({ engine, log: pino({ level: 'silent' }), post, copies: [] });
  const turn = async (): Promise<void> => {
    loop.start();
    await loop.stop();
  };
  await turn();
  expect(health.warnings()).toEqual([]);
  now += 121_000;
  await turn();
  expect(health.warnings()).toEqual([{ code: 'witness-silent', witnesses: ['witness.example.com/w1'] }]);
  now += 10_000;
  await turn();
  expect(health.since('witness-silent')).toBe(1_121_000); // since it began, not since the last look
  isAway = false;
  await turn();
  expect([health.warnings(), health.since('witness-silent')]).toEqual([[], null]);
});

test.each([
  ['less than it has cosigned', 2, true],
  ['as much', 5, false],
])('a witness that says that it has seen %s', async (_name, theirs, isTold) => {
  const lines: string[] = [];
  const text = (size: number): string => `assentry/test\n${size}\nAAAA\n`;
  const note = (size: number): string => `${text(size)}\n\u2014 assentry/test AAAAAAAAAAAA\n`;
  const stored = { witness: signer.name, size: 5, note: note(5), line: cosign(text(5), signer, 1_000) };
  const engine = {
    health: createHealth(() => 0),
    now: () => 0,
    witnesses: [{ verifier, url: 'http://witness.invalid/' }],
    merkleLog: {
      latest: async () => ({ size: 5, note: note(5) }),
      origin: async () => 'assentry/test',
      tiles: async () => tiles,
    },
    cosignatures: { all: async () => [stored], keep: async () => {} },
    ring: { kids: [] },
  } as unknown as Engine;
  const post: PostOffer = async (_witness, body) =>
    body.startsWith(`old ${theirs}\n`)
      ? { status: 200, body: cosign(text(5), signer, 2_000) }
      : { status: 409, body: `${theirs}\n` };
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
  const loop = createWitnessLoop({ engine, log, post, copies: [] });
  loop.start();
  await loop.stop();
  expect(lines.join().includes('find out who put it back')).toBe(isTold);
});

test.each([
  [403, /Give the witness the key/],
  [404, /Name this log to the witness/],
  [200, /no cosignature by that key/],
  [500, /it answered with 500/],
])('a witness that refuses with %d is in the log of the node, with what to do', async (status, remedy) => {
  const lines: string[] = [];
  const engine = {
    health: createHealth(() => 0),
    now: () => 0,
    witnesses: [{ verifier, url: 'http://witness.invalid/' }],
    merkleLog: { latest: async () => head, origin: async () => 'assentry/test' },
    cosignatures: { all: async () => [], keep: async () => {} },
    ring: { kids: [] },
  } as unknown as Engine;
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const loop = createWitnessLoop({ engine, log, post: async () => ({ status, body: '' }), copies: [] });
  loop.start();
  await loop.stop();
  expect(lines.filter((line) => line.includes(signer.name))).toEqual([expect.stringMatching(remedy)]);
});
