import type { CookieOptions } from 'express';
import { challengeLife } from '../../model/passkey.ts';

/** The cookie in which a browser keeps that accounts have signed in with it. It opens nothing. */
export function deviceCookie(publicUrl: string): { name: string; options: CookieOptions } {
  const { name, options } = sessionCookie(publicUrl);
  return { name: `${name}-device`, options: { ...options, maxAge: deviceLifeMs } };
}

/** The cookie that binds a challenge to the browser in which someone begins to sign in. */
export function challengeCookie(publicUrl: string): { name: string; options: CookieOptions } {
  const { name, options } = sessionCookie(publicUrl);
  return { name: `${name}-passkey`, options: { ...options, maxAge: challengeLife } };
}

const deviceLifeMs = 365 * 86_400_000;

/** The cookie of a signed-in browser. Plain http is for loopback only, where `__Host-` cannot be set. */
export function sessionCookie(publicUrl: string): { name: string; options: CookieOptions } {
  const secure = publicUrl.startsWith('https:');
  return {
    name: secure ? '__Host-assentry' : 'assentry',
    options: { httpOnly: true, secure, sameSite: 'strict', path: '/' },
  };
}
