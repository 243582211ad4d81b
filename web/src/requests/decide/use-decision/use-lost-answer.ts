import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { requestQuery } from '../../../shell/queries.ts';
import { useUser } from '../../../people/users/use-user.ts';
import type { Verb } from '../decision-table/decision-table.ts';

interface Lost {
  verb: Verb;
  /** How many votes this person had before. */
  votes: number;
  /** Whether the server could be asked since, and has nothing of it. */
  isMissing: boolean;
}

/** After a decision whose answer was lost: asks until it is clear whether it arrived, and says so if it did, however late. */
export function useLostAnswer(detail: ElicitationDetail, onArrived: (verb: Verb, now: ElicitationDetail) => void) {
  const [lost, setLost] = useState<Lost | null>(null);
  const before = useRef(0);
  const queries = useQueryClient();
  const userId = useUser()?.id;
  const votes = detail.votes.filter(({ person }) => person === userId).length;
  const hasArrived = lost !== null && (lost.verb === 'cancel' ? detail.status === 'cancelled' : votes > lost.votes);
  const isAsking = lost !== null && !lost.isMissing && !hasArrived;
  useEffect(() => {
    if (!isAsking) return;
    const asking = setInterval(async () => {
      const query = { ...requestQuery(detail.id, true), staleTime: 0, retry: false };
      const isAnswered = await queries.fetchQuery(query).then(
        () => true,
        () => false,
      );
      if (isAnswered) setLost((before) => before && { ...before, isMissing: true });
    }, askEvery);
    return () => clearInterval(asking);
  }, [isAsking, detail.id, queries]);
  useEffect(() => {
    if (!hasArrived) return;
    setLost(null);
    onArrived(lost.verb, detail);
  });
  return {
    /** Whether it is known that it has not arrived. */
    isMissing: lost?.isMissing === true,
    /** Before each decision: what is known then, for its vote may be shown before its answer is lost. */
    begin: () => {
      before.current = votes;
      setLost(null);
    },
    note: (verb: Verb) => setLost({ verb, votes: before.current, isMissing: false }),
  };
}

/** Milliseconds. */
const askEvery = 1_500;
