import { z } from 'zod';

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
