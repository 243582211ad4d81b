import { expect, test } from '@jest/globals';
import { readWebhooks } from '#platform/config/outlets';

test.each([
  [undefined, []],
  ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
])('webhooks reach the public network and, with %j, %j', (text, networks) => {
  expect(readWebhooks(text === undefined ? {} : { ASSENTRY_WEBHOOK_NETWORKS: text })).toEqual({ networks });
});

test.each(['10.0.0.1', 'hooks.example.com', '10.0.0.0/33', '10.0.0.0/8,', 'loopback'])('%s is no network', (text) => {
  expect(() => readWebhooks({ ASSENTRY_WEBHOOK_NETWORKS: text })).toThrowProblem('config-invalid');
});
