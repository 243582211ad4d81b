import { describe, expect, test } from '@jest/globals';
import {
  faultOfIdentity,
  faultOfIssuer,
  faultOfName,
  faultOfSubject,
  identityKey,
  mayBeSame,
  readIdentity,
} from '#platform/model/identity';
import { faultOfAddress, namePattern } from '#platform/model/names';
import { disguises } from '../../support/disguises.ts';

const issuer = 'https://idp.example.com';

describe('AI-11 a subject', () => {
  test.each([
    'auth0|42',
    'gh:ada',
    'ada@example.com',
    'ada+work@mail.example.com',
    'samlp|corp|ada@example.com',
    'client:Claude Desktop',
    'urn:uuid:3b241101-e2bb-4255-8caf-4136c566a962',
    'x'.repeat(255),
  ])('%s is one', (subject) => expect(faultOfSubject(subject)).toBeNull());

  test.each([
    '',
    ' ada',
    'ada ',
    'ada  lovelace',
    'ada\n',
    'x'.repeat(256),
    'zoë',
    'mailto:ada@example.com',
    'Ada <ada@example.com>',
    '<ada@example.com>',
    '"ada"@example.com',
    'ada(work)@example.com',
    'ada@example.com.',
    'ada@example..com',
    'ada@bob@example.com',
    'acct:ada@example.com',
    '@example.com',
    ...disguises.map(({ text }) => text),
  ])('%j is refused with what to do', (subject) => expect(faultOfSubject(subject)).toMatch(/^Give /));
});

test.each(['ada%40example.com', '%61da@example.com', 'https://id.example.com#ada-7', 'HTTPS://id.example.com/#ada-7'])(
  '%s is no name without an issuer: it spells another one',
  (name) => expect(faultOfName(name)).toMatch(/^Give /),
);

test('a name without an issuer may have a percent sign or be an address of its own', () => {
  for (const name of ['100%', 'https://agents.example.com/7', 'acme#7', 'ada@example.com'])
    expect(faultOfName(name)).toBeNull();
});

describe('an issuer', () => {
  test.each([issuer, `${issuer}/`, `${issuer}/tenants/7`, 'http://127.0.0.1:4000'])('%s is one', (text) =>
    expect(faultOfIssuer(text)).toBeNull(),
  );

  test.each([
    'idp.example.com',
    'http://idp.example.com',
    'https://IDP.example.com',
    'https://idp.example.com:443',
    'https://idp.example.com/?tenant=7',
    'https://idp.example.com/#7',
    'https://ada@idp.example.com',
    'https://idp.example.com/a/../b',
    'https://idp.example.com\\@evil.example',
    ' https://idp.example.com',
    'https://idp.exаmple.com',
  ])('%j is refused', (text) => expect(faultOfIssuer(text)).toMatch(/^Give /));
});

describe('the key of a person', () => {
  test.each([
    ['case, without an issuer', { subject: 'gh:ada' }, { subject: 'GH:Ada' }],
    ['case of an address', { issuer, subject: 'ada@example.com' }, { issuer, subject: 'Ada@Example.COM' }],
    ['what follows a plus', { subject: 'ada@example.com' }, { subject: 'ada+agent@example.com' }],
  ])('ignores %s', (_, item, other) => expect(identityKey(item)).toBe(identityKey(other)));

  test.each([
    ['case of an opaque subject', { issuer, subject: 'aB3' }, { issuer, subject: 'Ab3' }],
    ['issuers', { issuer, subject: '42' }, { issuer: 'https://other.example.com', subject: '42' }],
    ['no issuer from one', { subject: '42' }, { issuer, subject: '42' }],
    ['subjects', { subject: '+a@example.com' }, { subject: '+b@example.com' }],
  ])('distinguishes %s', (_, item, other) => expect(identityKey(item)).not.toBe(identityKey(other)));

  test('without an issuer a subject may be anyone’s of that name', () => {
    expect(mayBeSame({ issuer, subject: 'gh:ada' }, { subject: 'GH:ADA' })).toBe(true);
    expect(mayBeSame({ issuer, subject: '42' }, { issuer: 'https://other.example.com', subject: '42' })).toBe(false);
  });
});

test('a name in the directory says its issuer or none', () => {
  expect(readIdentity(`${issuer}#auth0|7`)).toEqual({ issuer, subject: 'auth0|7' });
  expect(readIdentity('gh:ada#1')).toEqual({ issuer: null, subject: 'gh:ada#1' });
  expect([faultOfIdentity(`${issuer}#auth0|7`), faultOfIdentity('gh:ada')]).toEqual([null, null]);
  expect([faultOfIdentity(`${issuer}?x#7`), faultOfIdentity(`${issuer}#`)]).not.toContain(null);
});

test('MT-06 names of tools have MCP’s grammar', () => {
  for (const name of ['getUser', 'DATA_EXPORT_v2', 'admin.tools.list', 'x'.repeat(128)])
    expect(name).toMatch(namePattern);
  for (const name of ['', 'wire ', 'wirе', 'wi\u200Bre', 'a b', 'a/b', 'x'.repeat(129), 'wire\n'])
    expect(name).not.toMatch(namePattern);
});

test.each([
  ['https://evil.example\\@good.example/', 'https://evil.example/@good.example/'],
  [' https://good.example/', 'https://good.example/'],
  ['https://GOOD.example/', 'https://good.example/'],
  ['https://good.example', 'https://good.example/'],
  ['https://good.example/a/../b', 'https://good.example/b'],
  ['https://good.example/\ta', 'https://good.example/a'],
  ['https://good.example.:8443/', 'https://good.example:8443/'],
])('AI-05 %j is refused, with how it is read', (address, read) => {
  expect(faultOfAddress(address)).toBe(`Write the address in its normal form: ${read}`);
  expect(faultOfAddress(read)).toBeNull();
});
