import { expect, test } from '@jest/globals';
import { adviseDelivery } from '#notify/command';

test.each([
  ['address-not-allowed', 'ASSENTRY_WEBHOOK_NETWORKS'],
  ['CERT_HAS_EXPIRED', 'renewed'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'correct the address'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'NODE_EXTRA_CA_CERTS'],
  ['ENOTFOUND', 'the name is right'],
  ['ECONNREFUSED', 'whether it runs'],
  ['ESOCKET', 'whether it runs'],
  ['EAUTH', 'password'],
  ['410', 'remove it'],
])('%s: says what to do', (fault, todo) => {
  expect(adviseDelivery(fault)).toContain(todo);
});

test.each(['500', '4010', 'unknown', 'XCERT_HAS_EXPIRED'])('of %s nothing is said', (fault) => {
  expect(adviseDelivery(fault)).toBeNull();
});
