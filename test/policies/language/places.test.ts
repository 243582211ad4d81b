import { describe, expect, test } from '@jest/globals';
import { compileCondition } from '#policies/language/rules/expression';
import { inFolder, onSite } from '#policies/language/rules/cel';

describe('a path is in a folder', () => {
  test.each([
    ['/srv/a/b.txt', '/srv/a'],
    ['/srv/a', '/srv/a'],
    ['/srv/a/./b//c', '/srv/a'],
    ['/srv/a/..hidden', '/srv/a'],
    ['/srv/a/100%', '/srv/a'],
    ['/srv/a/notes.txt~', '/srv/a'],
    ['/srv/ä/b', '/srv/ä'],
    ['C:\\work\\a\\b.txt', 'C:\\work\\a'],
    ['c:/work/a/b.txt', 'C:\\work\\a'],
  ])('%s in %s', (path, folder) => {
    expect(inFolder(path, folder)).toBe(true);
  });

  test.each([
    ['of the same beginning', '/srv/ab', '/srv/a'],
    ['of the same beginning with more', '/srv/a-secret/b', '/srv/a'],
    ['above', '/srv', '/srv/a'],
    ['of another case', '/SRV/a/b', '/srv/a'],
    ['that leads out', '/srv/a/../b', '/srv/a'],
    ['that leads out and back, past a link perhaps', '/srv/a/link/../b', '/srv/a'],
    ['that leads out at its end', '/srv/a/..', '/srv/a'],
    ['that some systems cut to ..', '/srv/a/.. /b', '/srv/a'],
    ['of three dots', '/srv/a/.../b', '/srv/a'],
    ['with an escaped ..', '/srv/a/%2e%2E/b', '/srv/a'],
    ['with an escaped slash', '/srv/a/..%2fb', '/srv/a'],
    ['with a backslash', '/srv/a/..\\b', '/srv/a'],
    ['with a U+0000', '/srv/a/b\0/../../c', '/srv/a'],
    ['with a line end', '/srv/a/b\n/etc', '/srv/a'],
    ['of another host', '//srv/a/b', '/srv/a'],
    ['relative', 'srv/a/b', '/srv/a'],
    ['of the home directory', '~/a/b', '/home/ada/a'],
    ['as an address', 'file:///srv/a/b', '/srv/a'],
    ['empty', '', '/srv/a'],
    ['too long', `/srv/a/${'b'.repeat(5_000)}`, '/srv/a'],
    ['in other letters that look the same', '/srv/а/b', '/srv/a'],
    ['of another disk', 'D:\\work\\a\\b', 'C:\\work\\a'],
    ['with a stream', 'C:\\work\\a\\b.txt:secret', 'C:\\work\\a'],
    ['with a dot that Windows drops', 'C:\\work\\a\\b.', 'C:\\work\\a'],
    ['that leads out on Windows', 'C:\\work\\a\\..\\b', 'C:\\work\\a'],
    ['by a short name of Windows', 'C:\\work\\a\\GIT~1\\config', 'C:\\work\\a'],
    ['by a short name of Windows on a mounted disk', '/srv/a/git~12/config', '/srv/a'],
    ['with a hidden character, which macOS ignores', '/srv/a/\u200c.git/config', '/srv/a'],
    ['past the names of Windows', '\\\\?\\C:\\work\\a\\b', 'C:\\work\\a'],
  ])('not one %s', (_what, path, folder) => {
    expect(inFolder(path, folder)).toBe(false);
  });
});

describe('an address is on a site', () => {
  test.each([
    ['https://good.example', 'https://good.example'],
    ['https://good.example/a?b=c#d', 'https://good.example'],
    ['https://good.example?a', 'https://good.example'],
    ['http://localhost:3000/a@b', 'http://localhost:3000'],
  ])('%s on %s', (address, site) => {
    expect(onSite(address, site)).toBe(true);
  });

  test.each([
    ['with a name before an @', 'https://good.example@evil.example/'],
    ['with a name and a password', 'https://good.example:x@evil.example/'],
    ['with a backslash before an @', 'https://good.example\\@evil.example/'],
    ['of a host that only begins so', 'https://good.example.evil.example/'],
    ['of a host that only ends so', 'https://evilgood.example/'],
    ['below it', 'https://evil.good.example/'],
    ['of another scheme', 'http://good.example/'],
    ['of a script', 'javascript:fetch("https://good.example/")'],
    ['of another port', 'https://good.example:8443/'],
    ['with a port of its own', 'https://good.example:443/'],
    ['of another case', 'https://GOOD.example/'],
    ['with an escaped letter', 'https://%67ood.example/'],
    ['with wide letters', 'https://ｇood.example/'],
    ['with a dot at its end', 'https://good.example./'],
    ['with a space before it', ' https://good.example/'],
    ['with a line end in it', 'https://good.exa\nmple/'],
    ['with one slash', 'https:/good.example/'],
    ['with three slashes', 'https:///good.example/'],
    ['without a scheme', '//good.example/'],
    ['empty', ''],
    ['too long', `https://good.example/${'a'.repeat(9_000)}`],
  ])('not one %s', (_what, address) => {
    expect(onSite(address, 'https://good.example')).toBe(false);
  });
});

describe('a condition names its place', () => {
  test.each([
    ['inFolder(request.args.path, "/")', 'not a whole disk'],
    ['inFolder(request.args.path, "C:\\\\")', 'not a whole disk'],
    ['inFolder(request.args.path, "work/a")', 'absolute folder'],
    ['inFolder(request.args.path, "/work/../a")', 'absolute folder'],
    ['inFolder(request.args.path, "/work/")', 'without a slash'],
    ['inFolder(request.args.path, request.args.root)', 'literal text'],
    ['onSite(request.args.url, "example.com")', 'scheme and host'],
    ['onSite(request.args.url, "https://example.com/")', 'scheme and host'],
    ['onSite(request.args.url, "https://Example.com")', 'scheme and host'],
    ['onSite(request.args.url, "ftp://example.com")', 'scheme and host'],
    ['onSite(request.args.url, request.args.site)', 'literal text'],
  ])('%s is refused', (text, fix) => {
    expect(compileCondition(text, 'request')).toMatchObject({ ok: false, message: expect.stringContaining(fix) });
  });

  test.each([
    ['inFolder(request.args.path, "/srv/a")', true],
    ['has(request.args.url) && onSite(request.args["url"], "https://good.example")', true],
    ['request.args.to.iban == "DE02"', true],
    ['"DE02" == request.args.to', true],
    ['request.args.amount <= 100', true],
    ['request.args.branch in ["main", "next"]', true],
    ['request.args.a == "x" || inFolder(request.args.path, "/srv/a")', false],
    ['!inFolder(request.args.path, "/srv/a")', false],
    ['request.args.amount >= 100', false],
    ['request.args.force == false', false],
    ['request.args.path == ""', false],
    ['request.args.path == request.args.root', false],
    ['request.args[request.args.key] == "x"', false],
    ['request.args.path in request.args.paths', false],
    ['request.args.path.startsWith("/srv/a")', false],
    ['re2(request.args.path, ".*")', false],
    ['has(request.args.path)', false],
    ['requester.subject == "ada"', false],
  ])('%s limits an argument to few values: %s', (text, isNarrow) => {
    expect(compileCondition(text, 'request')).toMatchObject({ ok: true, condition: { isNarrow } });
  });
});
