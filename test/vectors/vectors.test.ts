import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { openReceipt } from '#audit/receipts/rules';
import { parseVerifierKey } from '#audit/tree/rules/notes';
import { signWebhook } from '#notify/webhooks/rules';
import { canonicalText } from '#platform/model/hashed-text';
import { signedVoteText, type SignedVote } from '#requests/voting/contract/votes';
import { runDigest, type AboutToRun } from '#sdk/client/client';

/** Vectors for every language. `test_vectors.py` checks them without this code. */
interface Vectors<Case> {
  about: string;
  cases: (Case & { name: string })[];
  key?: string;
  secret?: string;
}

const read = <Case>(name: string): Vectors<Case> =>
  JSON.parse(readFileSync(`test/vectors/${name}.json`, 'utf8')) as Vectors<Case>;
const sha256 = (text: string, encoding: 'hex' | 'base64url' = 'hex'): string =>
  createHash('sha256').update(text).digest(encoding);

test.each(read<{ json: string; canonical: string; sha256: string }>('canonical-json').cases)(
  'canonical JSON: $name',
  ({ json, canonical, sha256: digest }) => {
    const text = canonicalText(JSON.parse(json));
    expect([text, sha256(text)]).toEqual([canonical, digest]);
  },
);

type RunCase = Omit<AboutToRun, 'arguments'> & { arguments: string; text: string; digest: string };

test.each(read<RunCase>('run-digest').cases)('run digest: $name', async ({ text, digest, ...run }) => {
  const { tool, requester } = run;
  const args = JSON.parse(run.arguments) as Record<string, unknown>;
  expect([await runDigest({ tool, arguments: args, requester }), sha256(text)]).toEqual([digest, digest]);
});

interface HookCase {
  isValid: boolean;
  headers: ReturnType<typeof signWebhook>;
  body: string;
}
const { secret = '', cases: hooks } = read<HookCase>('webhook-signature');

test.each(hooks)('webhook signature: $name', ({ isValid, headers, body }) => {
  const at = Number(headers['webhook-timestamp']) * 1000;
  const signed = signWebhook(secret, { id: headers['webhook-id'], at, body });
  expect(signed['webhook-signature'] === headers['webhook-signature']).toBe(isValid);
  const reference = new Webhook(secret).sign(headers['webhook-id'], new Date(at), body);
  expect(reference === headers['webhook-signature']).toBe(isValid);
});

const { key = '', cases: receipts } = read<{ isValid: boolean; entry?: string; receipt: string }>('receipt');

test.each(receipts)('receipt: $name', ({ isValid, entry, receipt }) => {
  const opened = openReceipt(receipt, [parseVerifierKey(key)]);
  expect([opened !== null, opened && Buffer.from(opened.entry).toString()]).toEqual([isValid, entry ?? null]);
});

test.each(read<{ vote: SignedVote; text: string; challenge: string }>('signed-vote').cases)(
  'signed vote: $name',
  ({ vote, text, challenge }) => {
    expect([signedVoteText(vote), sha256(text, 'base64url')]).toEqual([text, challenge]);
  },
);
