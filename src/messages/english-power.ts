import type { Alone } from '#people/directory/contract/user';

/** What a change that one administrator made says of that. */
export const aloneSentences: Record<Alone, string> = {
  trial: 'Done.',
  'only-administrator':
    'This took effect at once: when a second administrator has set a password, one of you accepts what the other asks for.',
};

/** What a change that has not been made yet says. */
export const waitingSentence = 'Nothing has changed yet: a second administrator must accept this.';
