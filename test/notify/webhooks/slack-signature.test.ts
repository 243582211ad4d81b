import { expect, test } from '@jest/globals';
import { isFromSlack, type SignedDelivery } from '#notify/chat/slack/slack';

// The worked example of Slack's own documentation.
const secret = '8f742231b10e8888abcd99yyyzzz85a5';
const body = Buffer.from(
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
);
const delivery: SignedDelivery = {
  timestamp: '1531420618',
  signature: 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  body,
};
const sent = 1_531_420_618_000;

test.each([0, 300_000, -300_000])('what Slack signed counts %d ms later', (after) => {
  expect(isFromSlack(secret, delivery, sent + after)).toBe(true);
});

test.each<[string, Partial<SignedDelivery>, number]>([
  ['over five minutes late', {}, 301_000],
  ['over five minutes early', {}, -301_000],
  ['another byte', { body: Buffer.concat([body, Buffer.from('&')]) }, 0],
  ['another time', { timestamp: '1531420619' }, 0],
  ['a time that is none', { timestamp: '1531420618 ' }, 0],
  ['no time', { timestamp: undefined }, 0],
  ['no signature', { signature: undefined }, 0],
  ['an empty signature', { signature: '' }, 0],
  ['another version', { signature: delivery.signature?.replace('v0', 'v1') }, 0],
  ['half a signature', { signature: delivery.signature?.slice(0, 35) }, 0],
])('with %s it does not', (_name, parts, after) => {
  expect(isFromSlack(secret, { ...delivery, ...parts }, sent + after)).toBe(false);
});

test("another app's secret does not open it", () => {
  expect(isFromSlack(secret.replace('8', '9'), delivery, sent)).toBe(false);
});
