import type { ProviderInput } from './provider.ts';

const payment = { amount: '/data/amount', currency: '/data/currency', payee: '/data/payee', isLive: '/data/live' };
const signature = { document: '/data/document', signer: '/data/signer' };

/**
 * Any service that signs by Standard Webhooks and sends bodies of this form:
 * `{ "type": "payment.succeeded", "data": { "reference", "id", "amount", "currency", "payee", "live" } }`, where the amount is a
 * decimal text such as "100.00"; or `{ "type": "signature.completed", "data": { "reference", "id", "document", "signer" } }`, where
 * the document is the SHA-256 of its bytes in hex.
 */
export const standard: ProviderInput = {
  label: 'Standard Webhooks',
  pageHosts: [],
  events: {
    kinds: ['payment', 'signature'],
    signed: 'standard-webhooks',
    reference: ['/data/reference'],
    object: ['/data/id'],
    rules: [
      { when: { '/type': 'payment.succeeded' }, verdict: 'accept', facts: payment },
      { when: { '/type': 'payment.processing' }, verdict: 'pending', facts: payment },
      { when: { '/type': 'payment.failed' }, verdict: 'decline', facts: payment },
      { when: { '/type': ['payment.canceled', 'payment.expired'] }, verdict: 'cancel', facts: payment },
      { when: { '/type': 'signature.completed' }, verdict: 'accept', facts: signature },
      { when: { '/type': 'signature.declined' }, verdict: 'decline', facts: signature },
      { when: { '/type': ['signature.canceled', 'signature.expired'] }, verdict: 'cancel', facts: signature },
    ],
    settlesWithin: '14d',
  },
};
