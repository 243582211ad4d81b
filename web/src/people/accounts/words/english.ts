import type { PairAnswer, PairSign } from '#people/accounts/contract';

const signs: Record<PairSign, string> = {
  mailbox: 'One mailbox. Outside of a trial they count once until someone decides.',
  'mailbox-hint':
    'A provider that may not speak for the domain says that they have one mailbox. They count separately until someone decides.',
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
  lead: 'A quorum counts people, and someone may be here twice. Say of these two whether they are one person.',
  none: 'No two people here look like one.',
  noneOf: 'As far as anyone has decided, this person is here once.',
  sign: (sign: PairSign): string => signs[sign],
  answer: (answer: PairAnswer): string => answers[answer],
  onePerson: 'One person',
  twoPeople: 'Two people',
  undecided: 'Take back',
  another: 'The same person as',
  about: (first: string, second: string): string => `${first} and ${second}`,
};
