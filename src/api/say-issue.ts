import type { z } from 'zod';

/** What is wrong with a value, for people who know JSON; undefined leaves it to the words of zod. */
export function sayIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return 'This is missing.';
  }
  if (issue.code === 'invalid_type') return `Must be ${nouns[issue.expected] ?? issue.expected}.`;
  if (issue.code === 'invalid_value') return `Must be ${issue.values.map(String).join(' or ')}.`;
  return undefined;
}

const nouns: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};
