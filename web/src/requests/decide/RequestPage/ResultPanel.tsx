import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { isClosed } from '#requests/asking/contract/elicitation';
import { colon } from '../../../language/words/words.ts';
import { sentences } from '../../../language/sentences.ts';
import { listAddress, isFiltered, readFilters, requestAddress } from '../../inbox/inbox-url.ts';
import { nextRequestQuery } from '../../../shell/queries.ts';
import { StatusMark } from '../../../ui/marks.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { AnswerList } from '../FieldControl/AnswerList.tsx';
import panel from '../DecidePanel.module.css';
import view from '../RequestView.module.css';
import { resultSentence } from '../request-path/result-sentence.ts';
import classes from '../ResultPanel.module.css';
import { MoreSteps } from '../MoreSteps/MoreSteps.tsx';
import { RevokeStep } from '../Steps/RevokeStep.tsx';
import { TakeBack } from '../Steps/TakeBack.tsx';
import { StepProblem } from '../Steps/StepProblem.tsx';
import type { RequestPartProps } from '../MoreSteps/request-part-props.ts';
import { decide, others, policy as policyWords, result as words } from '../words/words.ts';

/** Stands where the decision stood: what became of it, who decided, and the way to the next request. */
export function ResultPanel({ detail, decision, reading }: RequestPartProps) {
  const id = useId();
  const { result } = decision;
  return (
    <section id="decision" tabIndex={-1} aria-labelledby={id} className={`${view.decide} ${panel.panel}`}>
      <h2 id={id} tabIndex={-1} className={panel.title}>
        {result === null && !isClosed(detail.status) ? decide.title : words.title}
      </h2>
      {result === null && <StepProblem decision={decision} />}
      <p className={classes.status}>
        <StatusMark status={detail.status} cause={detail.cause} /> <DecidedBy detail={detail} />
      </p>
      {result !== null && <p className={classes.sentence}>{resultSentence(result, detail)}</p>}
      <TakeBack detail={detail} reading={reading} decision={decision} />
      {detail.answer !== null && Object.keys(detail.answer).length > 0 && <Answer answer={detail.answer} />}
      {!isClosed(detail.status) && <MoreSteps detail={detail} reading={reading} decision={decision} />}
      {isClosed(detail.status) && <RevokeStep detail={detail} reading={reading} decision={decision} />}
      {isClosed(detail.status) && <Receipt id={detail.id} />}
      <NextRequest id={detail.id} takesFocus={result !== null} />
    </section>
  );
}

function DecidedBy({ detail: { status, votes, audience, policy, breakGlass } }: { detail: ElicitationDetail }) {
  const deciding = status === 'accepted' ? 'accept' : status === 'declined' ? 'decline' : null;
  const counted = votes.filter(({ action, stands }) => stands && action === deciding);
  const names = counted.map((vote) => (vote.for === null ? vote.by : others.standsIn(vote.by, vote.for)));
  if (names.length > 0) return <Revealed text={words.by(names)} />;
  const isByItself = status === 'accepted' && audience === 'approvers' && breakGlass === null;
  return isByItself ? <Revealed text={formatBasis(policy)} /> : null;
}

/** What allowed a request that no one voted on. */
const formatBasis = ({ basis, terms: [term] }: ElicitationDetail['policy']): string =>
  basis === 'grant' || !term ? policyWords.grant : sentences.clause(term);

function Answer({ answer }: { answer: NonNullable<ElicitationDetail['answer']> }) {
  return (
    <div>
      <h3 className={classes.caption}>{words.answer}</h3>
      <AnswerList content={answer} />
    </div>
  );
}

function Receipt({ id }: { id: string }) {
  return (
    <p className={classes.receipt}>
      <a href={`/api/elicitations/${id}/receipt`} download>
        {words.receipt}
      </a>{' '}
      {words.receiptMeaning}
    </p>
  );
}

/** After a decision the focus comes here, so that a queue can be worked through without hunting for it. */
function NextRequest({ id, takesFocus }: { id: string; takesFocus: boolean }) {
  const [search] = useSearchParams();
  const filters = readFilters(search);
  const { data, isPending } = useQuery(nextRequestQuery(id, filters));
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (takesFocus && !isPending) link.current?.focus();
  }, [takesFocus, isPending]);
  if (isPending) return <p role="status">{words.looking}</p>;
  if (!data) {
    return (
      <Link ref={link} to={listAddress(filters)} className={classes.next}>
        {isFiltered(filters) ? words.queueDone : words.toInbox}
      </Link>
    );
  }
  return (
    <Link ref={link} to={requestAddress(data.id, filters)} className={classes.next}>
      <span>
        {words.next}
        {colon} <Revealed text={data.toolTitle ?? data.tool} />
      </span>
    </Link>
  );
}
