import type { Status } from '#requests/asking/contract/elicitation';
import type { ElicitationId, UserId } from '#platform/model/id';

/**
 * Which entries of the log: all that fit everything that is given. `from` is the first millisecond since 1970 and `to`
 * the first one that no longer counts; `person` did it; the rest is about the request of an entry, `digest` at any of
 * its revisions.
 */
export interface LogFilter {
  from?: number | undefined;
  to?: number | undefined;
  person?: UserId | undefined;
  request?: ElicitationId | undefined;
  server?: string | undefined;
  tool?: string | undefined;
  policy?: string | undefined;
  outcome?: Status | undefined;
  digest?: string | undefined;
}

/** The filter as the facts of an entry about a search or an export, such as `tool=refund`. */
export const filterFacts = (filter: object): string[] =>
  Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${String(value)}`]));
