import { z } from 'zod';
import { pairAnswers, pairSigns } from './account-pair.ts';
import type { RouteContract } from '#platform/http/contract/route/route-contract';
import { changed, WaitingChange } from '../../changes/contract.ts';
import { UserId } from '../../users/contract/users.ts';

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

const DecidePair = z
  .strictObject({
    user: UserId,
    other: UserId,
    answer: z.enum(pairAnswers).nullable().meta({ description: 'Null takes back what was decided.' }),
  })
  .meta({ id: 'DecidePair' });
export type DecidePair = z.input<typeof DecidePair>;

/** Which accounts are of one natural person. */
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
