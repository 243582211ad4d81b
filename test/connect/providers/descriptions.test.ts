import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Provider, type ProviderInput } from '#connect/providers/provider';
import { presets } from '#connect/providers/providers';

const described = {
  authorize: 'https://id.example.com/authorize',
  token: 'https://id.example.com/token',
  account: { url: 'https://api.example.com/me', id: '/id', label: '/name' },
};
const acme = { label: 'Acme', pageHosts: ['id.example.com'], apiHosts: ['api.example.com'], oauth: described };

const connecting = ['atlassian', 'github', 'google', 'microsoft', 'slack'];
const reporting = ['adyen', 'docusign', 'standard', 'stripe'];

test('providers of accounts, of payments and of signatures come with Assentry', () => {
  expect([...presets.keys()].toSorted()).toEqual([...connecting, ...reporting].toSorted());
});

describe.each([...presets])('the description of %s', (name, description) => {
  test('is valid, and names nothing on this machine', () => {
    const { oauth, events } = Provider.parse(description);
    expect([oauth !== undefined, events !== undefined]).toEqual(
      [connecting, reporting].map((all) => all.includes(name)),
    );
    expect(JSON.stringify(description)).not.toMatch(/http:|localhost|127\./);
  });

  test('names each host that gets a token or a person', () => {
    const { pageHosts, apiHosts, oauth } = Provider.parse(description);
    const hostOf = (address: string): string => new URL(address).host;
    if (oauth?.account) expect(apiHosts).toContain(hostOf(oauth.account.url));
    if (oauth) expect(pageHosts).toContain(hostOf('issuer' in oauth ? oauth.issuer : oauth.authorize));
  });
});

test('a description has defaults: spaces between scopes, a refresh token that rotates, a secret in the body, no iss', () => {
  expect(Provider.parse(acme).oauth).toEqual({
    ...described,
    separator: ' ',
    refresh: 'rotates',
    unknownClient: [],
    ownScopes: [],
    parameters: {},
    permits: {},
    withdrawn: [],
    authentication: 'post',
    iss: null,
  });
});

const oauth = (parts: object) => ({ ...acme, oauth: { ...described, ...parts } });
const discovered = (parts: object) => ({ ...acme, oauth: { issuer: 'https://id.example.com', ...parts } });

test.each<[string, unknown]>([
  ['label', { ...acme, label: '' }],
  ['pageHosts', { ...acme, pageHosts: [] }],
  ['pageHosts', { ...acme, pageHosts: ['other.example.com'] }],
  ['pageHosts.0', { ...acme, pageHosts: ['*.example.com'] }],
  ['pageHosts.0', { ...acme, pageHosts: ['https://id.example.com'] }],
  ['apiHosts.0', { ...acme, apiHosts: ['*'] }],
  ['apiHosts.1', { ...acme, apiHosts: ['api.example.com', 'api.example.com/v1'] }],
  ['', { ...acme, webhook: 'https://id.example.com' }],
  ['oauth', { ...acme, oauth: 'github' }],
  ['oauth', oauth({ issuers: 'https://id.example.com' })],
  ['oauth.authorize', oauth({ authorize: 'http://id.example.com/authorize' })],
  ['oauth.token', oauth({ token: 'http://10.0.0.1/token' })],
  ['oauth.token', oauth({ token: undefined })],
  ['oauth.revoke', oauth({ revoke: 'ftp://id.example.com' })],
  ['oauth.revoke', oauth({ revoke: { url: 'https://id.example.com', method: 'GET', authentication: 'basic' } })],
  ['oauth.account', oauth({ account: undefined })],
  ['oauth.account.id', oauth({ account: { ...described.account, id: 'id' } })],
  ['oauth.account.label', oauth({ account: { ...described.account, label: '/a~2' } })],
  ['oauth.account.url', oauth({ account: { ...described.account, url: 'http://api.example.com/me' } })],
  ['oauth.separator', oauth({ separator: ';' })],
  ['oauth.refresh', oauth({ refresh: 'sometimes' })],
  ['oauth.ownScopes.0', oauth({ ownScopes: ['two words'] })],
  ['oauth.parameters.redirect_uri', oauth({ parameters: { redirect_uri: 'https://evil.example.com' } })],
  ['oauth.parameters.state', oauth({ parameters: { state: 'fixed' } })],
  ['oauth.parameters.a b', oauth({ parameters: { 'a b': 'c' } })],
  ['oauth.issuer', discovered({ issuer: 'http://id.example.com' })],
  ['oauth.issuer', discovered({ issuer: 'https://id.example.com/?tenant=1' })],
  ['oauth', discovered({ authorize: 'https://id.example.com/authorize' })],
])('a description that is wrong at %j is refused there', (place, description) => {
  const { error } = Provider.safeParse(description);
  expect(error?.issues[0]?.path.join('.')).toBe(place);
});

test('a provider on this machine may be described, for a trial', () => {
  const local: ProviderInput = {
    ...acme,
    pageHosts: ['127.0.0.1:4000'],
    oauth: { ...described, authorize: 'http://127.0.0.1:4000/authorize', token: 'http://localhost:4000/token' },
  };
  expect(Provider.safeParse(local).success).toBe(true);
});

test('the example of events in the docs is valid', () => {
  const guide = readFileSync('docs/how-to.md', 'utf8');
  const [, example = ''] = /```json\n(\{\n {2}"label": "Acme Pay"[\s\S]*?)```/.exec(guide) ?? [];
  expect(Provider.parse(JSON.parse(example)).events?.settlesWithin).toBe('14d');
});
