import type { PolicyVersion } from '#policies/contract/documents';
import { operator } from './words/words.ts';

/** Author of a version: a person, Assentry after an "allow always", or else the operator. */
export const authorName = ({ author, reviewer }: Pick<PolicyVersion, 'author' | 'reviewer'>): string =>
  author?.name ?? (reviewer === null ? operator : 'Assentry');
