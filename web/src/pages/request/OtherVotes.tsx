import type { ElicitationDetail } from '../../../../src/contract/console.ts';
import { Cross, Tick } from '../../ui/icons.tsx';
import { Age } from '../../ui/Moment.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from './OtherVotes.module.css';
import { Section } from './Section.tsx';
import { others } from './words.ts';

export function OtherVotes({ votes }: { votes: ElicitationDetail['votes'] }) {
  return (
    <Section title={others.title}>
      {votes.length === 0 ? (
        <p className={classes.soft}>{others.none}</p>
      ) : (
        <ul className={classes.votes}>
          {votes.map(({ by, action, comment, at }) => (
            <li key={`${by} ${at}`}>
              <span className={classes.vote} data-action={action}>
                {action === 'accept' ? <Tick /> : <Cross />}
                <Revealed text={by} /> {others[action]}
              </span>{' '}
              <span className={classes.soft}>
                <Age at={at} />
              </span>
              {comment !== null && (
                <p className={classes.comment}>
                  <Revealed text={comment} />
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
