import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { type DecisionState, ownVote } from './use-decision.ts';
import { decide as words } from './words/words.ts';
import { Radio } from '@mantine/core';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from './AnswerForm.module.css';

/** Choice of the person to vote for, if someone delegated their vote. */
export function VoteAs({
  detail: { standsInFor, can },
  decision,
}: {
  detail: ElicitationDetail;
  decision: DecisionState;
}) {
  if (standsInFor.length === 0) return null;
  return (
    <Radio.Group
      label={words.voteAs}
      description={words.voteAsNote}
      value={decision.votesFor?.id ?? ownVote}
      onChange={decision.voteFor}
    >
      <div className={classes.options}>
        <Radio value={ownVote} label={words.ownName} disabled={!can.vote.allowed} className={classes.option} />
        {standsInFor.map(({ id, name }) => (
          <Radio key={id} value={id} label={<Revealed text={words.inPlaceOf(name)} />} className={classes.option} />
        ))}
      </div>
    </Radio.Group>
  );
}
