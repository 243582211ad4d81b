import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { readPasswordRule, readSignInProviders } from '#platform/config/providers';
import { newFolder } from '../../support/new-folder.ts';

const folder = newFolder('providers');
writeFileSync(path.join(folder, 'secret'), 's3cret-of-a-file\n');
writeFileSync(path.join(folder, 'empty'), '\n');

function read(content: unknown) {
  const file = path.join(folder, 'providers.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readSignInProviders({ ASSENTRY_SIGN_IN_PROVIDERS: file });
}

const okta = { name: 'Okta', issuer: 'https://id.example.com', clientId: 'assentry', clientSecret: 's3cret' };
const { clientSecret: _clientSecret, ...bare } = okta;
const newPeople = { role: 'approver', domains: ['Example.com'] };

test('without the file people sign in here alone', () => {
  expect(readSignInProviders({})).toEqual([]);
});

test('each provider has what is named, and the rest as documented', () => {
  const entra = { ...bare, name: 'Entra', issuer: 'https://login.example.com/t/v2.0', clientSecretFile: 'secret' };
  const groups = { claim: 'groups', map: { 'g-1': 'finance' } };
  expect(
    read({
      okta: { ...okta, domains: ['Example.org'] },
      entra: { ...entra, newPeople, groups, multiFactor: { amr: ['mfa'] }, scim: { claim: 'oid' } },
    }),
  ).toEqual([
    {
      ...okta,
      key: 'okta',
      domains: ['example.org'],
      scopes: ['openid', 'email', 'profile'],
      multiFactor: { acr: [], amr: [], always: false },
      newPeople: null,
      groups: null,
      scim: null,
    },
    {
      ...bare,
      name: 'Entra',
      issuer: 'https://login.example.com/t/v2.0',
      key: 'entra',
      clientSecret: 's3cret-of-a-file',
      scopes: ['openid', 'email', 'profile'],
      multiFactor: { acr: [], amr: ['mfa'], always: false },
      newPeople: { role: 'approver', domains: ['example.com'], claims: {}, verifiedBy: 'email_verified' },
      groups,
      scim: { attribute: 'externalId', claim: 'oid' },
    },
  ]);
});

test.each([
  [{ okta: bare }, 'okta.clientSecretFile', 'Give either clientSecretFile or clientSecret'],
  [{ okta: { ...okta, clientSecretFile: 'secret' } }, 'okta.clientSecretFile', 'Give either'],
  [{ okta: { ...okta, issuer: 'http://id.example.com' } }, 'okta.issuer', 'Give the issuer'],
  [{ okta: { ...okta, newPeople: { ...newPeople, role: 'admin' } } }, 'okta.newPeople.role', 'Give "approver"'],
  [{ okta: { ...okta, newPeople: { ...newPeople, domains: [] } } }, 'okta.newPeople.domains', 'Name the domains'],
  [{ okta: { ...okta, scopes: ['email'] } }, 'okta.scopes', 'Add "openid"'],
  [{ okta: { ...okta, newPeople, scim: { claim: 'email' } } }, 'okta.scim.claim', 'Give a claim that is never someone'],
  [{ okta: { ...okta, scim: {} } }, 'okta.newPeople', 'Name the role and the domains'],
  [{ Okta: okta }, 'Okta', 'Name a provider by small letters'],
  [{ okta, other: okta }, '', 'Give each issuer once'],
  [{ okta: { ...okta, secret: 'x' } }, 'okta.secret', 'give a file like'],
])('%j is refused at %s, with what to do and without its secret', (content, place, advice) => {
  const message = `which is wrong at ${JSON.stringify(place)}; ${advice}`;
  expect(() => read(content)).toThrow(/^ASSENTRY_SIGN_IN_PROVIDERS: found .*providers\.json/);
  expect(() => read(content)).toThrow(message);
  expect(() => read(content)).not.toThrow(/s3cret/);
});

test.each([
  ['missing', 'which cannot be read'],
  ['empty', 'which is empty'],
])('a secret in a file that is %s is refused by its path', (clientSecretFile, finding) => {
  expect(() => read({ okta: { ...bare, clientSecretFile } })).toThrow(
    `${path.join(folder, clientSecretFile)} at "okta.clientSecretFile", ${finding}`,
  );
});

test('a file that is not JSON is refused', () => {
  expect(() => read('{')).toThrow(/cannot be read as JSON/);
});

test('passwords are allowed unless the setting keeps them for emergencies', () => {
  expect(readPasswordRule({})).toBe('allowed');
  expect(readPasswordRule({ ASSENTRY_PASSWORDS: 'emergency-only' })).toBe('emergency-only');
  expect(() => readPasswordRule({ ASSENTRY_PASSWORDS: 'never' })).toThrow('give one of allowed, emergency-only');
});
