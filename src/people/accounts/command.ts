import type { PairAnswer, PairSign } from './contract.ts';
import type { Operator } from '#server/operator';
import { assertOption, printResult } from '#cli/output';
import { withOperator } from '#cli/settings';

interface PairOptions {
  onePerson?: boolean;
  twoPeople?: boolean;
  undecided?: boolean;
  json?: boolean;
}

/** Says whether two accounts are of one natural person, who counts once in every quorum. */
export async function decidePair(first: string, second: string, options: PairOptions): Promise<void> {
  const { onePerson, twoPeople, undecided, json } = options;
  const isOne = [onePerson, twoPeople, undecided].filter(Boolean).length === 1;
  assertOption('OPTIONS', isOne, 'Say one of --one-person, --two-people and --undecided.');
  const answer = onePerson ? 'one-person' : twoPeople ? 'two-people' : null;
  await withOperator((operator) => operator.decidePair([first, second], answer));
  printResult(json, { user: first.toLowerCase(), other: second.toLowerCase(), answer }, [
    `${first} and ${second} ${answer ? answers[answer] : 'are undecided again'}.`,
  ]);
}

export async function listPairs({ json }: { json?: boolean }): Promise<void> {
  const pairs = await withOperator((operator) => operator.listPairs());
  const none = 'No two accounts look like one person.';
  printResult(json, { pairs }, pairs.length === 0 ? [none] : pairs.map(formatPair));
}

const answers: Record<PairAnswer, string> = {
  'one-person': 'are one person, who counts once',
  'two-people': 'are two people, who count separately',
};

const signs: Record<PairSign, string> = {
  mailbox: 'have one mailbox, and count once until you say more',
  'mailbox-hint':
    'have one mailbox, says a provider that may not speak for its domain, and count separately until you say more',
  name: 'have one name, and count separately until you say more',
  'address-elsewhere': 'have one address at two domains, and count separately until you say more',
};

type Pair = Awaited<ReturnType<Operator['listPairs']>>[number];

function formatPair({ user, other, sign, answer }: Pair): string {
  const state = answer ? answers[answer] : sign && signs[sign];
  return `${user.name} <${user.email}> and ${other.name} <${other.email}> ${state}.`;
}
