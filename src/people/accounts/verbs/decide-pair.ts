import type { z } from 'zod';
import type { PairAnswer, PairSign, DecidePair } from '../contract.ts';
import type { UserId } from '#platform/model/id';
import { invalidInput } from '#platform/model/problem';
import type { Alone } from '../../directory/contract/user.ts';
import type { ChangingEngine } from '#requests/state/verbs/change';
import type { Engine } from '#platform/nodes/verbs/engine';
import { decidedPairs, likelyPairs, pairOf, type Pair } from './pairs.ts';
import {
  changeDirectory,
  type Administrator,
  type DirectoryEngine,
  userIn,
  assertNotOwnPair,
} from '../../directory/verbs/directory.ts';
import { voidVotes } from '../../users/verbs.ts';

/** The answer about two accounts, and the sign by which they were found. */
interface JudgedPair {
  pair: Pair;
  sign: PairSign | null;
  answer: PairAnswer | null;
}

/**
 * Says whether two accounts are of one natural person, who then counts once: as approver in any quorum, as requester, and as
 * administrator. Votes by the second account on open requests are void at once.
 */
export async function decidePair(
  engine: DirectoryEngine & ChangingEngine,
  by: Administrator,
  { user, other, answer }: z.output<typeof DecidePair>,
): Promise<Alone | null> {
  if (user === other) throw invalidInput(['other'], 'Name another person: this is the same account.');
  const [first, second] = pairOf(user, other);
  const alone = await changeDirectory(engine, by, (directory) => {
    const { decidedPairs } = userIn(directory, second);
    const { email } = userIn(directory, first);
    assertNotOwnPair(directory, by, [first, second], answer, `user pair ${email} ${userIn(directory, second).email}`);
    if ((decidedPairs?.[first] ?? null) === answer) return null;
    const { [first]: _before, ...others } = decidedPairs ?? {};
    const set = { decidedPairs: answer === null ? others : { ...others, [first]: answer } };
    return {
      write: { type: 'user', id: second, set },
      event: { type: 'user.pair-decided', user: second, other: first, answer },
    };
  });
  await Promise.all([first, second].map((user) => voidVotes(engine, user)));
  return alone;
}

/** The accounts that may be of one person and no one has decided about, and then those that someone has. */
export async function listPairs({ directory }: Pick<Engine, 'directory'>) {
  const record = await directory.read();
  const likely = likelyPairs(record.users).map((pair): JudgedPair => ({ ...pair, answer: null }));
  const account = (of: UserId) => {
    const { id, name, email } = userIn(record, of);
    return { id, name, email };
  };
  const decided = decidedPairs(record.users).map((pair): JudgedPair => ({ ...pair, sign: null }));
  return [...likely, ...decided].map(({ pair: [first, second], sign, answer }) => {
    return { user: account(first), other: account(second), sign, answer };
  });
}
