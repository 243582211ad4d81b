import { isOwnPath } from '#platform/model/own-path';

/** Where to go after signing in: a page of this console, or its start. A link must not lead anywhere else. */
export function safeNext(next: string | null): string {
  if (next === null || !isOwnPath(next)) return '/';
  const path = new URL(next, 'http://console.invalid').pathname;
  return ['/signin', '/setup', '/password', '/second-factor'].includes(path) ? '/' : next;
}

/** Is it a page of the server's own, which the console cannot show? */
export const isServerPage = (path: string): boolean => /^\/(?:e|go|credentials)\//.test(path);

/** The secret a one-time link carries behind the `#`, which no server ever sees. */
export function readFragment(hash: string): { link: string | null; next: string | null } {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  return { link: fragment.get('link'), next: fragment.get('next') };
}
