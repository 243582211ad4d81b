import type { Facts } from '../../../document/rules/document/facts.ts';
import type { Rule } from '../../../document/rules/document/policy-document.ts';
import { findCandidates, type BookCondition, type PolicyBook } from '../book.ts';
import { readingsOf } from './unaccepted.ts';

/**
 * Would `decide` say the same of every request that differs from this one only in its arguments, its reason and its
 * time? Not if a policy that could decide it ends or has a freeze window, or a condition on more than the tool's definition.
 */
export const ignoresArguments = (book: PolicyBook, facts: Facts): boolean =>
  readingsOf(facts)
    .flatMap((reading) => findCandidates(book, reading))
    .every(
      ({ condition, rules }) =>
        isForTool(condition) && rules.every((entry) => isForTool(entry.condition) && !mayTurn(entry.rule)),
    );

const isForTool = (condition: BookCondition): boolean =>
  condition === null || ('variables' in condition && condition.variables.join(' ') === 'tool');

/** Does it say something else at another time? */
const mayTurn = (rule: Rule): boolean =>
  ('freeze' in rule && rule.freeze.length > 0) || (rule.outcome === 'allow' && rule.until !== null);
