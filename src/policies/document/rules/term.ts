import { z } from 'zod';
import type { PolicyDefaults } from '../../contract/policy.ts';
import type { PolicyClause } from '../../deciding/contract/clause.ts';

/** One key of `require`, apart from who must answer. What it does in other places follows from the list of terms. */
export interface Term<K extends string, S extends z.ZodType> {
  key: K;
  /** The term's values in a policy, with the meaning in a sentence; absent, it parses to the value that asks for nothing. */
  schema: S;
  /**
   * Merges the terms of two policies that hold together: no weaker than either, where `defaults` hold if one of them
   * says nothing.
   */
  stricter(first: z.output<S>, second: z.output<S>, defaults: PolicyDefaults): z.output<S>;
  /** Clauses about it; `others` are the terms that the same clause names. */
  clauses(value: z.output<S>, others: object): PolicyClause[];
}

export const defineTerm = <const K extends string, S extends z.ZodType>(term: Term<K, S>): Term<K, S> => term;

/** For a term without a clause, or in the clause of another term. */
export const noClause = (): PolicyClause[] => [];

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof units;

/** A duration as it is written, `<n>(s|m|h|d)`, between two others; parsed to milliseconds. */
export function durationSchema(shortest: string, longest: string) {
  const error = `Must be a number followed by s, m, h or d, between ${shortest} and ${longest}.`;
  return z
    .string({ error })
    .regex(/^\d{1,6}[smhd]$/, error)
    .transform(milliseconds)
    .refine((value) => value >= milliseconds(shortest) && value <= milliseconds(longest), { error });
}

const milliseconds = (text: string): number => Number(text.slice(0, -1)) * units[text.at(-1) as Unit];

/** Ways in which two values of a term become one; null says nothing. */
export const shorter = (first: number | null, other: number | null): number | null =>
  first === null || other === null ? (first ?? other) : Math.min(first, other);

export const longer = (first: number | null, other: number | null): number | null =>
  first === null || other === null ? (first ?? other) : Math.max(first, other);

/** All rules hold. */
export const allOf = <T>(first: T[], other: T[]): T[] => [...first, ...other];

/** For a term that makes no request stricter: that of the policy that decides. */
export const ofFirst = <T>(first: T): T => first;

/** For a permission under the policy's own conditions only. */
export const neither = (): null => null;

/** A whole number between two others. */
export function wholeSchema(least: number, most: number) {
  const error = `Must be a whole number between ${least} and ${most}.`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

/** The most entries of a list. */
export const atMost = (most: number): string => `Must have at most ${most} entries.`;

/** Absent becomes null; a written null is an error, because a text was probably forgotten. */
export const orNull = <T>(value: T | undefined): T | null => value ?? null;

export const argumentName = z
  .string()
  .regex(/^[A-Za-z_][\w-]{0,63}$/, 'Must be the name of a top-level argument: letters, digits, _ and -.');
