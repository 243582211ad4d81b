import type { CookieOptions, Response } from 'express';
import { attemptLifeMs } from '#access/oidc/verbs/sign-in';
import type { SignedInSession } from '#access/sign-in/verbs/sessions';
import { challengeLife } from '#access/passkeys/contract/types';

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

/** The cookie of a browser that was sent to an identity provider. The way back comes from there: so `lax`. */
export function attemptCookie(publicUrl: string): { name: string; options: CookieOptions } {
  const { name, options } = sessionCookie(publicUrl);
  return { name: `${name}-sign-in`, options: { ...options, sameSite: 'lax', maxAge: attemptLifeMs } };
}

export function keepSession(
  response: Response,
  { secret, expiresAt }: Pick<SignedInSession, 'secret' | 'expiresAt'>,
  publicUrl: string,
): void {
  const { name, options } = sessionCookie(publicUrl);
  response.cookie(name, secret, { ...options, expires: new Date(expiresAt) });
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
