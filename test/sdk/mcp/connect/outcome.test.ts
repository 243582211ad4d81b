import { describe, expect, test } from '@jest/globals';
import { createPayment, createSignature, type PaymentWanted, type SignatureWanted } from '#sdk/mcp/connect/outcome';
import type { Run } from '#sdk/mcp/run/run';

const run = {} as Run; // parameters are read before anything is asked
const order = { amount: '100.00', currency: 'EUR', for: 'Order 1' };
const nda = { template: 'nda', for: 'The NDA' };

const fault = (path: string[]) => ({
  code: 'INVALID_INPUT',
  errors: [{ path, message: expect.any(String) as unknown as string }],
});

describe('payment() refuses', () => {
  test.each<[string, object, string[]]>([
    ['a number as amount', { amount: 1e2 }, ['amount']],
    ['an exponent', { amount: '1e2' }, ['amount']],
    ['a decimal comma', { amount: '100,00' }, ['amount']],
    ['a sign', { amount: '-100.00' }, ['amount']],
    ['a leading zero', { amount: '0100.00' }, ['amount']],
    ['more than four decimals', { amount: '100.00000' }, ['amount']],
    ['nothing as amount', { amount: '0.00' }, ['amount']],
    ['no amount', { amount: undefined }, ['amount']],
    ['a currency in small letters', { currency: 'eur' }, ['currency']],
    ['the sign of a currency', { currency: '€' }, ['currency']],
    ['an empty purpose', { for: '' }, ['for']],
    ['a purpose of spaces', { for: '   ' }, ['for']],
    ['a purpose of more than 200 characters', { for: 'x'.repeat(201) }, ['for']],
    ['an empty payee', { payee: '' }, ['payee']],
  ])('%s', async (_name, parts, path) => {
    const request = { ...order, ...parts } as PaymentWanted;
    await expect(createPayment(run)('stripe', request)).rejects.toMatchObject(fault(path));
  });

  test('a provider whose key no operator could set', async () => {
    await expect(createPayment(run)('Stripe Inc.', order)).rejects.toMatchObject(fault(['provider']));
  });

  test('several faults at once, each with its path', async () => {
    const request = { amount: '1e2', currency: 'eur', for: '' };
    const paths = ['for', 'amount', 'currency'].map((path) => expect.objectContaining({ path: [path] }) as unknown);
    await expect(createPayment(run)('stripe', request)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      errors: expect.arrayContaining(paths) as unknown,
    });
  });
});

describe('signature() refuses', () => {
  test.each<[string, object, string[]]>([
    ['an empty purpose', { for: '' }, ['for']],
    ['an empty template', { template: '' }, ['template']],
    ['a number as the value of a field', { values: { sum: 100 } }, ['values', 'sum']],
    ['a value of more than 1024 characters', { values: { sum: 'x'.repeat(1025) } }, ['values', 'sum']],
  ])('%s', async (_name, parts, path) => {
    const request = { ...nda, ...parts } as SignatureWanted;
    await expect(createSignature(run)('docusign', request)).rejects.toMatchObject(fault(path));
  });
});
