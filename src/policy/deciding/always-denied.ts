import type { Facts } from '../terms/facts.ts';
import { decide } from './decide.ts';
import { findCandidates, type PolicyBook } from './policy-book.ts';
import { isSteady } from './steady.ts';

/** Would `decide` deny every request that differs from this one only in its arguments, its reason and its time? */
export const isAlwaysDenied = (book: PolicyBook, facts: Facts): boolean =>
  findCandidates(book, facts).some(
    ({ condition, document }) => condition === null && document.rule.outcome === 'deny',
  ) ||
  (isSteady(book, facts) && decide(book, facts).outcome === 'deny');
