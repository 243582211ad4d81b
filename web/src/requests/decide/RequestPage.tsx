import { revealText } from '#platform/text/visible-text';
import { lazy, Suspense, useId, useState, type SubmitEvent, useRef, useEffect } from 'react';
import { may } from '../../people/roles/permission-table.ts';
import { usePrefetchQuery, useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useParams, Link, useSearchParams } from 'react-router';
import { isProblemOf } from '../../client/call-api.ts';
import { comparisonQuery, requestQuery, nextRequestQuery } from '../../shell/queries.ts';
import { useUser } from '../../people/users/use-user.ts';
import { useIsLive } from '../inbox/use-live-inbox.tsx';
import { MissingPage } from '../../shell/MissingPage.tsx';
import { Notice, ProblemNotice } from '../../ui/Notice.tsx';
import { places } from '../../ui/words/words.ts';
import { MoreSteps, type RequestPartProps } from './MoreSteps.tsx';
import { Discussion } from './Discussion.tsx';
import { useQueueKeys } from './use-queue-keys.ts';
import {
  words,
  look,
  withoutContent as withoutContentWords,
  decide as decidePanelWords,
  decide,
  others,
  policy as policyWords,
  result as resultPanelWords,
  allowing as allowForWords,
} from './words/words.ts';
import { revealBy, Revealed } from '../../ui/Revealed.tsx';
import { Button, Textarea, Skeleton, TextInput, NativeSelect } from '@mantine/core';
import { elicitationRoutes } from '#requests/asking/contract/routes';
import { deliberationRoutes } from '#requests/deliberation/contract/routes';
import { call, query } from '../../client/call.ts';
import { fieldFaults } from '../../ui/field-faults.ts';
import { PageHeading } from '../../ui/PageHeading.tsx';
import page from '../../ui/Page.module.css';
import classes from './WithoutContent.module.css';
import requestSkeletonClasses from './RequestView.module.css';
import view from './RequestView.module.css';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { isClosed } from '#requests/asking/contract/elicitation';
import { AnswerSection, AnswerForm, AnswerList } from './AnswerSection.tsx';
import { ChangedNotice, WhoAsks, WhyAsked, partStart, DecisionCard } from './DecisionCard.tsx';
import { OtherVotes } from './OtherVotes.tsx';
import {
  BreakGlassNotice,
  LookBackNotice,
  MoreTime,
  StepProblem,
  WithdrawRequest,
  RevokeStep,
  TakeBack,
} from './Steps.tsx';
import { PolicySection, resultSentence } from './PolicySection.tsx';
import { useDecision, type DecisionState } from './use-decision.ts';
import { useReading, cardPart } from './use-answer.ts';
import { WhatRuns } from './WhatRuns.tsx';
import { useIsSettled } from '../../ui/use-is-settled.ts';
import { BackToList } from '../../ui/BackToList.tsx';
import { CallerMark, RiskMark, StatusMark } from '../../ui/marks.tsx';
import { Age, TimeLeft } from '../../ui/Moment.tsx';
import requestHeaderClasses from './RequestHeader.module.css';
import { auditRoutes, type RequestRecord } from '#audit/search/contract';
import { describeDuration, describeMoment } from '../../ui/relative-time.ts';
import { Fact, FactList } from '../../ui/FactList.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { sentences } from '../../language/sentences.ts';
import { standsInCard } from './decision-table.ts';
import decidePanelClasses from './DecidePanel.module.css';
import panel from './DecidePanel.module.css';
import { DecisionButtons } from './DecisionButtons.tsx';
import { useDecisionKeys, useSheetHeight } from './use-decision-keys.tsx';
import { VoteAs } from './VoteAs.tsx';
import { colon } from '../../language/words/words.ts';
import { listAddress, isFiltered, readFilters, requestAddress } from '../inbox/inbox-url.ts';
import resultPanelClasses from './ResultPanel.module.css';
import { grantDurations, mayGrant } from './grant-terms.ts';

revealBy(revealText); // no look-alike stays unmarked here, not for a moment

const ErasedRequest = lazy(async () => ({ default: (await import('./ErasedRequest.tsx')).ErasedRequest }));

