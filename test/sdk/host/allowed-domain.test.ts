import { describe, expect, test } from '@jest/globals';
import { isAllowedAddress, readDomains } from '#sdk/host/options';

const domains = readDomains(['login.example.com', '*.trusted.org', 'xn--bcher-kva.example', '[::1]', '127.0.0.1']);

describe('an address', () => {
  test.each([
    'https://login.example.com/authorize?client=1',
    'https://LOGIN.example.COM:8443/',
    'https://a.trusted.org/',
    'https://a.b.trusted.org/',
    'https://xn--bcher-kva.example/',
    'https://bücher.example/',
    'http://[::1]:4000/',
    'http://127.0.0.1:4000/',
    'http://2130706433/', // another spelling of 127.0.0.1
  ])('%s is allowed', (url) => {
    expect(isAllowedAddress(new URL(url), domains)).toBe(true);
  });

  test.each([
    'https://example.com/',
    'https://other.example.com/',
    'https://login.example.com.evil.net/',
    'https://evil-login.example.com/',
    'https://login.example.com./',
    'https://login.example.com@evil.net/',
    'https://evil.net\\@login.example.com/',
    'https://evil.net/login.example.com',
    'https://trusted.org/',
    'https://.trusted.org/',
    'https://eviltrusted.org/',
    'https://login.exаmple.com/', // a Cyrillic letter
    'javascript:alert(1)//login.example.com',
    'file:///etc/passwd',
    'data:text/html,login.example.com',
  ])('%s is not allowed', (url) => {
    expect(isAllowedAddress(new URL(url), domains)).toBe(false);
  });

  test('is not allowed if no domain is named', () => {
    expect(isAllowedAddress(new URL('https://login.example.com/'), [])).toBe(false);
  });
});

describe('a domain that is not one', () => {
  test.each([
    '',
    '*',
    '*.',
    '.',
    'https://example.com',
    'example.com/path',
    'example.com:443',
    'example.com:8443',
    'user@example.com',
    'login.*.com',
    '**.example.com',
    'a b.com',
    'example.com?x',
    'example.com#x',
    '*.Trusted.org',
    'bücher.example',
    '2130706433',
  ])('such as %j stops the start', (domain) => {
    expect(() => readDomains([domain])).toThrowProblem('config-invalid');
  });
});
