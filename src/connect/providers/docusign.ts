import type { ProviderInput } from './provider.ts';

const envelope = '/data/envelopeSummary';
const facts = { signer: `${envelope}/recipients/signers/0/email` };

/**
 * Connect with JSON SIM messages, which must include custom fields and recipients. The reference is the value of a text custom
 * field, whatever the field is called: no other value has its form. A message has no id of its own; its time of generation stays
 * the same when it is repeated.
 */
export const docusign: ProviderInput = {
  label: 'DocuSign',
  pageHosts: [
    'app.docusign.com',
    'www.docusign.net',
    'na2.docusign.net',
    'na3.docusign.net',
    'na4.docusign.net',
    'ca.docusign.net',
    'eu.docusign.net',
    'au.docusign.net',
    'jp1.docusign.net',
    'demo.docusign.net',
  ],
  events: {
    kinds: ['signature'],
    signed: { header: 'x-docusign-signature-1', over: '{body}', mac: 'sha256', text: 'base64' },
    id: ['/event', '/data/envelopeId', '/generatedDateTime'],
    reference: Array.from({ length: 10 }, (_, index) => `${envelope}/customFields/textCustomFields/${index}/value`),
    object: ['/data/envelopeId'],
    rules: [
      { when: { '/event': 'envelope-completed', [`${envelope}/status`]: 'completed' }, verdict: 'accept', facts },
      { when: { '/event': 'envelope-declined' }, verdict: 'decline', facts },
      { when: { '/event': 'envelope-voided' }, verdict: 'cancel', facts },
    ],
    settlesWithin: '1h',
    api: { name: 'docusign' },
  },
};
