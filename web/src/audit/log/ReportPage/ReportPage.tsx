import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serverNow } from '../../../client/call-api/call-api.ts';
import { useParams, useSearchParams } from 'react-router';
import { reportIds, type ReportId } from '#audit/reports/contract/report';
import { readReport } from '../audit.ts';
import { usersQuery } from '../../../people/users/directory-queries.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { MissingPage } from '../../../shell/MissingPage.tsx';
import classes from '../Audit.module.css';
import { formatQuestion } from '../format-question.ts';
import { Printed } from '../Instant/Printed.tsx';
import { draftIn, queryOf, searchOf, type ReportDraft } from '../report-search.ts';
import { ReportAnswer } from './ReportAnswer.tsx';
import { ReportForm } from './ReportForm.tsx';
import { log, questions, words } from '../words/words.ts';

/** One of the usual questions, what it is narrowed by, and its answer. */
export function ReportPage() {
  const { question } = useParams();
  const id = reportIds.find((candidate) => candidate === question);
  if (!id) return <MissingPage words={words} back={back} />;
  return <Question key={id} id={id} />;
}

const back = { to: '/audit', text: words.back };

function Question({ id }: { id: ReportId }) {
  const [search, setSearch] = useSearchParams();
  const [now] = useState(serverNow);
  const draft = draftIn(id, search, now);
  const query = queryOf(id, draft);
  const isComplete = id !== 'access' || draft.person !== '';
  const people = useQuery(usersQuery).data ?? [];
  const show = (next: ReportDraft): void => setSearch(searchOf(id, next));
  return (
    <div className={classes.page}>
      <PageHead title={questions[id].title} lead={questions[id].note} back={back} />
      <ReportForm key={search.toString()} id={id} draft={draft} onShow={show} />
      <p className={classes.paper}>{formatQuestion({ id, draft }, people)}</p>
      {query ? <Answer id={id} query={query} /> : isComplete && <Notice tone="warn" title={log.wrongAddress} />}
      <Printed />
    </div>
  );
}

function Answer({ id, query }: { id: ReportId; query: URLSearchParams }) {
  const report = useQuery({
    queryKey: ['report', id, query.toString()],
    queryFn: ({ signal }) => readReport(id, query, signal),
  });
  return <Loaded query={report}>{(answer) => <ReportAnswer id={id} query={query} report={answer} />}</Loaded>;
}
