/** What administrators say of two accounts: they are of one natural person, who counts once, or of two. */
export const pairAnswers = ['one-person', 'two-people'] as const;
export type PairAnswer = (typeof pairAnswers)[number];

/** Why two accounts may be of one person: of one mailbox they count once until someone decides. */
export const pairSigns = ['mailbox', 'name', 'address-elsewhere'] as const;
export type PairSign = (typeof pairSigns)[number];
