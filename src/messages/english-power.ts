import { changes } from '#locales/people-changes.en';
import type { Alone } from '#people/directory/contract/user';

/** What a change that one administrator made says of that. */
export const aloneSentences: Record<Alone, string> = changes.alone;

/** What a change that has not been made yet says. */
export const waitingSentence = 'Nothing has changed yet: a second administrator must accept this.';
