import type { PolicyVersion } from '#policies/contract/documents';
import { operator } from './words/words.ts';

/** Who wrote a version: a person, Assentry from a request that someone then allowed always, or else the operator. */
export const authorName = ({ author, reviewer }: Pick<PolicyVersion, 'author' | 'reviewer'>): string =>
  author?.name ?? (reviewer === null ? operator : 'Assentry');