export function RequestPage() {
  const { id = '' } = useParams();
  const user = useUser();
  useQueueKeys(id);
  usePrefetchQuery(comparisonQuery(id)); // loaded with the request, so that the card does not wait for it
  const { data, error, isPending, refetch } = useQuery(requestQuery(id, useIsLive()));
  if (isProblemOf(error, 'content-erased')) {
    return (
      <Suspense>
        <ErasedRequest id={id} />
      </Suspense>
    );
  }
  if (data !== undefined) {
    return (
      <>
        {error !== null && <Notice tone="warn" title={words.stale} />}
        <RequestView key={id} detail={data} />
      </>
    );
  }
  if (isPending) return <RequestSkeleton />;
  if (isProblemOf(error, 'reason-needed'))
    return <LookForm key={id} id={id} isWatching={may(user, 'watch-requests').allowed} />;
  if (isProblemOf(error, 'not-found')) return <MissingPage words={words} back={{ to: '/inbox', text: places.inbox }} />;
  if (isProblemOf(error, 'sealed-unreadable')) return <UnreadableRequest id={id} error={error} />;
  return <ProblemNotice error={error} onRetry={() => void refetch()} />;
}

interface LookFormProps {
  id: string;
  /** Set if the reader may see everything but the content without a reason. */
  isWatching: boolean;
}

/** Asks reviewers for the reason before they read this request. */
function LookForm({ id, isWatching }: LookFormProps) {
  const [reason, setReason] = useState('');
  const note = useId();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => call(deliberationRoutes.lookAt, { params: { id }, body: { reason } }),
    onSuccess: (detail) => client.setQueryData(requestQuery(id, true).queryKey, detail),
  });
  const fault = fieldFaults(save.error)['reason'];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <>
      <PageHeading title={isWatching ? look.withoutContent : look.title}>
        {isWatching ? look.withoutContent : look.title}
      </PageHeading>
      {isWatching && <WithoutContent id={id} />}
      <form onSubmit={submit} noValidate className={page.form}>
        {isWatching && <h2 className={page.subtitle}>{look.title}</h2>}
        <p id={note}>{look.note}</p>
        {save.isError && fault === undefined && <ProblemNotice error={save.error} />}
        <Textarea
          label={look.reason}
          aria-describedby={note}
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={fault}
        />
        <Button type="submit" loading={save.isPending} className={classes.submit}>
          {look.submit}
        </Button>
      </form>
    </>
  );
}

function RequestSkeleton() {
  return (
    <div className={requestSkeletonClasses.page} role="status" aria-label={words.loading}>
      <div className={requestSkeletonClasses.header}>
        <Skeleton height={14} width={160} mb="sm" />
        <Skeleton height={28} width="45%" mb="md" />
        <Skeleton height={14} width="60%" />
      </div>
      <div className={requestSkeletonClasses.reading}>
        <Skeleton height={180} />
        <Skeleton height={110} />
        <Skeleton height={110} />
      </div>
      <Skeleton height={380} className={requestSkeletonClasses.decide} />
    </div>
  );
}

// No decision waits for it.
const LaterSections = lazy(async () => ({
  default: (await import('./LaterSections.tsx')).LaterSections,
}));

/**
 * One request, always in this order: call, requester, reason, policy, other votes, remarks, decision, history, and last the
 * emergency override.
 */
function RequestView({ detail }: { detail: ElicitationDetail }) {
  const reading = useReading(detail);
  const decision = useDecision(detail, reading);
  const isOpen = !isClosed(detail.status) && decision.result === null;
  return (
    <article className={requestSkeletonClasses.page} ref={decision.answer.container}>
      <RequestHeader detail={detail} />
      <div className={requestSkeletonClasses.reading}>
        {reading.isChanged && <ChangedNotice reading={reading} detail={detail} />}
        <BreakGlassNotice detail={detail} reading={reading} />
        <LookBackNotice detail={detail} reading={reading} />
        <WhatRuns detail={detail} reading={reading} decision={decision} />
        <WhoAsks detail={detail} />
        <WhyAsked detail={detail} />
        <PolicySection detail={detail} />
        <OtherVotes detail={detail} />
        {isOpen && <AnswerSection detail={detail} decision={decision} />}
        <Discussion detail={detail} reading={reading} decision={decision} />
      </div>
      {isOpen ? (
        <DecidePanel detail={detail} decision={decision} reading={reading} />
      ) : (
        <ResultPanel detail={detail} decision={decision} reading={reading} />
      )}
      <div className={requestSkeletonClasses.later}>
        <Suspense>
          {useIsSettled() && <LaterSections detail={detail} decision={decision} reading={reading} isOpen={isOpen} />}
        </Suspense>
      </div>
    </article>
  );
}

