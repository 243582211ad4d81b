import { expect, test } from '@jest/globals';
import { deceptionsIn, describeUrl, splitAddress } from '../../../web/src/pages/request/words/url-facts.ts';

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

test.each([
  ['https://hooks.xn--pple-43d.com/x', ['punycode']],
  ['https://аpple.com/x', ['punycode']],
  ['https://bank.com@evil.example/x', ['user-info']],
  ['someone@xn--pple-43d.com', ['punycode']],
  ['http://10.0.0.1:8080/x', []],
  ['http://2130706433/admin', ['number-host']],
  ['http://0x7f.1/admin', ['number-host']],
  ['http://[2001:DB8::1]/', []],
  ['plain text', []],
])('%s may pass for another host by %j', (text, deceptions) => {
  expect(deceptionsIn(text)).toEqual(deceptions);
});

test('an address falls into what stands before its host, the host, and the rest', () => {
  expect(splitAddress('https://a:b@h.example:8/x?y=1')).toEqual({
    before: 'https://a:b@',
    host: 'h.example:8',
    after: '/x?y=1',
  });
  expect(splitAddress('no address')).toBeNull();
});
