import type { z } from 'zod';
import { formatIssue } from '#platform/http/contract/problem';

/** The fault of a value, for the operator who has written it; it repeats no value. */
export const formatFault = (issue: z.core.$ZodRawIssue): string | undefined =>
  issue.code === 'unrecognized_keys' ? 'Correct its name, or leave it out.' : formatIssue(issue);
