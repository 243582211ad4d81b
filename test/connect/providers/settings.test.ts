import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { readSettings } from '#cli/settings';
import { readProviders } from '#platform/config/connect-providers';
import { Provider } from '#connect/providers/provider';
import { presets } from '#connect/providers/providers';
import { newFolder } from '../../support/new-folder.ts';

const folder = newFolder('connect-providers');
writeFileSync(path.join(folder, 'gh-secret'), 's3cret-of-a-file\n');
writeFileSync(path.join(folder, 'empty'), '\n');
const file = path.join(folder, 'providers.json');

function read(content: unknown) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readProviders({ ASSENTRY_PROVIDERS: file }).connectProviders;
}

const github = { use: 'github', clientId: 'Iv1.1', clientSecretFile: 'gh-secret', scopes: ['repo'], servers: ['shop'] };
const description = {
  label: 'Acme',
  pageHosts: ['id.example.com'],
  oauth: { issuer: 'https://id.example.com' },
};
const acme = { description, clientId: 'assentry', clientSecret: 's3cret', servers: ['shop'] };

test('without the file no one connects anything', () => {
  expect(readProviders({})).toEqual({ connectProviders: [], outcomeProviders: [] });
});

test('a provider is one of the descriptions that come with Assentry, or one of the operator', () => {
  expect(read({ github, acme })).toEqual([
    {
      ...Provider.parse(presets.get('github')),
      key: 'github',
      clientId: 'Iv1.1',
      clientSecret: 's3cret-of-a-file',
      scopes: ['repo'],
      servers: ['shop'],
    },
    {
      ...Provider.parse(description),
      key: 'acme',
      clientId: 'assentry',
      clientSecret: 's3cret',
      scopes: [],
      servers: ['shop'],
    },
  ]);
});

test('two providers may use one description, under a key each', () => {
  expect(read({ 'github-of-sales': github, github }).map(({ key, label }) => [key, label])).toEqual([
    ['github-of-sales', 'GitHub'],
    ['github', 'GitHub'],
  ]);
});

test('an operator may name further hosts for tokens', () => {
  const [provider] = read({ github: { ...github, apiHosts: ['mcp.example.com'] } });
  expect(provider?.apiHosts).toEqual([...(presets.get('github')?.apiHosts ?? []), 'mcp.example.com']);
});

test('a node has the providers of the file', () => {
  read({ github });
  const { connectProviders } = readSettings({ ASSENTRY_PROVIDERS: file });
  expect(connectProviders?.map(({ key }) => key)).toEqual(['github']);
});

const oauth = { authorize: 'https://id.example.com/a', token: 'https://id.example.com/t' };
const account = { url: 'https://id.example.com/me', id: '/id', label: '/name' };
const described = (parts: object) => ({ acme: { ...acme, description: { ...description, ...parts } } });

test.each<[unknown, string, string]>([
  [{ github: { ...github, use: undefined } }, 'github.use', 'Give either use or description'],
  [{ github: { ...github, description } }, 'github.use', 'Give either use or description'],
  [{ github: { ...github, use: 'gitlab' } }, 'github.use', 'Give one of adyen, atlassian, docusign'],
  [{ github: { ...github, use: 'constructor' } }, 'github.use', 'Give one of'],
  [{ github: { ...github, clientId: '' } }, 'github.clientId', 'Give a text'],
  [{ github: { ...github, clientId: undefined } }, 'github.clientId', 'Give the id'],
  [{ github: { ...github, clientSecret: 's3cret' } }, 'github.clientSecretFile', 'Give either clientSecretFile'],
  [{ acme: { ...acme, clientSecret: undefined } }, 'acme.clientSecretFile', 'Give either clientSecretFile'],
  [{ github: { ...github, scopes: ['a b'] } }, 'github.scopes.0', 'Give a scope'],
  [{ github: { ...github, apiHosts: ['*'] } }, 'github.apiHosts.0', 'Give one host'],
  [{ github: { ...github, servers: [] } }, 'github.servers', 'Name the servers'],
  [{ github: { ...github, servers: ['*'] } }, 'github.servers.0', 'Use 1 to 128 letters'],
  [{ github: { ...github, servers: undefined } }, 'github.servers', 'give a JSON file'],
  [{ github: { ...github, redirectUri: 'https://evil.example.com' } }, 'github.redirectUri', 'give a JSON file'],
  [{ GitHub: github }, 'GitHub', 'Name a provider by small letters'],
  [described({ pageHosts: ['*.example.com'] }), 'acme.description.pageHosts.0', 'Give one host'],
  [described({ apiHosts: ['*'] }), 'acme.description.apiHosts.0', 'Give one host'],
  [described({ secret: 's3cret' }), 'acme.description.secret', 'give a JSON file'],
  [described({ oauth: undefined }), 'acme.description.oauth', 'Describe how people connect'],
  [described({ oauth: { ...oauth, account, extra: 1 } }), 'acme.description.oauth.extra', 'give a JSON file'],
  [
    described({ oauth: { ...oauth, account, token: 'http://id.example.com/t' } }),
    'acme.description.oauth.token',
    'Give an address that begins with https:',
  ],
  [
    described({ oauth: { ...oauth, account, parameters: { redirect_uri: 'https://evil.example.com' } } }),
    'acme.description.oauth.parameters.redirect_uri',
    'Leave out what Assentry sets itself',
  ],
  [[github], '', 'give a JSON file'],
])('%j is refused at %s, with what to do and without its secret', (content, place, advice) => {
  expect(() => read(content)).toThrow(/^ASSENTRY_PROVIDERS: found .*providers\.json/);
  expect(() => read(content)).toThrow(`which is wrong at ${JSON.stringify(place)}; ${advice}`);
  expect(() => read(content)).not.toThrow(/s3cret/);
});

test.each([
  ['missing', 'which cannot be read'],
  ['empty', 'which is empty'],
])('a secret in a file that is %s is refused by its path', (clientSecretFile, finding) => {
  expect(() => read({ github: { ...github, clientSecretFile } })).toThrow(
    `${path.join(folder, clientSecretFile)} at "github.clientSecretFile", ${finding}`,
  );
});

test.each(['{', '', '"s3cret'])('a file with %j is refused, and repeats nothing of it', (content) => {
  expect(() => read(content)).toThrow(/^ASSENTRY_PROVIDERS: found .*which cannot be read as JSON/);
  expect(() => read(content)).not.toThrow(/s3cret/);
});
