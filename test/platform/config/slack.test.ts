import { expect, test } from '@jest/globals';
import type { Environment } from '#platform/config/env';
import { readSlack } from '#notify/chat/slack/slack';

const token = 'xoxb-1234567890-abcdefghij';
const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5';
const both = { ASSENTRY_SLACK_TOKEN: token, ASSENTRY_SLACK_SIGNING_SECRET: signingSecret };

test('without Slack there is none, and with both secrets it is the real one', () => {
  expect(readSlack({})).toBeNull();
  expect(readSlack(both)).toEqual({ token, signingSecret, apiUrl: 'https://slack.com/api/' });
});

test.each([
  ['https://slack-gov.com/api', 'https://slack-gov.com/api/'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/'],
  ['http://[::1]:8080/api/', 'http://[::1]:8080/api/'],
])('its API may be at %s', (text, apiUrl) => {
  expect(readSlack({ ...both, ASSENTRY_SLACK_API_URL: text })).toMatchObject({ apiUrl });
});

test.each<[string, Environment]>([
  ['ASSENTRY_SLACK_SIGNING_SECRET', { ASSENTRY_SLACK_TOKEN: token }],
  ['ASSENTRY_SLACK_TOKEN', { ASSENTRY_SLACK_SIGNING_SECRET: signingSecret }],
  ['ASSENTRY_SLACK_TOKEN', { ...both, ASSENTRY_SLACK_TOKEN: 'xoxp-1234567890-of-a-person' }],
  ['ASSENTRY_SLACK_TOKEN', { ...both, ASSENTRY_SLACK_TOKEN: `${token}\n` }],
  ['ASSENTRY_SLACK_SIGNING_SECRET', { ...both, ASSENTRY_SLACK_SIGNING_SECRET: 'tooshortasecret' }],
  ['ASSENTRY_SLACK_API_URL', { ...both, ASSENTRY_SLACK_API_URL: 'http://slack.example.com/api/' }],
  ['ASSENTRY_SLACK_API_URL', { ...both, ASSENTRY_SLACK_API_URL: 'https://slack.com/api/?a=1' }],
  ['ASSENTRY_SLACK_API_URL', { ASSENTRY_SLACK_API_URL: 'slack' }],
])('%s is refused in %j, without repeating a secret', (name, environment) => {
  const read = () => readSlack(environment);
  expect(read).toThrowProblem('config-invalid');
  expect(read).toThrow(new RegExp(`^${name}: found `));
  const secrets = [environment.ASSENTRY_SLACK_TOKEN, environment.ASSENTRY_SLACK_SIGNING_SECRET];
  for (const secret of secrets) if (secret) expect(read).not.toThrow(secret);
});
