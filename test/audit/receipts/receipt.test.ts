import { expect, test } from '@jest/globals';
import { signCheckpoint } from '#audit/tree/rules/checkpoint';
import { describeDecision } from '#audit/receipts/command';
import { auditEntry, entryBody, readEntry, type Actor, type AuditEvent } from '#audit/entries/rules/entry';
import { entryBundle, inclusionProof, rootHash, growTiles, nodesIn } from '#audit/tree/rules/merkle';
import { openReceipt, withSignatures, writeReceipt, checkSignatures } from '#audit/receipts/rules';
import { noteSigner } from '#audit/tree/rules/notes';
import { newId } from '#platform/crypto/random';
import type { Status } from '#requests/asking/contract/elicitation';
import { maxReceiptLength } from '#audit/reports/contract/report';
import { unsignedFault } from '#audit/verify/verbs/verify-state';
import { someProgress } from '../../support/requests/request-facts.ts';
import { entryAt, flipped, leavesOf } from '../tree/trees.ts';

const origin = 'assentry/test';
const [signer, next] = [1, 2].map((seed) => noteSigner(origin, Buffer.alloc(32, seed)));
const size = 300;
const nodes = nodesIn(growTiles([], 0, leavesOf(size)));
const root = rootHash(nodes, size);

const receiptOf = (index: number, signers = [signer].flatMap((signer) => signer ?? [])): string =>
  writeReceipt({
    entry: entryAt(index),
    index,
    proof: inclusionProof(nodes, index, size),
    checkpoint: signCheckpoint({ origin, size, root }, signers),
  });

test('a receipt is a proof file with the entry, and opens with the key alone', () => {
  const text = receiptOf(299);
  expect(text).toMatch(
    /^c2sp\.org\/tlog-proof@v1\nextra [\w+/=]+\nindex 299\n(?:[\w+/]{43}=\n)+\nassentry\/test\n300\n[\w+/]{43}=\n\n— assentry\/test [\w+/=]+\n$/,
  );
  const checkpoint = { origin, size, root };
  expect(openReceipt(text, [signer!])).toEqual({ entry: entryAt(299), index: 299, checkpoint, cosignatures: [] });
});

test('one that two keys signed opens with either', () => {
  const text = receiptOf(17, [signer!, next!]);
  expect([signer!, next!].map((key) => openReceipt(text, [key])?.index)).toEqual([17, 17]);
  expect(openReceipt(receiptOf(17, [next!]), [signer!])).toBeNull();
});

test('no bit of it can be another', () => {
  const opened = [...flipped(Buffer.from(receiptOf(42)))].filter((bytes) =>
    openReceipt(bytes.toString('utf8'), [signer!]),
  );
  expect(opened).toEqual([]);
});

test.each([
  ['another entry', (text: string) => text.replace(/^extra .*$/m, `extra ${entryAt(43).toString('base64')}`)],
  ['no entry', (text: string) => text.replace(/^extra .*\n/m, '')],
  ['another index', (text: string) => text.replace('index 42', 'index 43')],
  ['an index that is no number', (text: string) => text.replace('index 42', 'index 042')],
  ['a hash less', (text: string) => text.replace(/^[\w+/]{43}=\n/m, '')],
  ['a line more', (text: string) => text.replace('\n\n', '\nhello\n\n')],
  ['the checkpoint of another log', (text: string) => text.replace('assentry/test\n300', 'assentry/others\n300')],
  ['nothing', () => ''],
])('with %s it opens for no one', (_name, change) => {
  expect(openReceipt(receiptOf(42), [signer!])).not.toBeNull();
  expect(openReceipt(change(receiptOf(42)), [signer!])).toBeNull();
});

test('who only took a refusal back is not said to have approved', () => {
  const id = 'usr_AAAAAAAAAAAAAAAAAAAAAA';
  const fields = { ...someProgress, elicitation: 'eli_AAAAAAAAAAAAAAAAAAAAAA', digest: 'd', revision: 1 } as const;
  const event = { type: 'elicitation.vote-withdrawn', ...fields, from: 'open', to: 'accepted' } as const;
  const body = entryBody(auditEntry('aud_1', 1, { kind: 'user', id }, event), {});
  expect(describeDecision(readEntry(body))).toContain(
    `By:       everyone whose approval was needed, after the person ${id} withdrew a vote to decline`,
  );
});

