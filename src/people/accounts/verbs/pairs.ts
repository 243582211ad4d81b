import { accountsFrom, personOf, type Accounts, type PairAnswer, type PairSign } from '../contract.ts';
import type { UserId } from '#platform/model/id';
import { foldSubject } from '#platform/model/identity';
import { isTrial } from '#policies/contract/policy';
import type { UserRecord } from '../../directory/store/directory-record.ts';

type Account = Linked & Pick<UserRecord, 'name' | 'verifiedAddresses' | 'disabledAt'>;
type Linked = Pick<UserRecord, 'id' | 'email' | 'vouchedAddresses' | 'decidedPairs'>;

/** Two accounts, in the order of their ids: the answer about them stands at the second. */
export type Pair = readonly [UserId, UserId];

export const pairOf = (first: UserId, other: UserId): Pair => (first < other ? [first, other] : [other, first]);

/** The administrators' answer about these two; null if there is none. */
export const answerTo = (users: ReadonlyMap<UserId, Linked>, [first, second]: Pair): PairAnswer | null =>
  users.get(second)?.decidedPairs?.[first] ?? null;

/**
 * All accounts of everyone who has several. Two of one mailbox count once until someone decides: two votes of one person are worse
 * than one vote too few. In a trial one person may have two seats, to try a quorum.
 */
export function accountsOf(users: readonly Linked[], environment: string | undefined): Accounts {
  const links = onePersonLinks(users);
  if (isTrial(environment)) return accountsFrom(links);
  const byId = new Map(users.map((user) => [user.id, user]));
  const undecided = pairsBy(users, mailboxesOf).filter((pair) => answerTo(byId, pair) === null);
  return accountsFrom([...links, ...undecided]);
}

/** Each pair that administrators have decided about, with what they said. */
export const decidedPairs = (users: readonly Linked[]): { pair: Pair; answer: PairAnswer }[] =>
  users.flatMap(({ id, decidedPairs: answers }) =>
    Object.entries(answers ?? {}).map(([other, answer]) => ({ pair: pairOf(other as UserId, id), answer })),
  );

const onePersonLinks = (users: readonly Linked[]): Pair[] =>
  decidedPairs(users).flatMap(({ pair, answer }) => (answer === 'one-person' ? [pair] : []));

/** The enabled accounts that may be of one person and that no one has decided about, each pair once with its strongest sign. */
export function likelyPairs(everyone: readonly Account[]): { pair: Pair; sign: PairSign }[] {
  const users = everyone.filter(({ disabledAt }) => disabledAt === null);
  const byId = new Map(everyone.map((user) => [user.id, user]));
  const accounts = accountsFrom(onePersonLinks(everyone));
  const listed = new Set<string>();
  return signs.flatMap(([sign, keysOf]) =>
    pairsBy(users, keysOf).flatMap((pair) => {
      const isKnown = answerTo(byId, pair) !== null || personOf(accounts, pair[0]) === personOf(accounts, pair[1]);
      if (isKnown || listed.has(pair.join())) return [];
      listed.add(pair.join());
      return [{ pair, sign }];
    }),
  );
}

/** The mailboxes that count: an address that any provider calls verified is a claim of whom that provider lets in. */
const mailboxesOf = ({ email, vouchedAddresses }: Linked): string[] =>
  [email, ...(vouchedAddresses ?? [])].map(foldSubject);

const hintedMailboxesOf = ({ email, verifiedAddresses }: Account): string[] =>
  [email, ...(verifiedAddresses ?? [])].map(foldSubject);

/** The strongest first. Names and the part before the @ are only reasons to ask: among thousands there are namesakes. */
const signs: readonly (readonly [PairSign, (user: Account) => string[]])[] = [
  ['mailbox', mailboxesOf],
  ['mailbox-hint', hintedMailboxesOf],
  ['name', ({ name }) => [name.normalize('NFKC').toLowerCase().split(/\s+/).toSorted().join(' ')]],
  ['address-elsewhere', (user) => hintedMailboxesOf(user).map((mailbox) => mailbox.replace(/@.*/, ''))],
];

/** If more accounts have a key, each is compared with the next one alone: all pairs of thousands would be millions. */
const maxCompared = 20;

/** Each two that have a key in common. */
function pairsBy<U extends Pick<Account, 'id'>>(users: readonly U[], keysOf: (user: U) => string[]): Pair[] {
  const groups = new Map<string, UserId[]>();
  for (const user of users)
    for (const key of new Set(keysOf(user))) {
      const group = groups.get(key);
      if (group) group.push(user.id);
      else groups.set(key, [user.id]);
    }
  return [...groups.values()].flatMap((group) => {
    const after = (at: number): number => (group.length > maxCompared ? at + 2 : group.length);
    return group.flatMap((id, at) => group.slice(at + 1, after(at)).map((other) => pairOf(id, other)));
  });
}
