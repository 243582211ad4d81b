import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readSettings } from '#cli/settings';
import { readProviders } from '#platform/config/connect-providers';
import { Provider } from '#connect/providers/provider';
import { presets } from '#connect/providers/providers';
import { newFolder } from '../../support/new-folder.ts';

const folder = newFolder('connect-providers');
writeFileSync(path.join(folder, 'gh-secret'), 's3cret-of-a-file\n');
writeFileSync(path.join(folder, 'empty'), '\n');
const file = path.join(folder, 'providers.json');

function readAll(content: unknown) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readProviders({ ASSENTRY_PROVIDERS: file });
}

const read = (content: unknown) => readAll(content).connectProviders;

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

describe('servers that name their provider themselves', () => {
  const issuer = 'https://mcp.linear.app';
  const auto = { servers: ['linear'], issuers: [issuer] };

  test('have one provider for each issuer that the operator allows, at a return address of its own', () => {
    const [first, second, ...more] = read({ auto: { ...auto, issuers: [issuer, 'https://github.com/login/oauth'] } });
    expect(more).toEqual([]);
    expect(first).toMatchObject({ isAuto: true, label: 'mcp.linear.app', servers: ['linear'], scopes: [] });
    expect(first).toMatchObject({ clientId: null, clientSecret: null, oauth: { issuer } });
    expect(first?.key).toMatch(/^auto-[0-9a-f]{26}$/);
    expect(second?.key).not.toBe(first?.key);
  });

  test('may be called by clients of the operator, with a secret or without', () => {
    const clientOf = (client: object) => {
      const [provider] = read({ auto: { ...auto, clients: { [issuer]: client } } });
      return [provider?.clientId, provider?.clientSecret];
    };
    expect(clientOf({ clientId: 'a', clientSecretFile: 'gh-secret' })).toEqual(['a', 's3cret-of-a-file']);
    expect(clientOf({ clientId: 'a', clientSecret: 'b' })).toEqual(['a', 'b']);
    expect(clientOf({ clientId: 'a' })).toEqual(['a', null]);
  });

  test('stand in the file beside other providers', () => {
    const { connectProviders, outcomeProviders } = readAll({ auto, github });
    expect(connectProviders.map(({ label }) => label)).toEqual(['GitHub', 'mcp.linear.app']);
    expect(outcomeProviders).toEqual([]);
  });

  test.each<[object, string, string]>([
    [{ ...auto, servers: [] }, 'auto.servers', 'Name the servers'],
    [{ ...auto, issuers: undefined }, 'auto.issuers', 'Give a value: this is missing'],
    [{ ...auto, issuers: [] }, 'auto.issuers', 'Name the issuers'],
    [{ ...auto, issuers: ['http://id.example.com'] }, 'auto.issuers.0', 'Give the issuer as it is written'],
    [{ ...auto, issuers: ['*'] }, 'auto.issuers.0', 'Give the issuer as it is written'],
    [{ ...auto, scopes: ['a b'] }, 'auto.scopes.0', 'Give a scope'],
    [{ ...auto, clientId: 'a' }, 'auto.clientId', 'Correct its name, or leave it out'],
    [{ ...auto, clients: { [issuer]: { clientId: '' } } }, `auto.clients.${issuer}.clientId`, 'Give a text'],
    [
      { ...auto, clients: { 'https://id.example.com': { clientId: 'a' } } },
      'auto.clients.https://id.example.com',
      'Add it to "issuers"',
    ],
    [
      { ...auto, clients: { [issuer]: { clientId: 'a', clientSecret: 's3cret', clientSecretFile: 'gh-secret' } } },
      `auto.clients.${issuer}.clientSecretFile`,
      'Give either',
    ],
  ])('%j is refused at %s', (content, place, advice) => {
    expect(() => read({ auto: content })).toThrow(`which is wrong at ${JSON.stringify(place)}; ${advice}`);
    expect(() => read({ auto: content })).not.toThrow(/s3cret/);
  });

  test('have a key that no described provider takes', () => {
    expect(() => read({ 'auto-acme': acme })).toThrow('which is wrong at "auto-acme"; Name a provider');
  });
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
  [{ github: { ...github, servers: undefined } }, 'github.servers', 'Give a value: this is missing'],
  [{ github: { ...github, redirectUri: 'https://evil.example.com' } }, 'github.redirectUri', 'Correct its name'],
  [{ GitHub: github }, 'GitHub', 'Name a provider by small letters'],
  [described({ pageHosts: ['*.example.com'] }), 'acme.description.pageHosts.0', 'Give one host'],
  [described({ apiHosts: ['*'] }), 'acme.description.apiHosts.0', 'Give one host'],
  [described({ secret: 's3cret' }), 'acme.description.secret', 'Correct its name'],
  [described({ oauth: undefined }), 'acme.description.oauth', 'Describe how people connect'],
  [described({ oauth: { ...oauth, account, extra: 1 } }), 'acme.description.oauth.extra', 'Correct its name'],
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
  [[github], '', 'Must be an object'],
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

const adyenKey = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
const pem = String(
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }),
);
const secretFiles = {
  'stripe-key': 'rk_live_s3cret',
  'stripe-test-key': 'rk_test_s3cret',
  'two-lines': 'rk_live_s3cret\nrk_live_s3cret',
  new: 'whsec_new_s3cret_0123456789',
  old: 'whsec_old_s3cret_0123456789',
  short: 's3cret',
  standard: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  adyen: adyenKey,
  'docusign-key': pem,
};
for (const [name, content] of Object.entries(secretFiles)) writeFileSync(path.join(folder, name), `${content}\n`);

