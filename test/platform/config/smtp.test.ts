import { expect, test } from '@jest/globals';
import type { Environment } from '#platform/config/env';
import { readSmtp } from '#notify/mail/channel/settings';

const from = 'assentry@example.com';

test('without a mail server there is none', () => expect(readSmtp({})).toBeNull());

test.each([
  [
    'smtps://ada:s%40cret@mail.example.com',
    { host: 'mail.example.com', port: 465, isSecure: true, isLocal: false, auth: { user: 'ada', pass: 's@cret' } },
  ],
  ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, isSecure: false, isLocal: false, auth: null }],
  ['smtp://[::1]:2525/', { host: '::1', port: 2525, isSecure: false, isLocal: true, auth: null }],
])('it may be %s', (text, settings) => {
  expect(readSmtp({ ASSENTRY_SMTP_URL: text, ASSENTRY_SMTP_FROM: from })).toEqual({ ...settings, from });
});

test.each([
  ['https://approvals.example.com', 'approvals.example.com'],
  ['http://127.0.0.1:4700', undefined],
  ['http://[::1]:4700', undefined],
  ['http://localhost:4700', undefined],
])('a node at %s calls itself %p to the mail server', (publicUrl, name) => {
  const environment = { ASSENTRY_SMTP_URL: 'smtp://mail.example.com', ASSENTRY_SMTP_FROM: from };
  expect(readSmtp({ ...environment, ASSENTRY_PUBLIC_URL: publicUrl })?.name).toBe(name);
});

test.each<[string, Environment]>([
  ['ASSENTRY_SMTP_URL', { ASSENTRY_SMTP_FROM: from }],
  ['ASSENTRY_SMTP_URL', { ASSENTRY_SMTP_FROM: from, ASSENTRY_SMTP_URL: 'https://ada:secret@mail.example.com' }],
  ['ASSENTRY_SMTP_URL', { ASSENTRY_SMTP_FROM: from, ASSENTRY_SMTP_URL: 'smtps://ada:%E0secret@mail.example.com' }],
  ['ASSENTRY_SMTP_URL', { ASSENTRY_SMTP_FROM: from, ASSENTRY_SMTP_URL: 'smtp://ada:secret@mail.example.com/?tls=no' }],
  ['ASSENTRY_SMTP_FROM', { ASSENTRY_SMTP_URL: 'smtps://ada:secret@mail.example.com' }],
  ['ASSENTRY_SMTP_FROM', { ASSENTRY_SMTP_URL: 'smtps://mail.example.com', ASSENTRY_SMTP_FROM: 'Ada <a@example.com>' }],
])('%s is refused in %j, without repeating a password', (name, environment) => {
  const read = () => readSmtp(environment);
  expect(read).toThrowProblem('config-invalid');
  expect(read).toThrow(new RegExp(`^${name}: found `));
  expect(read).not.toThrow(/secret/);
});
