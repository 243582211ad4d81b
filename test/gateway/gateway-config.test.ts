import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { readGatewayConfig } from '#gateway/config';
import type { Problem } from '#platform/model/problem';
import { newFolder } from '../support/new-folder.ts';

const env = { TOKEN: 'a secret' };
const faultOf = (text: string): string => {
  try {
    readGatewayConfig(text, env);
    return '';
  } catch (error) {
    return `${(error as Problem).code}: ${(error as Problem).message}`;
  }
};
const upstream = (more: string): string => `upstreams:\n  files:\n    url: https://files.example.com/mcp\n    ${more}`;

const plain = upstream('timeout: 1');
const ownToken = 'endpoint: https://id.example.com/token, clientId: gate, clientSecret: { env: TOKEN }';
const guarded = (more: string): string => `authorization: { issuer: https://id.example.com, ${more} }\n${plain}`;

const checking = (more: string): string =>
  `authorization: { issuer: https://id.example.com, jwks: https://id.example.com/jwks, sendAccessToken: true }\n${upstream(more)}`;

test('a configuration is read with its defaults, and with secrets from the environment', () => {
  const config = readGatewayConfig(upstream('headers: { Authorization: { env: TOKEN } }'), env);
  expect(config).toEqual({
    host: '127.0.0.1',
    port: 4800,
    maxAnswers: 64,
    url: undefined,
    authorization: null,
    upstreams: [
      {
        name: 'files',
        url: 'https://files.example.com/mcp',
        headers: { authorization: 'a secret' },
        token: undefined,
        reaches: 'https://files.example.com/mcp',
        key: undefined,
        timeout: 300_000,
        calls: 5_000,
        sharePerCaller: 1,
        size: 33_554_432,
        allowMethods: [],
        allowMeta: [],
        describeHeld: false,
      },
    ],
  });
});

test('people are known by tokens, and secrets are read from variables or files', () => {
  const file = path.join(newFolder('assentry-gateway'), 'secret');
  writeFileSync(file, 'in a file\n');
  const parts = `introspection: https://id.example.com/in, clientId: gate, clientSecret: { file: ${file} }`;
  const { authorization } = readGatewayConfig(guarded(`${parts}, sessionSecret: { env: TOKEN }`), env);
  expect(authorization).toEqual({
    source: {
      issuer: 'https://id.example.com',
      introspection: 'https://id.example.com/in',
      clientId: 'gate',
      clientSecret: 'in a file',
    },
    scopes: [],
    sessionSecret: 'a secret',
    sendAccessToken: false,
  });
});

test.each([
  ['per-person', { header: 'authorization', prefix: 'Bearer ' }],
  ['{ header: X-Api-Key }', { header: 'x-api-key', prefix: '' }],
  ['{ header: Authorization, scheme: Token }', { header: 'authorization', prefix: 'Token ' }],
  ['{ connect: github }', { header: 'authorization', prefix: 'Bearer ', account: { provider: 'github', scopes: [] } }],
  [
    '{ connect: github, scopes: [repo] }',
    { header: 'authorization', prefix: 'Bearer ', account: { provider: 'github', scopes: ['repo'] } },
  ],
])('credentials of each person are sent as %s says', (text, manner) => {
  expect(readGatewayConfig(checking(`credentials: ${text}`), env).upstreams).toMatchObject([{ credentials: manner }]);
});

test('an upstream’s own token has its endpoint, and a secret from elsewhere', () => {
  const token = 'endpoint: https://id.example.com/token, clientId: gate, clientSecret: { env: TOKEN }, scope: a b';
  const { upstreams } = readGatewayConfig(upstream(`token: { ${token} }`), env);
  expect(upstreams).toMatchObject([
    {
      token: {
        endpoint: 'https://id.example.com/token',
        clientId: 'gate',
        clientSecret: 'a secret',
        parameters: { scope: 'a b' },
        for: 'gateway',
      },
    },
  ]);
});

test('a command gets what a program needs, and of the other variables only those it is given', () => {
  const text = 'upstreams: { notes: { command: node, args: [notes.js], env: { KEY: { env: TOKEN }, MODE: plain } } }';
  const { upstreams } = readGatewayConfig(text, { ...env, PATH: '/bin', OTHER: 'another secret' });
  expect(upstreams).toEqual([
    {
      allowMethods: [],
      allowMeta: [],
      describeHeld: false,
      name: 'notes',
      command: 'node',
      args: ['notes.js'],
      env: { PATH: '/bin', KEY: 'a secret', MODE: 'plain' },
      reaches: `MODE=plain node ${path.resolve('notes.js')}`,
      key: undefined,
      timeout: 300_000,
      idle: 1_800_000,
      size: 33_554_432,
      calls: 5_000,
      sharePerCaller: 1,
      sessions: 50,
    },
  ]);
});

