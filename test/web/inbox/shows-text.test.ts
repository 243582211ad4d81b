import { expect, test } from '@jest/globals';
import { showsText } from '../../../web/src/requests/inbox/use-selection.ts';

const row = {
  id: 'eli_a',
  tool: 'pay_invoice',
  toolTitle: 'Pay an invoice',
  server: 'books',
  policy: 'payments@2',
  message: 'Pay Globex 4,800 EUR?',
  requester: { subject: 'nina', issuer: null, verified: true, verifiedBy: null },
  reaches: 'npx db-server staging',
  facts: [{ label: 'customer', paths: ['/customer'], value: 'Initech GmbH' }],
  voters: ['Ada Lovelace'],
} as unknown as Parameters<typeof showsText>[0];

test.each(['globex', 'INITECH', 'pay_inv', 'nina', 'lovelace', 'books globex', 'eli_a', 'payments', 'staging'])(
  'a row that shows %s is found by it',
  (search) => expect(showsText(row, search)).toBe(true),
);
test.each(['hooli', 'globex hooli'])('a row that does not show %s is not', (search) =>
  expect(showsText(row, search)).toBe(false),
);
