import { Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import type { ShownRemark } from '#requests/voting/contract/quorum';
import { addComment, askForInformation } from '../../inbox/elicitations.ts';
import { useCarried, useCarrying, useFormKey } from '../../../ui/carried-text.ts';
import { Age } from '../../../ui/Moment.tsx';
import { Notice, ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { Initials } from '../../../ui/Initials/Initials.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { AnswerList } from '../FieldControl/AnswerList.tsx';
import classes from '../Discussion.module.css';
import { Section } from '../Section.tsx';
import type { RequestPartProps } from './request-part-props.ts';
import { useSideStep } from '../use-side-step.ts';
import { discussion as words } from '../words/words.ts';

/** What was said among those who decide, and with the requester. Nothing said here decides. */
export function Discussion({ detail, reading, decision }: RequestPartProps) {
  const { remarks, inquiry, closedAt } = detail;
  return (
    <Section title={words.title}>
      {remarks.length === 0 ? (
        <p className={classes.soft}>{words.none}</p>
      ) : (
        <ul className={classes.remarks}>
          {remarks.map((remark) => (
            <Remark key={remark.id} remark={remark} />
          ))}
        </ul>
      )}
      {inquiry !== null && <Notice tone="plain" title={words.waiting} />}
      {closedAt === null && <SayForm detail={detail} reading={reading} decision={decision} />}
    </Section>
  );
}

function Remark({ remark: { kind, by, person, text, answer, at } }: { remark: ShownRemark }) {
  return (
    <li className={classes.remark} data-kind={kind}>
      <p className={classes.who}>
        {person !== null && by !== null && <Initials id={person} name={by} />}
        <Revealed text={by ?? words.requester} /> <span className={classes.soft}>{words.kinds[kind]}</span>{' '}
        <span className={classes.soft}>
          <Age at={at} />
        </span>
      </p>
      {text !== '' && (
        <p className={classes.text}>
          <Revealed text={text} />
        </p>
      )}
      {answer?.channel === 'told' && <p className={classes.soft}>{words.told}</p>}
      {answer !== null && answer.action !== 'accept' && <p>{words.refused}</p>}
      {answer?.content && <AnswerList content={answer.content} />}
    </li>
  );
}

function SayForm({ detail, reading, decision: { may } }: RequestPartProps) {
  const key = useFormKey('remark', detail.id);
  const [text, setText] = useState(useCarried<string>(key) ?? '');
  useCarrying(key, text);
  const id = useId();
  // What was typed while it was on its way is something new.
  const keepNew = (sent: string) => setText((now) => (now.trim() === sent ? '' : now));
  const comment = useSideStep(detail, reading, {
    send: (message: string) => addComment(detail.id, { text: message }),
    done: words.commented,
  });
  const ask = useSideStep(detail, reading, {
    send: (message: string) => askForInformation(detail.id, { digest: detail.digest, message }),
    done: words.asked,
  });
  const message = text.trim();
  const [isMissing, setIsMissing] = useState(false);
  const say = (step: typeof comment): void => {
    setIsMissing(message === '');
    if (message !== '') step.mutate(message, { onSuccess: () => keepNew(message) });
  };
  const reasons = [...new Set([may.comment.reason, may.inquire.reason])].filter((reason) => reason !== null);
  return (
    <div className={classes.say}>
      <Textarea
        label={words.label}
        description={words.note}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={isMissing && message === '' && words.empty}
        maxLength={4000}
        rows={2}
        autoComplete="off"
      />
      {(comment.isError || ask.isError) && <ProblemNotice error={comment.error ?? ask.error} />}
      <div className={classes.actions}>
        <ReasonedButton
          permission={may.comment}
          reasonId={id}
          isQuiet
          isSending={comment.isPending}
          onPress={() => say(comment)}
        >
          {words.comment}
        </ReasonedButton>
        <ReasonedButton
          permission={may.inquire}
          reasonId={id}
          isQuiet
          isSending={ask.isPending}
          onPress={() => say(ask)}
        >
          {words.ask}
        </ReasonedButton>
      </div>
      <p id={id} className={classes.soft}>
        {reasons.join(' ')}
      </p>
    </div>
  );
}
