import { expect, test } from '@jest/globals';
import type { RequestRecord } from '#audit/search/contract';
import { assurances } from '#access/sign-in/contract/authentication';
import { presences } from '#people/directory/contract/presence';
import { entryFacts } from '../../web/src/audit/log/RecordPage.tsx';
import { codes } from '#locales/audit.en';

type Entry = NonNullable<RequestRecord['entries'][number]['entry']>;

test('the record of a vote says in words what its sign-in proved, and when', () => {
  const voted = { type: 'elicitation.voted', assurance: 'single-factor', authenticatedAt: 0, acr: 'mfa' } as unknown;
  expect(entryFacts(voted as Entry, {})).toEqual([
    { name: 'What the sign-in proved', value: 'One factor' },
    { name: 'Signed in', value: expect.stringContaining('1970') },
    { name: 'Vouched for by the provider', value: 'mfa' },
  ]);
});

test('everything that a policy can need of approvers, and a sign-in can prove, has words', () => {
  expect(Object.keys(codes['presence'] ?? {})).toEqual([...presences]);
  expect(Object.keys(codes['assurance'] ?? {})).toEqual([...assurances]);
});
