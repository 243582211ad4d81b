import type { z } from 'zod';

/** The fault of a value, for people who know JSON; undefined uses zod's message. */
export function formatIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return 'Give a value: this is missing.';
  }
  if (issue.code === 'invalid_type') return `Must be ${nouns[issue.expected] ?? issue.expected}.`;
  if (issue.code === 'invalid_value') return `Must be ${issue.values.map(String).join(' or ')}.`;
  if (issue.code === 'too_big') return `Must be at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}.`;
  if (issue.code === 'too_small') return `Must be at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}.`;
  return undefined;
}

function unitOf(origin: string, count: number | bigint): string {
  const unit = { string: 'character', array: 'item' }[origin];
  return unit ? ` ${unit}${count === 1 ? '' : 's'} long` : '';
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
