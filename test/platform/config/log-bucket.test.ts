import { expect, test } from '@jest/globals';
import type { Environment } from '#platform/config/env';
import { readLogBucket } from '#platform/config/heads';

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const key = { ASSENTRY_LOG_BUCKET_KEY: `AKIAEXAMPLE:${secret}` };
const both = { ASSENTRY_LOG_BUCKET: 'https://s3.eu-central-1.amazonaws.com/bucket/heads/', ...key };

test('without address and key there is none; with both copies are locked for a year', () => {
  expect(readLogBucket({})).toBeNull();
  expect(readLogBucket(both)).toEqual({
    url: 'https://s3.eu-central-1.amazonaws.com/bucket/heads',
    region: null,
    accessKeyId: 'AKIAEXAMPLE',
    secretAccessKey: secret,
    days: 365,
  });
});

test('region and days can be said, and the server can be on this machine', () => {
  const own = { ASSENTRY_LOG_BUCKET: 'http://127.0.0.1:9000/heads', ASSENTRY_LOG_BUCKET_REGION: 'eu-1' };
  expect(readLogBucket({ ...both, ...own, ASSENTRY_LOG_BUCKET_DAYS: '3650' })).toMatchObject({
    url: 'http://127.0.0.1:9000/heads',
    region: 'eu-1',
    days: 3650,
  });
});

test.each<[string, Environment]>([
  ['ASSENTRY_LOG_BUCKET', key],
  ['ASSENTRY_LOG_BUCKET', { ...both, ASSENTRY_LOG_BUCKET: 'bucket' }],
  ['ASSENTRY_LOG_BUCKET', { ...both, ASSENTRY_LOG_BUCKET: 'http://s3.example.com/bucket' }],
  ['ASSENTRY_LOG_BUCKET', { ...both, ASSENTRY_LOG_BUCKET: 'https://s3.example.com/bucket?a=1' }],
  ['ASSENTRY_LOG_BUCKET', { ...both, ASSENTRY_LOG_BUCKET: `https://id:${secret.slice(14)}@s3.example.com/bucket` }],
  ['ASSENTRY_LOG_BUCKET_KEY', { ASSENTRY_LOG_BUCKET: both.ASSENTRY_LOG_BUCKET }],
  ['ASSENTRY_LOG_BUCKET_KEY', { ...both, ASSENTRY_LOG_BUCKET_KEY: secret }],
  ['ASSENTRY_LOG_BUCKET_REGION', { ...both, ASSENTRY_LOG_BUCKET_REGION: 'EU 1' }],
  ['ASSENTRY_LOG_BUCKET_DAYS', { ...both, ASSENTRY_LOG_BUCKET_DAYS: '0' }],
])('%s is refused in %j, without repeating the secret', (name, environment) => {
  const read = () => readLogBucket(environment);
  expect(read).toThrowProblem('config-invalid');
  expect(read).toThrow(new RegExp(`^${name}: found `));
  expect(read).not.toThrow(secret.slice(14));
});