const stripe = {
  use: 'stripe',
  keyFile: 'stripe-key',
  signingSecretFiles: ['new', 'old'],
  accounts: ['acct_1'],
  live: true,
  servers: ['shop'],
};
const adyen = { use: 'adyen', signingSecretFiles: ['adyen'], accounts: ['Shop'], servers: ['shop'] };
const docusign = { use: 'docusign', signingSecretFiles: ['new'], servers: ['shop'] };
const docusignApi = {
  ...docusign,
  keyFile: 'docusign-key',
  clientId: 'app-1',
  actsAs: 'user-1',
  accounts: ['a-1'],
  apiUrl: 'https://eu.docusign.net/restapi/',
};
const standard = {
  use: 'standard',
  label: 'Till',
  pageHosts: ['pay.example.com'],
  signingSecretFiles: ['standard'],
  accounts: ['shop'],
  live: false,
  servers: ['shop'],
};

test('a provider of payments has its secrets, the newest first, and what may be paid to whom', () => {
  expect(readAll({ stripe, github })).toEqual({
    connectProviders: [expect.objectContaining({ key: 'github' })],
    outcomeProviders: [
      {
        ...Provider.parse(presets.get('stripe')),
        key: 'stripe',
        servers: ['shop'],
        signingSecrets: ['whsec_new_s3cret_0123456789', 'whsec_old_s3cret_0123456789'],
        accounts: ['acct_1'],
        live: true,
        api: { url: 'https://api.stripe.com', key: 'rk_live_s3cret' },
      },
    ],
  });
});

test('a provider without a key is heard, and not called', () => {
  const heard = { stripe: { ...stripe, keyFile: undefined }, adyen, docusign, standard };
  expect(readAll(heard).outcomeProviders.map(({ key, label, live, api }) => [key, label, live, api])).toEqual([
    ['stripe', 'Stripe', true, null],
    ['adyen', 'Adyen', null, null],
    ['docusign', 'DocuSign', null, null],
    ['standard', 'Till', false, null],
  ]);
});

test('an API that acts for a person has its app, its person and its address', () => {
  const [provider] = readAll({ docusign: docusignApi }).outcomeProviders;
  expect(provider?.api).toEqual({
    url: 'https://eu.docusign.net/restapi',
    key: pem.trim(),
    clientId: 'app-1',
    actsAs: 'user-1',
  });
});

test('hosts of pages that an operator has of their own are added', () => {
  const [provider] = readAll({ stripe: { ...stripe, pageHosts: ['pay.example.com'] } }).outcomeProviders;
  expect(provider?.pageHosts).toEqual(['checkout.stripe.com', 'pay.example.com']);
});

test('a description of an operator may both connect accounts and report payments', () => {
  const { events } = presets.get('standard') ?? {};
  const both = { ...standard, ...acme, label: undefined, pageHosts: undefined, use: undefined };
  const { connectProviders, outcomeProviders } = readAll({
    both: { ...both, description: { ...description, events } },
  });
  expect(connectProviders).toMatchObject([{ key: 'both', label: 'Acme', clientSecret: 's3cret' }]);
  expect(outcomeProviders).toMatchObject([{ key: 'both', label: 'Acme', live: false, accounts: ['shop'] }]);
});

test('a trial may name an API on this machine', () => {
  const [provider] = readAll({ stripe: { ...stripe, apiUrl: 'http://127.0.0.1:4000' } }).outcomeProviders;
  expect(provider?.api?.url).toBe('http://127.0.0.1:4000');
});

test('a node has the providers of payments of the file', () => {
  readAll({ stripe, github });
  const { connectProviders, outcomeProviders } = readSettings({ ASSENTRY_PROVIDERS: file });
  expect([connectProviders, outcomeProviders].map((all) => all?.map(({ key }) => key))).toEqual([
    ['github'],
    ['stripe'],
  ]);
});

