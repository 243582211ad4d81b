import { describe, expect, test } from '@jest/globals';
import type { Request } from 'express';
import { assertSameSite } from '#platform/http/routes/authenticate';

const own = 'https://approvals.example.com';
const host = 'approvals.example.com';

function isRefused(headers: Record<string, string>, { method = 'POST', publicUrl = own } = {}): boolean {
  const request = { method, headers: { host, ...headers } } as unknown as Request;
  try {
    assertSameSite(request, publicUrl);
    return false;
  } catch (error) {
    expect(error).toThrowProblem('cross-site');
    return true;
  }
}

const sites = [undefined, 'none', 'same-origin', 'same-site', 'cross-site', 'garbage', ''];
const origins = [undefined, own, 'https://evil.example', 'https://sub.approvals.example.com', 'null', '', 'file://'];
const matrix = sites.flatMap((site) => origins.map((origin) => ({ site, origin })));

describe('a change', () => {
  test.each(matrix)(
    'with Sec-Fetch-Site $site and Origin $origin passes only from our own pages',
    ({ site, origin }) => {
      const headers = {
        ...(site !== undefined && { 'sec-fetch-site': site }),
        ...(origin !== undefined && { origin }),
      };
      const isOurs = site === 'same-origin' || ((site === undefined || site === 'none') && origin === own);
      expect(isRefused(headers)).toBe(!isOurs);
    },
  );

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'FOO'])('by %s is looked at', (method) => {
    expect(isRefused({ origin: 'https://evil.example' }, { method })).toBe(true);
  });

  test('by the name the browser knows us by passes, where no other public address is known', () => {
    const headers = { host: 'localhost:4700', origin: 'http://localhost:4700' };
    expect(isRefused(headers, { publicUrl: 'http://127.0.0.1:4700' })).toBe(false);
    expect(isRefused({ ...headers, origin: 'http://localhost:4701' }, { publicUrl: 'http://127.0.0.1:4700' })).toBe(
      true,
    );
  });

  test('from a page that came unencrypted is refused where we are reached by https', () => {
    expect(isRefused({ origin: 'http://approvals.example.com' })).toBe(true);
    expect(isRefused({ origin: 'http://approvals.example.com', 'sec-fetch-site': 'none' })).toBe(true);
  });
});

test.each(['GET', 'HEAD', 'OPTIONS'])('reading by %s is not looked at: it changes nothing', (method) => {
  expect(isRefused({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, { method })).toBe(false);
});
