import { queryOptions, type QueryKey } from '@tanstack/react-query';
import { addressOfCall, type AnswerOf, type CallOf } from '#platform/http/contract/call';
import type { RouteContract } from '#platform/http/contract/route';
import { readable, sendCall } from './call-api.ts';

/** Parts of a route in a built console: `scripts/plain-schemas.mjs` removes the rest. */
type Route = Pick<RouteContract, 'method' | 'path' | 'success'>;

/** Parts of a call, optional if the route needs none. */
type Needed<Parts> = Partial<Parts> extends Parts ? [parts?: Parts] : [parts: Parts];

interface Parts {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  signal?: AbortSignal;
}

/**
 * Calls a route as the signed-in person. Resolves with the answer, checked by the contract's schema for its status, or rejects
 * with an ApiProblem.
 *
 * @example
 * ```ts
 * const role = await call(roleRoutes.addRole, { body: { name: 'auditor', permissions: ['read-log'] } });
 * ```
 */
export const call = <R extends Route>(route: R, ...[parts]: Needed<CallOf<R> & { signal?: AbortSignal }>) =>
  send(route, parts as Parts | undefined) as Promise<AnswerOf<R>>;

async function send(route: Route, { params, query, ...sent }: Parts = {}): Promise<unknown> {
  const path = addressOfCall(route, { params, query });
  const { status, body } = await sendCall(path, { method: route.method.toUpperCase(), ...sent });
  const schema = route.success[status];
  return readable(schema === null ? nothing(body) : schema?.safeParse(body).data);
}

const nothing = (body: unknown): null | undefined => (body === null ? null : undefined);

/**
 * Query of a route. The key is the path step by step, then the query, so that `['api', 'users']` is the prefix of everything
 * below that path.
 */
export function query<R extends Route & { method: 'get' }>(route: R, ...[parts]: Needed<CallOf<R>>) {
  return queryOptions({
    queryKey: keyOf(route, parts as Parts | undefined),
    queryFn: ({ signal }) => send(route, { ...parts, signal } as Parts) as Promise<AnswerOf<R>>,
  });
}

const keyOf = ({ path }: Route, { params, query }: Parts = {}): QueryKey => [
  ...path
    .slice(1)
    .split('/')
    .map((step) => params?.[/^\{(\w+)\}$/.exec(step)?.[1] ?? ''] ?? step),
  ...(query ? [query] : []),
];

/** Prefix of the keys of all `query` results. */
export const everyAnswer: QueryKey = ['api'];
