import type { PairAnswer, PairSign } from '#protocol/model/accounts/account-pair';

const signs: Record<PairSign, string> = {
  mailbox: 'One mailbox. Outside of a trial they count once until someone decides.',
  name: 'One name. They count separately until someone decides.',
  'address-elsewhere': 'One address at two domains. They count separately until someone decides.',
};

const answers: Record<PairAnswer, string> = {
  'one-person': 'One person, who counts once.',
  'two-people': 'Two people, who count separately.',
};

/** The words for accounts that are or may be of one person. */
export const pairs = {
  title: 'One person or two',
  lead: 'A quorum counts natural persons. Say of these accounts whether they belong to one person.',
  none: 'No accounts look like one person.',
  noneOf: 'This is the only account of this person, as far as it has been decided.',
  sign: (sign: PairSign): string => signs[sign],
  answer: (answer: PairAnswer): string => answers[answer],
  onePerson: 'One person',
  twoPeople: 'Two people',
  undecided: 'Take back',
  another: 'Another account of this person',
  about: (first: string, second: string): string => `${first} and ${second}`,
};
