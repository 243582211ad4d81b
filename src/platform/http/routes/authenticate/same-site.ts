import type { Request } from 'express';
import { Problem } from '../../../model/problem/problem.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a change that a foreign page sends. Browsers say where a request comes from; otherwise the request must name
 * our own origin.
 */
export function assertSameSite({ method, headers }: Request, publicUrl: string): void {
  if (safeMethods.has(method)) return;
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return;
  if (site !== undefined && site !== 'none') throw new Problem('cross-site');
  if (!isOurs(headers.origin, headers.host, publicUrl)) throw new Problem('cross-site');
}

function isOurs(origin: string | undefined, host: string | undefined, publicUrl: string): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const [page, own] = [new URL(origin), new URL(publicUrl)];
  if (page.origin === own.origin) return true;
  // Assentry may have another name, but never accepts a page that was sent without TLS.
  const isWeaker = own.protocol === 'https:' && page.protocol !== 'https:';
  return page.host === host && !isWeaker;
}
