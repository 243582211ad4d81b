import type { z } from 'zod';
import type { PolicyDefaults } from '../../../contract/policy.ts';
import type { PolicyClause } from '../../../deciding/contract/clause.ts';

/** One key of `require`, apart from who must answer. What it does in other places follows from the list of terms. */
export interface Term<K extends string, S extends z.ZodType> {
  key: K;
  /** What a policy may write here, with the meaning in a sentence; absent, it parses to the value that asks for nothing. */
  schema: S;
  /** Of two policies that hold together: a value no weaker than either, where `defaults` hold if one of them says nothing. */
  stricter(first: z.output<S>, second: z.output<S>, defaults: PolicyDefaults): z.output<S>;
  /** What is said of it; `others` are the terms that the same clause names. */
  clauses(value: z.output<S>, others: object): PolicyClause[];
}

export const defineTerm = <const K extends string, S extends z.ZodType>(term: Term<K, S>): Term<K, S> => term;

/** What a policy may be silent about, or what a clause of another term says. */
export const noClause = (): PolicyClause[] => [];
