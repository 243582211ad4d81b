import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { signCheckpoint, writeOffer } from '#audit/tree/rules/checkpoint';
import { cosignaturesOn, parseCosignerKey, noteSigner } from '#audit/tree/rules/notes';
import { consistencyProof, growTiles, nodesIn } from '#audit/tree/rules/merkle';
import { leafHash } from '#audit/entries/rules/entry';
import { sha256 } from '#platform/crypto/digest';
import { openWitnessFiles, createWitness, type Witness, serveWitness } from '#audit/tree/wiring/witness-server';
import { leavesOf, plainRoot } from './trees.ts';
import { newFolder } from '../../support/new-folder.ts';

const at = Date.parse('2026-08-03T08:00:00Z');
const log = noteSigner('assentry/test', Buffer.alloc(32, 1));
const stranger = noteSigner('assentry/test', Buffer.alloc(32, 9));
const other = noteSigner('assentry/other', Buffer.alloc(32, 3));

let directory: string;
let witness: Witness;
let url: string;
let stop: () => Promise<void>;
beforeEach(async () => {
  directory = newFolder('witness');
  await start();
});
afterEach(() => stop());

async function start(): Promise<void> {
  witness = createWitness('witness.example.com/w1', [log, other], await openWitnessFiles(directory), () => at);
  const onError = (error: unknown): never => {
    throw error;
  };
  ({ url, stop } = await serveWitness(witness, { host: '127.0.0.1', port: 0, onError }));
}

/** Another past: the second entry is another one. */
const forked = (size: number): Buffer[] => leavesOf(size).with(1, leafHash(Buffer.from('another entry')));

interface Offered {
  leaves?: (size: number) => Buffer[];
  signer?: typeof log;
  proof?: Buffer[];
}

async function offer(oldSize: number, size: number, { leaves = leavesOf, signer = log, proof }: Offered = {}) {
  const all = leaves(size);
  const note = signCheckpoint({ origin: signer.name, size, root: plainRoot(all) }, [signer]);
  const nodes = nodesIn(growTiles([], 0, all));
  const own = proof ?? (oldSize <= size ? consistencyProof(nodes, oldSize, size) : []);
  const body = writeOffer({ oldSize, proof: own, note });
  const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text(), note };
}

test('a log that grows is cosigned, at each size and again at the same one', async () => {
  const key = parseCosignerKey(witness.key);
  for (const [old, size] of [
    [0, 1],
    [1, 300],
    [300, 300],
    [300, 777],
  ] as const) {
    const { status, text, note } = await offer(old, size);
    expect(status).toBe(200);
    expect(cosignaturesOn(note + text, [key])).toMatchObject([{ at }]);
  }
  const latest = await (await fetch(`${url}/${sha256('assentry/test').toString('hex')}/checkpoint`)).text();
  expect(cosignaturesOn(latest, [key])).toHaveLength(1);
  expect(latest).toContain('\n777\n');
});

test('a fork, a smaller log and a stranger are refused as the protocol says, and nothing is forgotten', async () => {
  expect((await offer(0, 5)).status).toBe(200);
  expect((await offer(5, 5, { leaves: forked })).status).toBe(422);
  expect((await offer(5, 9, { leaves: forked })).status).toBe(422);
  expect((await offer(5, 9, { proof: [] })).status).toBe(422);
  expect(await offer(3, 4)).toMatchObject({ status: 409, type: 'text/x.tlog.size', text: '5\n' });
  expect(await offer(0, 9)).toMatchObject({ status: 409, type: 'text/x.tlog.size', text: '5\n' });
  expect((await offer(5, 4)).status).toBe(400);
  expect((await offer(5, 9, { signer: stranger })).status).toBe(403);
  expect((await offer(0, 9, { signer: noteSigner('unknown', Buffer.alloc(32, 1)) })).status).toBe(404);
  expect((await offer(0, 5, { signer: other, proof: [Buffer.alloc(32)] })).status).toBe(422);
  expect((await fetch(`${url}/add-checkpoint`, { method: 'POST', body: 'x'.repeat(70_000) })).status).toBe(413);
  expect((await fetch(`${url}/add-checkpoint`)).status).toBe(405);
  expect((await fetch(`${url}/${sha256('assentry/other').toString('hex')}/checkpoint`)).status).toBe(404);
  expect((await offer(5, 9)).status).toBe(200);
});

test('what was cosigned outlives the process, with the key; a damaged file stops the witness', async () => {
  const { key } = witness;
  await offer(0, 5);
  await stop();
  await start();
  expect(witness.key).toBe(key);
  expect((await offer(0, 9, { leaves: forked })).status).toBe(409);
  expect((await offer(5, 9)).status).toBe(200);
  const state = path.join(directory, 'checkpoints.json');
  expect(statSync(path.join(directory, 'key')).mode & 0o777).toBe(0o600);
  writeFileSync(state, readFileSync(state, 'utf8').slice(0, -10));
  await expect(openWitnessFiles(directory)).rejects.toMatchObject({ code: 'config-invalid' });
  writeFileSync(state, '[]');
  writeFileSync(path.join(directory, 'key'), 'none');
  await expect(openWitnessFiles(directory)).rejects.toMatchObject({ code: 'config-invalid' });
});

test('of two pasts offered at the same moment one is cosigned', async () => {
  await offer(0, 5);
  const answers = await Promise.all([
    offer(5, 8),
    offer(5, 9, { leaves: (size) => leavesOf(size).with(7, leafHash(Buffer.from('another entry'))) }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});
