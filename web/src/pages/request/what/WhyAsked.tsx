import type { ElicitationDetail } from '../../../../../src/contract/console/console.ts';
import { Revealed } from '../../../ui/Revealed.tsx';
import { Section } from '../form/Section.tsx';
import classes from './WhyAsked.module.css';
import { why } from '../words/words.ts';

export function WhyAsked({ detail: { message, reason } }: { detail: ElicitationDetail }) {
  return (
    <Section title={why.title}>
      <div>
        <h3 className={classes.caption}>{why.question}</h3>
        <p className={classes.question}>
          <Revealed text={message} />
        </p>
      </div>
      {reason === null ? (
        <p className={classes.caption}>{why.none}</p>
      ) : (
        <figure className={classes.agent}>
          <figcaption className={classes.caption}>{why.agent}</figcaption>
          <blockquote className={classes.reason}>
            <Revealed text={reason} />
          </blockquote>
        </figure>
      )}
    </Section>
  );
}