/** Replaces a request with unreadable content: it tells so, and an administrator can end it. */
function UnreadableRequest({ id, error }: { id: string; error: unknown }) {
  const user = useUser();
  const queries = useQueryClient();
  const withdrawal = useMutation({
    mutationFn: () => call(elicitationRoutes.withdrawUnreadable, { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['inbox'] }),
  });
  return (
    <>
      <PageHeading title={words.unreadable}>{words.unreadable}</PageHeading>
      <ProblemNotice error={withdrawal.error ?? error} />
      {withdrawal.isSuccess && <Notice tone="good" title={words.withdrawn} />}
      {may(user, 'tend-requests').allowed && !withdrawal.isSuccess && (
        <>
          <p>{words.withdrawNote}</p>
          <Button variant="default" loading={withdrawal.isPending} onClick={() => withdrawal.mutate()}>
            {words.withdrawUnreadable}
          </Button>
        </>
      )}
      <p>
        <Link to="/inbox">{places.inbox}</Link>
      </p>
    </>
  );
}

function RequestHeader({ detail }: { detail: ElicitationDetail }) {
  const { server, tool, risk, status, cause, caller, openedAt, deadlineAt, closedAt } = detail;
  const mayStop = may(useUser(), 'stop-calls').allowed;
  const stop = new URLSearchParams({ server, tool: tool.name });
  return (
    <header className={view.header}>
      <BackToList />
      <PageHeading title={words.tab(tool.title ?? tool.name)} className={page.name}>
        <Revealed text={tool.title ?? tool.name} />
      </PageHeading>
      <div className={requestHeaderClasses.facts}>
        <RiskMark risk={risk} />
        <StatusMark status={status} cause={cause} />
        {(closedAt === null || caller === 'gone') && <CallerMark caller={caller} />}
        <span>
          {words.opened} <Age at={openedAt} />
        </span>
        {closedAt === null ? (
          <span className={requestHeaderClasses.deadline}>
            <TimeLeft until={deadlineAt} />
          </span>
        ) : (
          <span>
            {words.closed} <Age at={closedAt} />
          </span>
        )}
        {mayStop && <Link to={`/settings/stops?${stop}`}>{words.stopTool}</Link>}
      </div>
    </header>
  );
}

/** A request's log entries for administrators and reviewers, who need no reason for them: everything but its content. */
function WithoutContent({ id }: { id: string }) {
  const record = useQuery(query(auditRoutes.showRecord, { params: { id } }));
  return <Loaded query={record}>{(loaded) => <Facts record={loaded} />}</Loaded>;
}

function Facts({ record }: { record: RequestRecord }) {
  const { id, server, tool, policy, openedAt, closedAt, votes, names, override } = record;
  return (
    <section aria-label={withoutContentWords.title} className={classes.facts}>
      <h2 className={page.subtitle}>{withoutContentWords.title}</h2>
      <p className={classes.marks}>
        <StatusMark {...record} /> <RiskMark risk={record.risk} />
      </p>
      <FactList>
        <Fact name={withoutContentWords.tool}>
          <Revealed text={`${tool} · ${server}`} />
        </Fact>
        <Fact name={withoutContentWords.policy}>
          <Revealed text={policy} />
        </Fact>
        <Fact name={withoutContentWords.asked}>{describeMoment(openedAt)}</Fact>
        {closedAt !== null && (
          <Fact name={withoutContentWords.ended}>
            {withoutContentWords.after(describeMoment(closedAt), describeDuration(closedAt - openedAt))}
          </Fact>
        )}
        {override !== null && <Fact name={withoutContentWords.override}>{describeMoment(override.at)}</Fact>}
        <Fact name={withoutContentWords.votes}>
          {votes.length === 0 && withoutContentWords.noVotes}
          <ul>
            {votes.map(({ at, by, action, voidAt }) => (
              <li key={`${by} ${at}`}>
                <Revealed
                  text={withoutContentWords.vote({
                    name: names[by] ?? by,
                    action,
                    when: describeMoment(at),
                    after: describeDuration(at - openedAt),
                    isVoid: voidAt !== null,
                  })}
                />
              </li>
            ))}
          </ul>
        </Fact>
      </FactList>
      <Link to={`/audit/requests/${id}`}>{withoutContentWords.timeline}</Link>
    </section>
  );
}

