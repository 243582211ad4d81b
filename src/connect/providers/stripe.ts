import type { ProviderInput } from './provider.ts';

const session = '/data/object';
const facts = {
  amount: `${session}/amount_total`,
  currency: `${session}/currency`,
  payee: '/account',
  isLive: `${session}/livemode`,
};

/**
 * Checkout Sessions. Events of a connected account name it in `account`; others are about the operator's own. A session of
 * a bank debit ends unpaid first, and is settled days later. Events of payment intents say nothing more.
 */
export const stripe: ProviderInput = {
  label: 'Stripe',
  pageHosts: ['checkout.stripe.com'],
  events: {
    kinds: ['payment'],
    signed: {
      header: 'stripe-signature',
      parts: { time: 't', mac: 'v1' },
      over: '{time}.{body}',
      mac: 'sha256',
      text: 'hex',
    },
    id: ['/id'],
    reference: [`${session}/client_reference_id`],
    object: [`${session}/id`],
    rules: [
      {
        when: {
          '/type': 'checkout.session.completed',
          [`${session}/mode`]: 'payment',
          [`${session}/payment_status`]: ['paid', 'no_payment_required'],
        },
        verdict: 'accept',
        facts,
        minor: true,
      },
      {
        when: {
          '/type': 'checkout.session.completed',
          [`${session}/mode`]: 'payment',
          [`${session}/payment_status`]: 'unpaid',
        },
        verdict: 'pending',
        facts,
        minor: true,
      },
      {
        when: {
          '/type': 'checkout.session.async_payment_succeeded',
          [`${session}/mode`]: 'payment',
          [`${session}/payment_status`]: 'paid',
        },
        verdict: 'accept',
        facts,
        minor: true,
      },
      { when: { '/type': 'checkout.session.async_payment_failed' }, verdict: 'decline', facts, minor: true },
      { when: { '/type': 'checkout.session.expired' }, verdict: 'cancel', facts, minor: true },
    ],
    digits: { ISK: 2, MGA: 0, UGX: 2 },
    ownPayee: true,
    settlesWithin: '14d',
    api: { name: 'stripe', url: 'https://api.stripe.com' },
  },
};
