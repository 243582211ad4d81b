import type { Facts } from '../terms/facts.ts';
import type { DecidingRule } from '../terms/policy-document.ts';
import { findCandidates, type PolicyBook } from './policy-book.ts';

/**
 * Would `decide` say the same of every request that differs from this one only in its arguments, its reason and its
 * time? Not if a policy that could decide it has a condition or a freeze window.
 */
export const isSteady = (book: PolicyBook, facts: Facts): boolean =>
  findCandidates(book, facts).every(({ condition, document }) => condition === null && !mayFreeze(document.rule));

const mayFreeze = (rule: DecidingRule): boolean => 'freeze' in rule && rule.freeze.length > 0;