test.each([
  ['nothing', '', 'It: '],
  ['no upstream', 'upstreams: {}', 'upstreams: Name at least one upstream.'],
  ['an unknown member', upstream('hedaers: {}'), 'upstreams.files: Unrecognized key: "hedaers"'],
  ['an unknown member at the top', `prot: 1\n${upstream('timeout: 1')}`, 'It: Unrecognized key: "prot"'],
  ['a name that is none', 'upstreams: { "a/b": { url: "https://a.example.com" } }', 'upstreams.a/b'],
  [
    'a name that ends elsewhere',
    'upstreams: { a__b: { url: "https://a.example.com" } }',
    'upstreams.a__b: Write no two',
  ],
  ['http to elsewhere', 'upstreams: { a: { url: "http://a.example.com/mcp" } }', 'upstreams.a.url: Use https'],
  ['another scheme', 'upstreams: { a: { url: "file:///etc/passwd" } }', 'upstreams.a.url'],
  [
    'a variable that is not set',
    upstream('headers: { a: { env: NONE } }'),
    'upstreams.files.headers.a: Set the variable',
  ],
  ['a command and an address', upstream('command: node'), 'upstreams.files: Unrecognized key: "url"'],
  ['a process that may not be', 'upstreams: { a: { command: a, sessions: 0 } }', 'upstreams.a.sessions'],
  [
    'secrets in the file itself',
    guarded('clientSecret: s3cret, introspection: "https://i.example.com"'),
    'clientSecret: Give { env',
  ],
  [
    'an issuer that is none',
    `authorization: { issuer: id, jwks: "https://i.example.com" }\n${plain}`,
    'authorization.issuer: Give',
  ],
  [
    'keys that anyone on the way can change',
    guarded('jwks: "http://i.example.com/jwks"'),
    'authorization.jwks: Use https',
  ],
  ['an address with a path', `url: https://a.example.com/mcp\n${plain}`, 'url: Give scheme, host and port'],
  [
    'an open address that no one can name',
    `host: 0.0.0.0\n${guarded('jwks: "https://i.example.com"')}`,
    'url: Give the address',
  ],
  ['credentials of no one in particular', checking('credentials: all'), 'files.credentials: Write per-person'],
  ['credentials without a form', checking('credentials: {}'), 'files.credentials: Write per-person'],
  ['credentials in a list', checking('credentials: [per-person]'), 'files.credentials: Write per-person'],
  [
    'a provider that is none',
    checking('credentials: { connect: Git Hub }'),
    'files.credentials.connect: Use small letters',
  ],
  [
    'a scope that is none',
    checking('credentials: { connect: github, scopes: [repo, a b] }'),
    'files.credentials.scopes.1: Give a scope',
  ],
  [
    'a secret next to an account',
    checking('credentials: { connect: github, header: X-Key }'),
    'files.credentials: Unrecognized key: "header"',
  ],
  ['a scheme of two words', checking('credentials: { header: X-Key, scheme: a b }'), 'files.credentials.scheme: Give'],
  [
    'accounts of people whom no one checks',
    upstream('credentials: { connect: github }'),
    'files.credentials: Set auth',
  ],
  [
    'an account in the place of a token',
    checking(`credentials: { connect: github }\n    token: { ${ownToken} }`),
    'files.credentials: Leave out',
  ],
  ['credentials of people whom no one checks', upstream('credentials: per-person'), 'files.credentials: Set auth'],
  [
    'credentials of people whom Assentry cannot check',
    checking('credentials: per-person').replace('sendAccessToken: true', 'sendAccessToken: false'),
    'files.credentials: Set auth',
  ],
  [
    'credentials in a header that has another value',
    checking('credentials: { header: X-Key }\n    headers: { X-Key: x }'),
    'files.credentials: Leave out',
  ],
  [
    'credentials in the place of a token',
    checking(`credentials: per-person\n    token: { ${ownToken} }`),
    'files.credentials: Leave out',
  ],
  [
    'credentials for a program',
    'upstreams: { files: { command: node, credentials: per-person } }',
    'files.credentials: Use env',
  ],
  [
    'a token of no requester',
    upstream(`token: { ${ownToken}, for: requester }`),
    'upstreams.files.token.for: Set auth',
  ],
  [
    'two credentials',
    upstream(`token: { ${ownToken} }\n    headers: { authorization: x }`),
    'token: Leave out headers',
  ],
  ['an address that others reach', `host: 0.0.0.0\n${upstream('timeout: 1')}`, 'host: Name a loopback address'],
  ['a header that ends the line', upstream('headers: { "a\\r\\nb": c }'), 'upstreams.files.headers'],
  ['no YAML', 'upstreams: [', ''],
])('with %s nothing starts', (_, text, fault) => {
  expect(faultOf(text)).toMatch(/^config-invalid: Correct the configuration of the gateway\./);
  expect(faultOf(text)).toContain(fault);
});
