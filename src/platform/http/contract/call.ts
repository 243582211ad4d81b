import type { z } from 'zod';
import type { RouteContract } from './route.ts';

/** Input of a route: the parameters, query and body of its contract, and no others. */
export type CallOf<Route> = Given<Route, 'params'> & Given<Route, 'query'> & Given<Route, 'body'>;

type Given<Route, Name extends 'params' | 'query' | 'body'> =
  Route extends Record<Name, infer Schema extends z.ZodType>
    ? Partial<z.input<Schema>> extends z.input<Schema>
      ? { [Key in Name]?: z.input<Schema> }
      : { [Key in Name]: z.input<Schema> }
    : { [Key in Name]?: never };

/** Answer of a route on success; null stands for no body. */
export type AnswerOf<Route extends Pick<RouteContract, 'success'>> = {
  [Status in keyof Route['success']]: Route['success'][Status] extends z.ZodType<infer Answer> ? Answer : null;
}[keyof Route['success']];

interface Address {
  params?: Readonly<Record<string, string | number>> | undefined;
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
}

/**
 * The address of a call: path and query, each parameter as one step of the path, whatever characters it has.
 *
 * @example
 * ```ts
 * addressOfCall({ path: '/api/users/{id}' }, { params: { id: 'a/b' }, query: { page: 2 } }); // '/api/users/a%2Fb?page=2'
 * ```
 */
export function addressOfCall(route: Pick<RouteContract, 'path'>, { params = {}, query = {} }: Address): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
  const texts = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return texts.length === 0 ? path : `${path}?${new URLSearchParams(texts).toString()}`;
}
