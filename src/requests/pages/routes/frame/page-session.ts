import { parseCookie } from 'cookie';
import type { CookieOptions, Request } from 'express';
import { isAntiForgeryValue } from '#platform/crypto/anti-forgery';
import { sha256Hex } from '#platform/crypto/digest';
import type { KeyRing } from '#platform/crypto/key-ring';
import { Problem } from '#platform/model/problem';

/**
 * The cookie of one hosted page in one browser. Lax, since people come from links elsewhere; every change needs an
 * anti-forgery value as well.
 */
export function pageCookie(publicUrl: string, elicitation: string): { name: string; options: CookieOptions } {
  const secure = publicUrl.startsWith('https:');
  const tag = sha256Hex(elicitation).slice(0, 12);
  return {
    name: `${secure ? '__Host-' : ''}assentry-page-${tag}`,
    options: { httpOnly: true, secure, sameSite: 'lax', path: '/' },
  };
}

/** The browser's secret, or null if it has none. */
export function pageSecret({ headers }: Request, cookieName: string): string | null {
  const secret = parseCookie(headers.cookie ?? '')[cookieName];
  return secret !== undefined && /^[A-Za-z0-9_-]{43}$/.test(secret) ? secret : null;
}

/** Does this browser keep no cookies? A form that another site sends has none either, and is refused as forged. */
export const keepsNoCookies = ({ headers }: Pick<Request, 'headers'>, secret: string | null): boolean =>
  secret === null && isOfOwnSite(headers);

const isOfOwnSite = ({ 'sec-fetch-site': site = 'none' }: Request['headers']): boolean =>
  site === 'same-origin' || site === 'none';

/** Refuses a form that its own page did not send: foreign sites have neither the secret nor its anti-forgery value. */
export function refuseForgery(
  ring: KeyRing,
  { headers }: Request,
  { secret, proof, elicitation }: { secret: string | null; proof: string; elicitation: string },
): string {
  if (isOfOwnSite(headers) && secret !== null && isAntiForgeryValue(ring, proof, secret, elicitation)) return secret;
  throw new Problem('cross-site', { detail: 'Open the page again and send its form: this one came from elsewhere.' });
}
