import type { Facts } from '../../document/rules/document.ts';
import { decide } from './decide.ts';
import { findCandidates, type BookEntry, type PolicyBook } from './book.ts';
import { ignoresArguments, readingsOf } from './describe.ts';

/** Would `decide` deny every request that differs from this one only in its arguments, its reason and its time? */
export const isAlwaysDenied = (book: PolicyBook, facts: Facts): boolean =>
  readingsOf(facts).some((reading) => findCandidates(book, reading).some(deniesAlways)) ||
  (ignoresArguments(book, facts) && decide(book, facts).outcome === 'deny');

/** One of its rules always decides, and each of them denies. */
const deniesAlways = ({ condition, rules }: BookEntry): boolean =>
  condition === null &&
  rules.every(({ rule }) => rule.outcome === 'deny') &&
  rules.some((rule) => rule.condition === null);