test.each<[object, string, string]>([
  [{ stripe: { ...stripe, signingSecretFiles: undefined } }, 'stripe.signingSecretFiles', 'Name the files'],
  [{ stripe: { ...stripe, signingSecretFiles: [] } }, 'stripe.signingSecretFiles', 'Name the files'],
  [{ stripe: { ...stripe, accounts: undefined } }, 'stripe.accounts', 'Name your own'],
  [{ stripe: { ...stripe, accounts: [] } }, 'stripe.accounts', 'Name who may get money'],
  [{ stripe: { ...stripe, live: undefined } }, 'stripe.live', 'Say whether it is live'],
  [{ stripe: { ...stripe, live: 'yes' } }, 'stripe.live', 'Must be true or false'],
  [{ stripe: { ...stripe, keyFile: undefined, apiUrl: 'https://a.example.com' } }, 'stripe.apiUrl', 'Leave it out'],
  [
    { stripe: { ...stripe, apiUrl: 'http://a.example.com' } },
    'stripe.apiUrl',
    'Give an address that begins with https:',
  ],
  [{ stripe: { ...stripe, pageHosts: ['*'] } }, 'stripe.pageHosts.0', 'Give one host'],
  [{ stripe: { ...stripe, clientId: 'app' } }, 'stripe.clientId', 'Leave it out: people connect no'],
  [{ stripe: { ...stripe, clientSecret: 's3cret' } }, 'stripe.clientSecret', 'Leave it out: people connect no'],
  [{ stripe: { ...stripe, scopes: ['read'] } }, 'stripe.scopes', 'Leave it out: people connect no'],
  [{ stripe: { ...stripe, actsAs: 'user-1' } }, 'stripe.actsAs', 'Leave it out'],
  [{ stripe: { ...stripe, servers: [] } }, 'stripe.servers', 'Name the servers'],
  [{ stripe: { ...stripe, signingSecret: 's3cret' } }, 'stripe.signingSecret', 'Correct its name'],
  [{ github: { ...github, signingSecretFiles: ['new'] } }, 'github.signingSecretFiles', 'Leave it out: GitHub reports'],
  [{ github: { ...github, live: true } }, 'github.live', 'Leave it out: GitHub reports'],
  [{ adyen: { ...adyen, live: true } }, 'adyen.live', 'Leave it out: Adyen signs'],
  [{ adyen: { ...adyen, keyFile: 'stripe-key' } }, 'adyen.keyFile', 'Leave it out: Assentry does not call Adyen'],
  [{ docusign: { ...docusign, accounts: ['a-1'] } }, 'docusign.accounts', 'Leave it out: DocuSign does not say'],
  [{ docusign: { ...docusign, clientId: 'app-1' } }, 'docusign.clientId', 'Leave it out'],
  [{ docusign: { ...docusignApi, actsAs: undefined } }, 'docusign.actsAs', 'Give the id of the person'],
  [{ docusign: { ...docusignApi, clientId: undefined } }, 'docusign.clientId', 'Give the id of the app'],
  [{ docusign: { ...docusignApi, apiUrl: undefined } }, 'docusign.apiUrl', 'Give the address of the API'],
  [{ standard: { ...standard, pageHosts: undefined } }, 'standard.pageHosts', 'Name the hosts'],
])('%j is refused at %s, with what to do and without its secret', (content, place, advice) => {
  expect(() => readAll(content)).toThrow(`which is wrong at ${JSON.stringify(place)}; ${advice}`);
  expect(() => readAll(content)).not.toThrow(/s3cret/);
});

test('a description that is wrong inside its events is refused there', () => {
  const events = { ...presets.get('stripe')?.events, settlesWithin: 'soon' };
  const content = { acme: { ...stripe, use: undefined, description: { label: 'Acme', pageHosts: [], events } } };
  expect(() => readAll(content)).toThrow(
    'which is wrong at "acme.description.events.settlesWithin"; Give hours or days',
  );
});

test.each<[object, string, string, string]>([
  [
    { stripe: { ...stripe, signingSecretFiles: ['new', 'gone'] } },
    'gone',
    'signingSecretFiles.1',
    'which cannot be read',
  ],
  [{ stripe: { ...stripe, signingSecretFiles: ['empty'] } }, 'empty', 'signingSecretFiles.0', 'which is empty'],
  [{ stripe: { ...stripe, signingSecretFiles: ['short'] } }, 'short', 'signingSecretFiles.0', 'which has 6 bytes'],
  [{ stripe: { ...stripe, keyFile: 'gone' } }, 'gone', 'keyFile', 'which cannot be read'],
  [{ stripe: { ...stripe, keyFile: 'two-lines' } }, 'two-lines', 'keyFile', 'which is no key of an API'],
  [{ stripe: { ...stripe, keyFile: 'stripe-test-key' } }, 'stripe-test-key', 'keyFile', 'which is of the test mode'],
  [{ stripe: { ...stripe, live: false } }, 'stripe-key', 'keyFile', 'which is of the live mode'],
  [{ stripe: { ...adyen, signingSecretFiles: ['new'] } }, 'new', 'signingSecretFiles.0', 'which is not written in hex'],
  [{ stripe: { ...standard, signingSecretFiles: ['new'] } }, 'new', 'signingSecretFiles.0', 'not written in base64'],
  [{ stripe: { ...docusignApi, keyFile: 'short' } }, 'short', 'keyFile', 'which is no private key in PEM'],
])('%j is refused by the path of its file %s, at %s', (content, name, place, finding) => {
  const where = `${path.join(folder, name)} at "stripe.${place}", `;
  expect(() => readAll(content)).toThrow(where);
  expect(() => readAll(content)).toThrow(finding);
  expect(() => readAll(content)).not.toThrow(/s3cret|_0123456789/);
});