/** The card to decide on, with all other steps below. */
function DecidePanel({ detail, decision, reading }: RequestPartProps) {
  return (
    <div className={`${view.decide} ${decidePanelClasses.side}`}>
      <Card detail={detail} decision={decision} />
      <div className={decidePanelClasses.more}>
        <MoreTime decision={decision} />
        <MoreSteps detail={detail} reading={reading} decision={decision} />
        <WithdrawRequest decision={decision} />
      </div>
    </div>
  );
}

/**
 * Subject of the decision and the buttons, always in one block: next to the text, or as a sheet at the bottom of a narrow
 * screen. If it is higher than the screen, its text scrolls and the buttons stay. A folded sheet has no buttons, so that no
 * one decides without seeing the subject.
 */
function Card({ detail, decision }: Omit<RequestPartProps, 'reading'>) {
  const { isFolded, setFolded } = decision;
  const armed = useDecisionKeys(detail, decision);
  const sheet = useRef<HTMLElement>(null);
  useSheetHeight(sheet);
  const id = useId();
  return (
    <section
      ref={sheet}
      id="decision"
      tabIndex={-1}
      aria-labelledby={id}
      className={decidePanelClasses.card}
      data-decision-card=""
      data-folded={isFolded && armed === null}
    >
      <div className={decidePanelClasses.head}>
        <h2 id={id} tabIndex={-1} className={decidePanelClasses.title}>
          {decidePanelWords.title}
        </h2>
        <span data-part="risk">
          <RiskMark risk={detail.risk} />
        </span>
        <span data-part="deadline">
          <TimeLeft until={detail.deadlineAt} />
        </span>
        <Button
          variant="subtle"
          color="gray"
          className={decidePanelClasses.fold}
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        >
          {isFolded ? decidePanelWords.unfold : decidePanelWords.fold}
        </Button>
      </div>
      <div className={decidePanelClasses.body}>
        <div className={decidePanelClasses.text} data-card-text="">
          <StepProblem decision={decision} />
          <div className={decidePanelClasses.half} {...partStart(cardPart)}>
            <DecisionCard detail={detail} />
          </div>
          <CardAnswers detail={detail} decision={decision} />
          <Confirmations detail={detail} decision={decision} />
          <Terms detail={detail} decision={decision} />
        </div>
        <div className={decidePanelClasses.half}>
          <DecisionButtons detail={detail} decision={decision} />
          {armed !== null && <p className={decidePanelClasses.armed}>{armed}</p>}
        </div>
      </div>
    </section>
  );
}

/** One or two choices, answered in the card. */
function CardAnswers({ detail, decision: { answer, votesFor } }: Omit<RequestPartProps, 'reading'>) {
  if (!standsInCard(answer.form.schema)) return null;
  return (
    <div data-answer="" className={decidePanelClasses.answers}>
      <AnswerForm answer={answer} isAnswerable={detail.can.vote.allowed || votesFor !== null} />
    </div>
  );
}

