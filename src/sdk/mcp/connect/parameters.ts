import { formatIssue } from '#platform/http/contract/problem';
import { Problem } from '#platform/model/problem';
import { z } from 'zod';
import type { ElicitOptions } from '../question/question.ts';
import { maxKeyLength } from './owned.ts';

/** Reads the parameters of this step; for code without types, `INVALID_INPUT` with each fault. */
export function readParameters<T extends z.ZodType>(schema: T, parameters: object, step: string): z.output<T> {
  const { data, error } = schema.safeParse(parameters, { error: formatIssue });
  if (data) return data;
  const errors = (error?.issues ?? []).map(({ path, message }) => ({ path: path.map(String), message }));
  throw new Problem('INVALID_INPUT', { detail: `Correct the parameters of ${step}().`, errors });
}

/** Parameters of each question for something that the requester owns. */
export const ownedParameters = {
  key: z.string().min(1).max(maxKeyLength, `Name the question in at most ${maxKeyLength} characters.`).optional(),
  message: z.string().min(1).optional(),
  ttl: z.number().optional(),
  throwUrlRequired: z.boolean().optional(),
};

type Options = Pick<ElicitOptions, 'ttl' | 'signal' | 'throwUrlRequired'>;

/** The options of the question, without those that were not set. */
export const optionsOf = (
  { ttl, throwUrlRequired }: { ttl?: number | undefined; throwUrlRequired?: boolean | undefined },
  signal: AbortSignal | undefined,
): Options => ({
  ...(ttl !== undefined && { ttl }),
  ...(throwUrlRequired !== undefined && { throwUrlRequired }),
  ...(signal && { signal }),
});
