import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { copyHeadsToBucket } from '#platform/config/heads';
import { startBucket, type BucketServer } from './bucket-server.ts';

let bucket: BucketServer;
beforeEach(async () => void (bucket = await startBucket()));
afterEach(() => bucket.stop());

const now = Date.parse('2026-08-03T08:00:00Z');
const name = '/bucket/heads/checkpoint-000000000042';
const head = 'assentry/test\n42\nroot\n';
const note = `${head}\n— assentry/test signature\n`;
const copy = (text = note, settings = {}) =>
  copyHeadsToBucket({ ...bucket.settings, ...settings }, () => now)(42, text);
const locked = { mode: 'COMPLIANCE', until: '2026-09-02T08:00:00.000Z' };

test('a head is an object of its own, signed, and locked for as long as the settings say', async () => {
  await copy();
  expect([...bucket.objects]).toEqual([[name, { text: note, ...locked }]]);
});

test('what is there is not overwritten, also not by the same head with more signatures', async () => {
  await copy();
  await copy(`${note}— witness word\n`);
  expect([...bucket.objects]).toEqual([[name, { text: note, ...locked }]]);
});

test('another head of the same size is an alarm, and stays as it is', async () => {
  await copy();
  const other = note.replace('root', 'fork');
  await expect(copy(other)).rejects.toThrowProblem('proof-invalid');
  expect(bucket.objects.get(name)?.text).toBe(note);
});

test.each(['refuses', 'ignores', 'shortens'] as const)(
  'a bucket that %s locks is no place for copies',
  async (locks) => {
    bucket.locks = locks;
    await expect(copy()).rejects.toThrowProblem('config-invalid');
  },
);

test('a copy that was there counts while its lock lasts', async () => {
  await copy();
  const stored = bucket.objects.get(name);
  bucket.objects.set(name, { ...locked, text: stored?.text ?? '', until: '2026-08-03T08:00:01.000Z' });
  await copy();
  bucket.objects.set(name, { ...locked, text: stored?.text ?? '', until: '2026-08-03T07:59:59.000Z' });
  await expect(copy()).rejects.toThrow('found a bucket that locks a copy until 2026-08-03T07:59:59.000Z');
});

test.each([
  ['its secret', { secretAccessKey: 'another-secret' }],
  ['its region', { region: 'eu-test-2' }],
  ['its key', { accessKeyId: 'AKIAOTHER' }],
])('nothing is written by a wrong signature (%s), and the error says what the bucket says', async (_, settings) => {
  await expect(copy(note, settings)).rejects.toThrow(/^ASSENTRY_LOG_BUCKET: found .*: 403 SignatureDoesNotMatch;/);
  expect(bucket.objects.size).toBe(0);
});

test('a bucket that does not answer is an error', async () => {
  bucket.stop();
  await expect(copy()).rejects.toThrow();
});
