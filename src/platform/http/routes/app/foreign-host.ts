import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { routes, type RouteAuth, type RouteContract } from '../../contract/openapi/routes.ts';
import { Problem } from '../../../model/problem/problem.ts';

/** Called by supervisors under whatever name they know the node by. */
const forEveryName = new Set(['/healthz', '/readyz']);

/**
 * Refuses a browser that reached us under a name that is not ours, which another site may have made lead here. Programs
 * that bring a credential use any name, where that credential alone is read: no browser sends it for them, and no cookie counts.
 */
export const refuseForeignHost =
  (publicUrl: () => string): RequestHandler =>
  ({ headers, method, path }, _response, next) => {
    const isOfProgram = headers.authorization !== undefined && isForPrograms(method, path);
    if (!isOfProgram && !forEveryName.has(path) && !isOwn(headers.host, publicUrl()))
      throw new Problem('cross-site', { detail });
    next();
  };

const programAuth: readonly RouteAuth[] = ['key', 'scim', 'operator', 'session-or-token', 'connector'];

const forPrograms = Object.values<RouteContract>(routes).filter(({ auth }) => programAuth.includes(auth));
const doors = forPrograms.map(({ method, path, isDeep }) => ({
  method: method.toUpperCase(),
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, isDeep ? '.+' : '[^/]+')}/?$`),
}));

const isForPrograms = (method: string, path: string): boolean =>
  doors.some((door) => door.method === method && door.pattern.test(path));

const detail = 'Open Assentry at its own address; an operator can change that in ASSENTRY_PUBLIC_URL.';

/** An address is no name that could be made to lead elsewhere. */
function isOwn(host: string | undefined, publicUrl: string): boolean {
  const url = `http://${host ?? ''}`;
  if (host === undefined || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  return isAddress || hostname === 'localhost' || hostname === new URL(publicUrl).hostname;
}
