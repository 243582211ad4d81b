/** What administrators say of two accounts: they are of one natural person, who counts once, or of two. */
export const pairAnswers = ['one-person', 'two-people'] as const;
export type PairAnswer = (typeof pairAnswers)[number];

/**
 * Why two accounts may be of one person: of one mailbox they count once until someone decides. A mailbox of which only a provider
 * speaks that may not speak for its domain is a hint, as the others are.
 */
export const pairSigns = ['mailbox', 'mailbox-hint', 'name', 'address-elsewhere'] as const;
export type PairSign = (typeof pairSigns)[number];
