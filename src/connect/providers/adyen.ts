import type { ProviderInput } from './provider.ts';

const item = '/notificationItems/0/NotificationRequestItem';
const facts = {
  amount: `${item}/amount/value`,
  currency: `${item}/amount/currency`,
  payee: `${item}/merchantAccountCode`,
};

/**
 * Standard webhooks of payments, one item each. Its MAC does not cover `live`: test and live have a key each, so the key says it.
 * A refused attempt is no end, because the payer may try again on the same page. The event does not repeat the id of a session or
 * a link, so the reference alone leads to the request.
 */
export const adyen: ProviderInput = {
  label: 'Adyen',
  pageHosts: ['checkoutshopper-live.adyen.com', 'checkoutshopper-test.adyen.com', 'eu.adyen.link', 'test.adyen.link'],
  events: {
    kinds: ['payment'],
    signed: {
      field: `${item}/additionalData/hmacSignature`,
      over: [
        `${item}/pspReference`,
        `${item}/originalReference`,
        `${item}/merchantAccountCode`,
        `${item}/merchantReference`,
        `${item}/amount/value`,
        `${item}/amount/currency`,
        `${item}/eventCode`,
        `${item}/success`,
      ],
      mac: 'sha256',
      keyText: 'hex',
    },
    items: '/notificationItems',
    id: [`${item}/pspReference`, `${item}/eventCode`, `${item}/success`],
    reference: [`${item}/merchantReference`],
    object: [],
    rules: [
      {
        when: { [`${item}/eventCode`]: 'AUTHORISATION', [`${item}/success`]: 'true' },
        verdict: 'accept',
        facts,
        minor: true,
      },
      { when: { [`${item}/eventCode`]: 'OFFER_CLOSED', [`${item}/success`]: 'true' }, verdict: 'cancel' },
    ],
    digits: { CLP: 2, CVE: 0, IDR: 0, ISK: 2 },
    settlesWithin: '14d',
  },
};
