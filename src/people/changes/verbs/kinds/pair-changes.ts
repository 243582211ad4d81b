import type { PairAnswer } from '../../../accounts/contract/account-pair.ts';
import type { DirectoryRecord } from '../../../directory/store/directory-record/directory-record.ts';
import { answerTo, pairOf } from '../../../accounts/verbs/pairs.ts';
import { decidePair, type PairDecision } from '../../../accounts/verbs/decide-pair.ts';
import { changeKind } from './change-kind.ts';
import { formatUser, namedUser, type NamedUser } from './named.ts';

interface PairFacts {
  user: NamedUser;
  other: NamedUser;
  from: PairAnswer | null;
  to: PairAnswer | null;
}

/** Whether two accounts are of one natural person. */
export const decidingPair = changeKind({
  title: 'Say whether two accounts are one person',
  async act(engine, by, change: PairDecision) {
    return { alone: await decidePair(engine, by, change) };
  },
  facts(directory: DirectoryRecord, { user, other, answer }): PairFacts {
    const [first, second] = pairOf(user, other);
    const byId = new Map(directory.users.map((user) => [user.id, user]));
    return {
      user: namedUser(directory, first),
      other: namedUser(directory, second),
      from: answerTo(byId, [first, second]),
      to: answer,
    };
  },
  changeIn: ({ user, other, to }): PairDecision => ({ user: user.id, other: other.id, answer: to }),
  say: ({ user, other, from, to }) =>
    `${formatUser(user)} and ${formatUser(other)} ${formatAnswer(to)}; until now ${from ? `they ${formatAnswer(from)}` : 'no one has decided it'}.`,
});

function formatAnswer(answer: PairAnswer | null): string {
  if (answer === null) return 'are undecided again';
  return answer === 'one-person'
    ? 'are one person, who counts once in every quorum'
    : 'are two people, who count separately';
}
