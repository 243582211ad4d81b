import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { Section } from '../Section.tsx';
import classes from '../WhyAsked.module.css';
import { questionPart } from '../use-answer/parts-to-see.ts';
import { PartEnd, partStart } from './PartEnd.tsx';
import { why } from '../words/words.ts';

export function WhyAsked({ detail: { message, reason, server } }: { detail: ElicitationDetail }) {
  return (
    <Section title={why.title}>
      <div>
        <h3 className={classes.caption}>
          <Revealed text={why.question(server)} />
        </h3>
        <p className={classes.question} {...partStart(questionPart)}>
          <Revealed text={message} />
        </p>
        <PartEnd of={questionPart} />
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
