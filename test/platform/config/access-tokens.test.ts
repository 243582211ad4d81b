import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { readTokenSources } from '#platform/config/serving';
import { newFolder } from '../../support/new-folder.ts';

const fileOf = (text: string): string => {
  const file = path.join(newFolder('tokens'), 'tokens.json');
  writeFileSync(file, text);
  return file;
};
const read = (content: unknown) => readTokenSources({ ASSENTRY_ACCESS_TOKENS: fileOf(JSON.stringify(content)) });

const base = { issuer: 'https://id.example.com', audience: 'https://mcp.example.com' };
const byKeys = { ...base, jwks: 'https://id.example.com/jwks' };
const byWord = { ...base, introspection: 'https://id.example.com/in', clientId: 'a', clientSecret: 's3cret' };

test('without the file no one checks tokens', () => {
  expect(readTokenSources({})).toEqual({});
});

test('each server has keys or introspection', () => {
  const sources = read({ payments: byKeys, files: { ...byWord, audience: ['https://a.example.com', base.audience] } });
  expect(sources).toEqual({
    payments: { ...byKeys, audience: [base.audience] },
    files: { ...byWord, audience: ['https://a.example.com', base.audience] },
  });
});

test.each([
  [{ payments: { ...byKeys, jwks: 'http://id.example.com/jwks' } }],
  [{ payments: { ...byKeys, clientSecret: 's3cret' } }],
  [{ files: { ...byWord, clientSecret: undefined } }],
  [{ payments: base }],
  [[]],
])('%j is refused by the name of its file, without its secrets', (content) => {
  expect(() => read(content)).toThrow(/^ASSENTRY_ACCESS_TOKENS: found .*tokens\.json, which is wrong at/);
  expect(() => read(content)).not.toThrow(/s3cret/);
});

test('a file that is not JSON is refused', () => {
  expect(() => readTokenSources({ ASSENTRY_ACCESS_TOKENS: fileOf('{') })).toThrow(/cannot be read as JSON/);
});
