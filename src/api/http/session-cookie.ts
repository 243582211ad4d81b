import type { CookieOptions } from 'express';

/** The cookie of a signed-in browser. Plain http is for loopback only, where `__Host-` cannot be set. */
export function sessionCookie(publicUrl: string): { name: string; options: CookieOptions } {
  const secure = publicUrl.startsWith('https:');
  return {
    name: secure ? '__Host-assentry' : 'assentry',
    options: { httpOnly: true, secure, sameSite: 'strict', path: '/' },
  };
}
