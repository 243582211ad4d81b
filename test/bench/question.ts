import type { OpenRequest } from '#policies/deciding/verbs/open';

/** A question of an everyday size: its row is some 1.5 kB. */
export const question: OpenRequest = {
  tool: {
    name: 'transfer_funds',
    title: 'Transfer funds',
    description: 'Moves money from one account of the company to an account of someone else.',
    annotations: { destructiveHint: true },
  },
  arguments: { amount: 1250, currency: 'EUR', to: 'DE89 3704 0044 0532 0130 00', reference: 'Invoice 2041' },
  message: 'Transfer 1,250 EUR to DE89 3704 0044 0532 0130 00 for invoice 2041?',
  mode: 'form',
  schema: {
    type: 'object',
    properties: { confirmed: { type: 'boolean', title: 'I have compared the account number with the invoice' } },
    required: ['confirmed'],
  },
  requester: { subject: 'alice@example.com', verified: true },
  step: '0',
};

export const accepted = { action: 'accept', content: { confirmed: true } } as const;
