import type { z } from 'zod';
import type { LogQuery } from '../../search/contract.ts';

/**
 * Filter of the log: an entry fits everything that is given. `from` is the first millisecond since 1970 and `to` the
 * first one that no longer counts; `person` did it; the rest is about the request of an entry, `digest` at any of its
 * revisions.
 */
export type LogFilter = Omit<z.output<typeof LogQuery>, 'cursor' | 'limit'>;

/** The filter as the facts of an entry about a search or an export, such as `tool=refund`. */
export const filterFacts = (filter: object): string[] =>
  Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${String(value)}`]));
