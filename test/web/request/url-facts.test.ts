import { expect, test } from '@jest/globals';
import { describeUrl } from '../../../web/src/pages/request/words/url-facts.ts';

test.each([
  ['https://calendar.example/authorize', 'calendar.example', []],
  ['https://xn--pypal-4ve.example/', 'xn--pypal-4ve.example', ['punycode']],
  ['https://pаypal.example/', 'xn--pypal-4ve.example', ['punycode']],
  ['http://calendar.example/', 'calendar.example', ['not-https']],
  ['https://bank.example@evil.example/', 'evil.example', ['user-info']],
  ['https://198.51.100.7/', '198.51.100.7', ['address-host']],
  ['https://[2001:db8::1]:8443/', '[2001:db8::1]:8443', ['address-host', 'port']],
  ['javascript:alert(1)', '', ['not-https']],
  ['no address', null, []],
])('%s goes to %s with %j', (url, host, warnings) => {
  expect(describeUrl(url)).toEqual({ host, warnings });
});
