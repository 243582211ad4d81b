import { may } from '../../lib/permission-table.ts';
import { Link } from 'react-router';
import { reportIds } from '#protocol/model/report';
import { useUser } from '../../lib/use-user.ts';
import { Notice } from '../../ui/Notice.tsx';
import page from '../../ui/page/Page.module.css';
import { PageHead } from '../../ui/page/PageHead.tsx';
import classes from './Audit.module.css';
import { ProofNotice } from './ProofNotice.tsx';
import { QuestionLine } from './QuestionLine.tsx';
import { ReceiptCheck } from './ReceiptCheck.tsx';
import { holds, log, questions, words } from './words/words.ts';

/** The questions that reviewers usually ask. */
export function AuditPage() {
  const user = useUser();
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      {!may(user, 'read-log').allowed ? (
        <Notice tone="warn" title={words.reviewersOnly} />
      ) : (
        <>
          <ProofNotice />
          <QuestionLine />
          <Questions />
          <p>
            <Link to="/audit/log">{log.title}</Link>: {log.note}
          </p>
          <p>
            <Link to="/audit/holds">{holds.link}</Link>: {holds.note}
          </p>
          <ReceiptCheck />
        </>
      )}
    </div>
  );
}

const Questions = () => (
  <ul aria-label={words.questions} className={classes.questions}>
    {reportIds.map((id) => (
      <li key={id}>
        <Link to={`/audit/${id}`} className={classes.question}>
          <span className={classes.title}>{questions[id].title}</span>
          <span className={classes.note}>{questions[id].note}</span>
        </Link>
      </li>
    ))}
  </ul>
);
