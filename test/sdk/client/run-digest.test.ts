import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { runDigest, type AboutToRun } from '#sdk/client/client';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const bare: AboutToRun = { tool: { name: 'refund' }, arguments: { amount: 20 }, requester: { subject: 'alice' } };

describe('the run digest', () => {
  test('is the SHA-256 of a line that says what it is, and of the canonical JSON of the run', async () => {
    const text =
      'assentry/run/v1\n{"agent":null,"annotations":{},"arguments":{"amount":20},' +
      '"requester":{"issuer":null,"subject":"alice","verified":false},"schemaDigest":null,"tool":"refund"}';
    expect(await runDigest(bare)).toBe(sha256(text));
  });

  test('has everything that is known of tool, requester and agent', async () => {
    const schemaDigest = 'a'.repeat(64);
    const described = { name: 'refund', title: 'Refund', description: 'Pays back.' };
    const text =
      'assentry/run/v1\n{"agent":{"name":"desk","version":null},"annotations":{"destructiveHint":true,"title":"Pay"},' +
      '"arguments":{"a":[1,{"y":null,"z":"é"}],"b":0.1},"description":"Pays back.","reaches":"npx desk","requester":{"issuer":"https://id.example","subject":"alice",' +
      `"verified":true},"schemaDigest":"${schemaDigest}","title":"Refund","tool":"refund"}`;
    const full: AboutToRun = {
      tool: { ...described, reaches: 'npx desk', schemaDigest, annotations: { title: 'Pay', destructiveHint: true } },
      arguments: { b: 0.1, a: [1, { z: 'é', y: null }] },
      requester: { subject: 'alice', verified: true, issuer: 'https://id.example', client: { name: 'desk' } },
    };
    expect(await runDigest(full)).toBe(sha256(text));
  });

  test('leaves out words that decide nothing, and what JSON would leave out', async () => {
    const more = { ...bare, arguments: { amount: 20, none: undefined }, message: 'Refund 20?' };
    expect(await runDigest(more)).toBe(await runDigest(bare));
  });

  test('covers an argument whose name is special to JavaScript', async () => {
    const run = { ...bare, arguments: JSON.parse('{ "amount": 20, "__proto__": "x" }') as AboutToRun['arguments'] };
    expect(await runDigest(run)).not.toBe(await runDigest(bare));
  });

  test('is not made of what cannot be asked', async () => {
    await expect(runDigest({ ...bare, requester: { subject: '' } })).rejects.toThrowProblem('INVALID_INPUT');
  });
});
