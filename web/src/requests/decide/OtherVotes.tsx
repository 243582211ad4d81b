import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { isClosed } from '#requests/asking/contract/elicitation';
import { Cross, Stop, Tick } from '../../ui/icons.tsx';
import { Age } from '../../ui/Moment.tsx';
import { Initials } from '../../ui/Initials.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from './OtherVotes.module.css';
import { Section } from './Section.tsx';
import { others, path } from './words/words.ts';

/** Every vote, also those that no longer count. */
export function OtherVotes({
  detail: { status, votes, revision },
}: {
  detail: Pick<ElicitationDetail, 'status' | 'votes' | 'revision'>;
}) {
  return (
    <Section title={others.title}>
      {votes.length === 0 ? (
        <p className={classes.soft}>{isClosed(status) ? others.noneAtAll : others.none}</p>
      ) : (
        <ul className={classes.votes}>
          {votes.map((vote) => (
            <li key={`${vote.by} ${vote.at}`}>
              <span className={classes.vote} data-action={vote.stands ? vote.action : 'void'}>
                {vote.stands ? vote.action === 'accept' ? <Tick /> : <Cross /> : <Stop />}
                <Initials id={vote.person} name={vote.by} />
                <Revealed text={vote.for === null ? vote.by : others.standsIn(vote.by, vote.for)} />{' '}
                {others[vote.action]}
                {vote.meanings.some((meaning) => meaning !== 'approved') &&
                  ` ${vote.meanings.map((meaning) => path.meanings[meaning]).join(', ')}`}
              </span>{' '}
              <span className={classes.soft}>
                <Age at={vote.at} />
                {vote.allowFor !== null && ` · ${others.allowed(vote.allowFor)}`}
                {!vote.stands && ` · ${vote.revision < revision ? others.voided : others.takenBack}`}
              </span>
              {vote.comment !== null && (
                <p className={classes.comment}>
                  <Revealed text={vote.comment} />
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
