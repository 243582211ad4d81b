import type { RequestHandler } from 'express';
import { routes, type RouteContract } from '../../contract/routes.ts';
import { Problem } from '../../model/problem.ts';

/** Tells an address that takes other methods from one that is not there (RFC 9110, section 15.5.6). */
export const refuseMethod: RequestHandler = (request, response, next) => {
  const methods = methodsAt(request.path);
  if (methods.length === 0) return next();
  response.set('allow', methods.join(', '));
  throw new Problem('method-not-allowed');
};

const served = Object.values<RouteContract>(routes).map(({ method, path, isDeep }) => ({
  methods: method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  // As Express matches: in any case, with or without a slash at the end.
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
