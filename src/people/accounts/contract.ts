import { z } from 'zod';
import type { RouteContract } from '#platform/http/contract/route';
import { changed, WaitingChange } from '../changes/contract.ts';
import { UserId } from '../users/contract.ts';

/** Answers of administrators about two accounts: they are of one natural person, who counts once, or of two. */
const pairAnswers = ['one-person', 'two-people'] as const;
export type PairAnswer = (typeof pairAnswers)[number];

/**
 * Why two accounts may be of one person: of one mailbox they count once until someone decides. A mailbox of which only a provider
 * speaks that may not speak for its domain is a hint, as the others are.
 */
export const pairSigns = ['mailbox', 'mailbox-hint', 'name', 'address-elsewhere'] as const;
export type PairSign = (typeof pairSigns)[number];

const Account = z.object({ id: UserId, name: z.string(), email: z.string() });

const AccountPair = z
  .object({
    user: Account,
    other: Account,
    sign: z.enum(pairSigns).nullable().meta({
      description:
        'Why they may be one person: they have one mailbox, one name, or one address at two domains. Two of one mailbox count once until someone decides; `mailbox-hint` is a mailbox that a provider names which may not speak for its domain, and counts for nothing. Null of a pair that was decided.',
    }),
    answer: z.enum(pairAnswers).nullable().meta({ description: 'Null if no one has decided.' }),
  })
  .meta({ id: 'AccountPair' });
export type AccountPair = z.infer<typeof AccountPair>;

export const AccountPairList = z.object({ pairs: z.array(AccountPair) }).meta({ id: 'AccountPairList' });
export type AccountPairList = z.infer<typeof AccountPairList>;

export const DecidePair = z
  .strictObject({
    user: UserId,
    other: UserId,
    answer: z.enum(pairAnswers).nullable().meta({ description: 'Null takes back what was decided.' }),
  })
  .meta({ id: 'DecidePair' });
export type DecidePair = z.input<typeof DecidePair>;

/** Accounts of one natural person. */
export const accountPairRoutes = {
  listPairs: {
    method: 'get',
    path: '/api/user-pairs',
    auth: 'session-or-token',
    permission: 'change-directory',
    summary: 'Accounts that may be of one person and no one has decided about, then those that someone has.',
    success: { 200: AccountPairList },
  },
  decidePair: {
    method: 'post',
    path: '/api/user-pairs',
    auth: 'session-or-token',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: 'Say whether two accounts are of one person, who counts once in every quorum.',
    body: DecidePair,
    success: { 200: changed(AccountPairList), 202: WaitingChange },
  },
} as const satisfies Record<string, RouteContract>;

/** All accounts of the natural person who has this one, in the order of ids; those who have one account are absent. */
export type Accounts = ReadonlyMap<string, readonly string[]>;

/** Joins links between accounts of one person. */
export function accountsFrom(links: Iterable<readonly [string, string]>): Accounts {
  const accounts = new Map<string, string[]>();
  for (const [first, other] of links) {
    const [of, joined] = [accounts.get(first) ?? [first], accounts.get(other) ?? [other]];
    if (of === joined) continue;
    const [larger, smaller] = of.length < joined.length ? [joined, of] : [of, joined]; // so that thousands take no minute
    larger.push(...smaller);
    for (const id of [first, other, ...smaller]) accounts.set(id, larger);
  }
  for (const all of new Set(accounts.values())) all.sort();
  return accounts;
}

/** These people under every account they have. */
export const everyAccount = (accounts: Accounts | undefined, ids: Iterable<string>): string[] => [
  ...new Set([...ids].flatMap((id) => accounts?.get(id) ?? [id])),
];

/** The one id that stands for a natural person. */
export const personOf = (accounts: Accounts | undefined, id: string): string => accounts?.get(id)?.[0] ?? id;
