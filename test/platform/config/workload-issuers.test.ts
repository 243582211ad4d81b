import { expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readWorkloadIssuers } from '#platform/config/workload-issuers';
import { newFolder } from '../../support/new-folder.ts';

const read = async (value: unknown) => {
  const file = path.join(await newFolder('issuers'), 'issuers.json');
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  return () => readWorkloadIssuers({ ASSENTRY_WORKLOAD_ISSUERS: file });
};

test('each issuer has an address, and its tokens last an hour at most unless the file says otherwise', async () => {
  expect(readWorkloadIssuers({})).toEqual([]);
  const issuer = 'https://token.actions.githubusercontent.com';
  expect((await read([{ issuer }]))()).toEqual([{ issuer, longestLife: 3_600 }]);
});

test.each([
  ['not JSON', 'issuers'],
  ['without TLS', [{ issuer: 'http://id.example.com' }]],
  ['keys without TLS', [{ issuer: 'https://id.example.com', jwks: 'http://id.example.com/keys' }]],
  ['tokens of more than a day', [{ issuer: 'https://id.example.com', longestLife: 86_401 }]],
  ['one issuer twice', [{ issuer: 'https://id.example.com' }, { issuer: 'https://id.example.com' }]],
  ['another member', [{ issuer: 'https://id.example.com', audience: 'x' }]],
])('a file is refused by its name: %s', async (_what, value) => {
  expect(await read(value)).toThrow('ASSENTRY_WORKLOAD_ISSUERS');
});
