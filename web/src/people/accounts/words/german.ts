import type { PairAnswer, PairSign } from '#people/accounts/contract';

const signs: Record<PairSign, string> = {
  mailbox: 'Ein Postfach. Außerhalb eines Versuchs zählen sie einmal, bis jemand entscheidet.',
  'mailbox-hint':
    'Ein Anbieter, der für die Domain nicht sprechen darf, nennt für sie ein Postfach. Sie zählen getrennt, bis jemand entscheidet.',
  name: 'Ein Name. Sie zählen getrennt, bis jemand entscheidet.',
  'address-elsewhere': 'Eine Adresse bei zwei Domains. Sie zählen getrennt, bis jemand entscheidet.',
};

const answers: Record<PairAnswer, string> = {
  'one-person': 'Eine Person, die einmal zählt.',
  'two-people': 'Zwei Personen, die getrennt zählen.',
};

/** The words for accounts that are or may be of one person. */
export const pairs = {
  title: 'Eine Person oder zwei',
  lead: 'Ein Quorum zählt natürliche Personen. Sagen Sie von diesen Konten, ob sie einer Person gehören.',
  none: 'Keine Konten sehen nach einer Person aus.',
  noneOf: 'Soweit entschieden ist, hat diese Person nur dieses Konto.',
  sign: (sign: PairSign): string => signs[sign],
  answer: (answer: PairAnswer): string => answers[answer],
  onePerson: 'Eine Person',
  twoPeople: 'Zwei Personen',
  undecided: 'Zurücknehmen',
  another: 'Ein anderes Konto dieser Person',
  about: (first: string, second: string): string => `${first} und ${second}`,
};
