import type { RequestHandler } from 'express';
import { routes, type RouteContract } from '../../contract/openapi/routes.ts';
import { Problem } from '../../../model/problem/problem.ts';

/** Distinguishes an address that accepts other methods from an unknown one (RFC 9110, section 15.5.6). */
export const refuseMethod: RequestHandler = (request, response, next) => {
  const methods = methodsAt(request.path);
  if (methods.length === 0) return next();
  response.set('allow', methods.join(', '));
  throw new Problem('method-not-allowed');
};

const served = Object.values<RouteContract>(routes).map(({ method, path, isDeep }) => ({
  methods: method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  // Like Express: in upper or lower case, with or without a slash at the end.
  address: new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replace(/\{\w+\}$/, isDeep ? '.+' : '$&')
      .replaceAll(/\{\w+\}/g, '[^/]+')}/?$`,
    'i',
  ),
}));

const methodsAt = (path: string): string[] =>
  served.filter(({ address }) => address.test(path)).flatMap(({ methods }) => methods);
