import { Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import { deliberationRoutes } from '#requests/deliberation/contract/routes';
import { call } from '../../client/call.ts';
import { ProblemNotice, Notice } from '../../ui/Notice.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { useSideStep } from './use-side-step.ts';
import { discussion as discussionWords } from './words/words.ts';
import type { ShownRemark } from '#requests/voting/contract/stages';
import { useCarried, useCarrying, useFormKey } from '../../ui/carried-text.ts';
import { Age } from '../../ui/Moment.tsx';
import { Initials } from '../../ui/Initials.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { AnswerList } from './AnswerSection.tsx';
import discussionClasses from './Discussion.module.css';
import { Section } from './Section.tsx';
import type { RequestPartProps } from './MoreSteps.tsx';

/** Remarks among deciders, and with the requester. Nothing said here decides. */
export function Discussion({ detail, reading, decision }: RequestPartProps) {
  const { remarks, inquiry, closedAt } = detail;
  return (
    <Section title={discussionWords.title}>
      {remarks.length === 0 ? (
        <p className={discussionClasses.soft}>{discussionWords.none}</p>
      ) : (
        <ul className={discussionClasses.remarks}>
          {remarks.map((remark) => (
            <Remark key={remark.id} remark={remark} />
          ))}
        </ul>
      )}
      {inquiry !== null && <Notice tone="plain" title={discussionWords.waiting} />}
      {closedAt === null && <SayForm detail={detail} reading={reading} decision={decision} />}
    </Section>
  );
}

function Remark({ remark: { kind, by, person, text, answer, at } }: { remark: ShownRemark }) {
  return (
    <li className={discussionClasses.remark} data-kind={kind}>
      <p className={discussionClasses.who}>
        {person !== null && by !== null && <Initials id={person} name={by} />}
        <Revealed text={by ?? discussionWords.requester} />{' '}
        <span className={discussionClasses.soft}>{discussionWords.kinds[kind]}</span>{' '}
        <span className={discussionClasses.soft}>
          <Age at={at} />
        </span>
      </p>
      {text !== '' && (
        <p className={discussionClasses.text}>
          <Revealed text={text} />
        </p>
      )}
      {answer?.channel === 'told' && <p className={discussionClasses.soft}>{discussionWords.told}</p>}
      {answer !== null && answer.action !== 'accept' && <p>{discussionWords.refused}</p>}
      {answer?.content && <AnswerList content={answer.content} />}
    </li>
  );
}

function SayForm({ detail, reading, decision: { may } }: RequestPartProps) {
  const key = useFormKey('remark', detail.id);
  const [text, setText] = useState(useCarried<string>(key) ?? '');
  useCarrying(key, text);
  const id = useId();
  // Text typed while sending is new.
  const keepNew = (sent: string) => setText((now) => (now.trim() === sent ? '' : now));
  const params = { id: detail.id };
  const comment = useSideStep(detail, reading, {
    send: (text: string) => call(deliberationRoutes.addComment, { params, body: { text } }),
    done: discussionWords.commented,
  });
  const ask = useSideStep(detail, reading, {
    send: (message: string) =>
      call(deliberationRoutes.askForInformation, { params, body: { digest: detail.digest, message } }),
    done: discussionWords.asked,
  });
  const message = text.trim();
  const [isMissing, setIsMissing] = useState(false);
  const say = (step: typeof comment): void => {
    setIsMissing(message === '');
    if (message !== '') step.mutate(message, { onSuccess: () => keepNew(message) });
  };
  const reasons = [...new Set([may.comment.reason, may.inquire.reason])].filter((reason) => reason !== null);
  return (
    <div className={discussionClasses.say}>
      <Textarea
        label={discussionWords.label}
        description={discussionWords.note}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={isMissing && message === '' && discussionWords.empty}
        maxLength={4000}
        rows={2}
        autoComplete="off"
      />
      {(comment.isError || ask.isError) && <ProblemNotice error={comment.error ?? ask.error} />}
      <div className={discussionClasses.actions}>
        <ReasonedButton
          permission={may.comment}
          reasonId={id}
          isQuiet
          isSending={comment.isPending}
          onPress={() => say(comment)}
        >
          {discussionWords.comment}
        </ReasonedButton>
        <ReasonedButton
          permission={may.inquire}
          reasonId={id}
          isQuiet
          isSending={ask.isPending}
          onPress={() => say(ask)}
        >
          {discussionWords.ask}
        </ReasonedButton>
      </div>
      <p id={id} className={discussionClasses.soft}>
        {reasons.join(' ')}
      </p>
    </div>
  );
}
