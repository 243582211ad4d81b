import type { PolicyClause } from '#policies/deciding/contract/clauses';
import { sentences } from '../language/sentences.ts';
import { Revealed } from '../ui/Revealed.tsx';
import classes from './Policies.module.css';

/** A policy in words, one sentence a line. */
export const Sentences = ({ terms }: { terms: PolicyClause[] }) => (
  <ul className={classes.sentences}>
    {terms.map((term, at) => (
      <li key={at}>
        <Revealed text={sentences.clause(term)} />
      </li>
    ))}
  </ul>
);