/** Texts that the policy has approvers type, so that they name the risk. */
function Confirmations({ detail, decision: { answer, votesFor } }: Omit<RequestPartProps, 'reading'>) {
  if (!detail.can.vote.allowed && votesFor === null) return null;
  return answer.texts.map((text, at) => (
    <div key={text} data-answer="" data-fault={answer.isUntyped(text)}>
      <TextInput
        label={decidePanelWords.toType(text)}
        value={answer.typed[at] ?? ''}
        onChange={(event) => answer.setTyped(at, event.currentTarget.value)}
        error={answer.isUntyped(text)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </div>
  ));
}

/** Options of the vote. On a narrow screen they open if needed. */
function Terms({ detail, decision }: Omit<RequestPartProps, 'reading'>) {
  const { answer } = decision;
  const [isWanted, setIsWanted] = useState(false);
  const isOpen = isWanted || answer.comment !== '' || answer.reasonRule !== null || Boolean(answer.commentFault);
  return (
    <>
      {!isOpen && (
        <Button
          variant="subtle"
          className={decidePanelClasses.open}
          aria-expanded={false}
          onClick={() => setIsWanted(true)}
        >
          {detail.standsInFor.length > 0 || detail.policy.grant !== null
            ? decidePanelWords.openTerms
            : decidePanelWords.openComment}
        </Button>
      )}
      <div className={decidePanelClasses.terms} data-open={isOpen} data-answer="">
        <VoteAs detail={detail} decision={decision} />
        <AllowFor detail={detail} decision={decision} />
        <div data-fault={Boolean(answer.commentFault)}>
          <Textarea
            label={decidePanelWords.comment}
            description={
              answer.reasonRule === null
                ? decidePanelWords.commentNote
                : decidePanelWords.commentRule(sentences.clause(answer.reasonRule))
            }
            value={answer.comment}
            onChange={(event) => answer.setComment(event.currentTarget.value)}
            error={answer.commentFault}
            maxLength={4000}
            rows={2}
            autoComplete="off"
          />
        </div>
      </div>
    </>
  );
}

/** Replaces the decision after it: the result, the deciders, and the way to the next request. */
function ResultPanel({ detail, decision, reading }: RequestPartProps) {
  const id = useId();
  const { result } = decision;
  return (
    <section id="decision" tabIndex={-1} aria-labelledby={id} className={`${view.decide} ${panel.panel}`}>
      <h2 id={id} tabIndex={-1} className={panel.title}>
        {result === null && !isClosed(detail.status) ? decide.title : resultPanelWords.title}
      </h2>
      {result === null && <StepProblem decision={decision} />}
      <p className={resultPanelClasses.status}>
        <StatusMark status={detail.status} cause={detail.cause} /> <DecidedBy detail={detail} />
      </p>
      {result !== null && <p className={resultPanelClasses.sentence}>{resultSentence(result, detail)}</p>}
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
  if (names.length > 0) return <Revealed text={resultPanelWords.by(names)} />;
  const isByItself = status === 'accepted' && audience === 'approvers' && breakGlass === null;
  return isByItself ? <Revealed text={formatBasis(policy)} /> : null;
}

/** Basis of an allowed request without votes. */
const formatBasis = ({ basis, terms: [term] }: ElicitationDetail['policy']): string =>
  basis === 'grant' || !term ? policyWords.grant : sentences.clause(term);

function Answer({ answer }: { answer: NonNullable<ElicitationDetail['answer']> }) {
  return (
    <div>
      <h3 className={resultPanelClasses.caption}>{resultPanelWords.answer}</h3>
      <AnswerList content={answer} />
    </div>
  );
}

function Receipt({ id }: { id: string }) {
  return (
    <p className={resultPanelClasses.receipt}>
      <a href={`/api/elicitations/${id}/receipt`} download>
        {resultPanelWords.receipt}
      </a>{' '}
      {resultPanelWords.receiptMeaning}
    </p>
  );
}

/** Link to the next request, focused after a decision so that a queue can be worked through. */
function NextRequest({ id, takesFocus }: { id: string; takesFocus: boolean }) {
  const [search] = useSearchParams();
  const filters = readFilters(search);
  const { data, isPending } = useQuery(nextRequestQuery(id, filters));
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (takesFocus && !isPending) link.current?.focus();
  }, [takesFocus, isPending]);
  if (isPending) return <p role="status">{resultPanelWords.looking}</p>;
  if (!data) {
    return (
      <Link ref={link} to={listAddress(filters)} className={resultPanelClasses.next}>
        {isFiltered(filters) ? resultPanelWords.queueDone : resultPanelWords.toInbox}
      </Link>
    );
  }
  return (
    <Link ref={link} to={requestAddress(data.id, filters)} className={resultPanelClasses.next}>
      <span>
        {resultPanelWords.next}
        {colon} <Revealed text={data.toolTitle ?? data.tool} />
      </span>
    </Link>
  );
}

/** Choice whether the same call may run again without asking, for how long, within the policy's bounds. */
function AllowFor({ detail, decision }: { detail: ElicitationDetail; decision: DecisionState }) {
  const { grant } = detail.policy;
  if (grant === null || !mayGrant(detail)) return null;
  const durations = grantDurations(grant).map((duration) => ({
    value: `${duration}`,
    label: allowForWords.lasting(duration),
  }));
  return (
    <NativeSelect
      label={allowForWords.label}
      description={allowForWords.bounds(grant)}
      value={`${decision.allowFor ?? ''}`}
      data={[{ value: '', label: allowForWords.once }, ...durations]}
      onChange={({ currentTarget: { value } }) => decision.allow(value === '' ? null : Number(value))}
    />
  );
}