const [first, second] = ['usr_AAAAAAAAAAAAAAAAAAAAAA', 'usr_BBBBBBBBBBBBBBBBBBBBBA'] as const;

test.each<[string, Actor, object, Status, string]>([
  [
    'approved and waited',
    { kind: 'timer' },
    { type: 'elicitation.started', approvers: [first, second] },
    'accepted',
    `the person ${first}, the person ${second}, with all approvals that were needed; it then waited until it could start`,
  ],
  [
    'approved and revoked',
    { kind: 'user', id: first },
    { type: 'call.revoked' },
    'accepted',
    `the person ${first}, who revoked what had been approved`,
  ],
  [
    'refused after its last escalation',
    { kind: 'timer' },
    { type: 'elicitation.escalated' },
    'declined',
    'no one, in time',
  ],
])('the receipt of a request that was %s says by whom', (_name, actor, event, to, by) => {
  const fields = { ...someProgress, elicitation: newId('elicitation'), digest: 'd', revision: 1, from: 'open', to };
  const body = entryBody(auditEntry('aud_1', 1, actor, { ...fields, ...event } as AuditEvent), {});
  expect(describeDecision(readEntry(body))).toContain(`By:       ${by}`);
});

test.each([
  ['accept', 'declined'],
  ['decline', 'accepted'],
] as const)('a vote to %s that is logged as having ended its request as %s is found', async (action, to) => {
  const actor = { kind: 'user', id: newId('user') } as const;
  const about = { ...someProgress, elicitation: newId('elicitation'), digest: 'd', revision: 1, seen: 'd' } as const;
  const fault = async (end: typeof to) => {
    const vote = { type: 'elicitation.voted', ...about, vote: newId('vote'), action, from: 'open', to: end } as const;
    const body = entryBody(auditEntry(newId('entry'), 1, actor, vote), {});
    const inReceipt = await checkSignatures('', readEntry(body), { origin, size, root });
    const inLog = await unsignedFault({ entries: [{ body }], signatures: new Map() } as never, new Map());
    return [inReceipt[0]?.fault ?? null, inLog];
  };
  const wrong = expect.stringContaining('it says the opposite');
  expect(await fault(to)).toEqual([wrong, wrong]);
  expect(await fault(to === 'accepted' ? 'declined' : 'accepted')).toEqual([null, null]);
});

test('a receipt that thirty devices signed, of a log of a million entries, is not too long for the page', () => {
  const proven = (bytes: number) => ({
    entry: Buffer.alloc(bytes).toString('base64'),
    index: 1_000_000,
    proof: Array.from({ length: 20 }, () => Buffer.alloc(32).toString('base64')),
  });
  const signed = { vote: proven(1_100), passkey: proven(600), signature: 'x'.repeat(500) };
  const text = withSignatures(
    receiptOf(17),
    Array.from({ length: 30 }, () => signed),
  );
  expect(text.length).toBeLessThan(maxReceiptLength);
});

test('a bundle of entries puts the length of each in two bytes before it, and no entry is longer', () => {
  expect(entryBundle([Buffer.from('ab'), Buffer.alloc(300, 'c')]).subarray(0, 8)).toEqual(
    Buffer.from([0, 2, 97, 98, 1, 44, 99, 99]),
  );
  const added = Array.from({ length: 3000 }, () => newId('user'));
  const event: AuditEvent = { type: 'group.members-changed', group: newId('group'), added, removed: [] };
  expect(() => entryBody(auditEntry(newId('entry'), 0, { kind: 'operator' }, event), {})).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT' }),
  );
  expect(() => entryBundle([Buffer.alloc(65_536)])).toThrow(expect.objectContaining({ code: 'internal' }));
});
