import { expect, test } from '@jest/globals';
import { deceptionsIn, describeUrl, splitAddress } from '../../../web/src/requests/decide/url-facts.ts';

test.each([
  ['https://calendar.example/authorize', 'calendar.example', []],
  ['https://xn--pypal-4ve.example/', 'xn--pypal-4ve.example', ['punycode']],
  ['https://pаypal.example/', 'xn--pypal-4ve.example', ['punycode']],
  ['http://calendar.example/', 'calendar.example', ['not-https']],
  ['https://bank.example@evil.example/', 'evil.example', ['user-info']],
  ['https://198.51.100.7/', '198.51.100.7', ['address-host']],
  ['https://[2001:db8::1]:8443/', '[2001:db8::1]:8443', ['address-host', 'port']],
  ['javascript:alert(1)', '', ['not-https']],
  ['https://evil.example\\.bank.example/', 'evil.example', ['ambiguous']],
  ['no address', null, []],
])('%s goes to %s with %j', (url, host, warnings) => {
  expect(describeUrl(url)).toEqual({ host, warnings });
});

const ambiguous = { is: 'ambiguous' };
const punycode = { is: 'punycode' };
const userInfo = { is: 'user-info' };
const thisMachine = { is: 'number-host', host: '127.0.0.1' };

test.each([
  ['https://hooks.xn--pple-43d.com/x', [punycode]],
  ['https://аpple.com/x', [punycode]],
  ['https://bank.com@evil.example/x', [userInfo]],
  ['someone@xn--pple-43d.com', [punycode]],
  ['http://10.0.0.1:8080/x', []],
  ['http://2130706433/admin', [thisMachine]],
  ['http://0x7f.1/admin', [thisMachine]],
  ['http://0177.0.0.1/', [thisMachine]],
  ['http://[2001:DB8::1]/', []],
  ['https://evil.com\\.bank.example/pay', [ambiguous]],
  ['https://bank.example\\@evil.com/', [ambiguous]],
  ['https://bank.example%2F@evil.com/', [ambiguous, userInfo]],
  ['https://%65vil.com/', [ambiguous]],
  ['https://bank.example。evil.com/', [ambiguous]],
  ['https:evil.com/bank.example', [ambiguous]],
  ['https:/evil.com/x', [ambiguous]],
  ['https:///evil.com/x', [ambiguous]],
  ['//evil.com/bank.example', [ambiguous]],
  ['https://ba\tnk.evil.com/', [ambiguous]],
  ['https://bank.example\n.evil.com/', [ambiguous]],
  ['https://a@b@evil.com/', [ambiguous, userInfo]],
  ['HTTPS://BANK.EXAMPLE/', []],
  ['https://bank.example:443/a%20b?c=\\d', []],
  ['https://bücher.example/', [punycode]],
  ['postgres://app:p%40ss@db.internal/main', [userInfo]],
  ['file:///etc/passwd', []],
  ['mailto:ada@example.com', []],
  ['http: the protocol', []],
  ['// a comment. Really', []],
  ['curl https://bank.example@evil.com/', [userInfo]],
  ['see https://bank.example/ and http://2130706433/', [thisMachine]],
  ['open "https://evil.com\\.bank.example/pay" now', [ambiguous]],
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
  // No host stands out if it is not certain.
  expect(splitAddress('https://bank.example\\@evil.com/')).toBeNull();
});
