import type { PolicyVersion } from '#protocol/contract/policies/policy';
import { operator } from './words.ts';

/** Who wrote a version: a person, Assentry from a request that someone then allowed always, or else the operator. */
export const authorName = ({ author, reviewer }: Pick<PolicyVersion, 'author' | 'reviewer'>): string =>
  author?.name ?? (reviewer === null ? operator : 'Assentry');
