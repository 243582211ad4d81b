import type { Facts } from '../terms/facts.ts';
import type { DecidingRule } from '../terms/policy-document.ts';
import { findCandidates, type BookEntry, type PolicyBook } from './policy-book.ts';

/**
 * Would `decide` say the same of every request that differs from this one only in its arguments, its reason and its
 * time? Not if a policy that could decide it ends or has a freeze window, or a condition on more than the tool's definition.
 */
export const isSteady = (book: PolicyBook, facts: Facts): boolean =>
  findCandidates(book, facts).every(
    ({ condition, document }) => (condition === null || isForTool(condition)) && !mayTurn(document.rule),
  );

const isForTool = (condition: NonNullable<BookEntry['condition']>): boolean =>
  'variables' in condition && condition.variables.join(' ') === 'tool';

/** Does it say something else at another time? */
const mayTurn = (rule: DecidingRule): boolean =>
  ('freeze' in rule && rule.freeze.length > 0) || (rule.outcome === 'allow' && rule.until !== null);
