import { colon } from '../../../language/words/words.ts';
import { may } from '../../../people/roles/permission-table.ts';
import { Link } from 'react-router';
import { isByServer, reportIds } from '#audit/reports/contract/report';
import { useUser } from '../../../people/users/use-user.ts';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import classes from '../Audit.module.css';
import { ProofNotice } from '../ProofNotice.tsx';
import { QuestionLine } from './QuestionLine.tsx';
import { ReceiptCheck } from './ReceiptCheck.tsx';
import { holds, log, questions, words } from '../words/words.ts';

/** The questions that reviewers usually ask. */
export function AuditPage() {
  const user = useUser();
  // Of some servers, there are the questions about their requests alone.
  const isAll = may(user, 'read-log').allowed;
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      {!user?.reads.log ? (
        <Notice tone="warn" title={words.reviewersOnly} />
      ) : (
        <>
          {isAll && <ProofNotice />}
          <QuestionLine />
          <Questions isAll={isAll} />
          <p>
            <Link to="/audit/log">{log.title}</Link>
            {colon} {log.note}
          </p>
          {isAll && (
            <>
              <p>
                <Link to="/audit/holds">{holds.link}</Link>
                {colon} {holds.note}
              </p>
              <ReceiptCheck />
            </>
          )}
        </>
      )}
    </div>
  );
}

const Questions = ({ isAll }: { isAll: boolean }) => (
  <ul aria-label={words.questions} className={classes.questions}>
    {reportIds
      .filter((id) => isAll || isByServer(id))
      .map((id) => (
        <li key={id}>
          <Link to={`/audit/${id}`} className={classes.question}>
            <span className={classes.title}>{questions[id].title}</span>
            <span className={classes.note}>{questions[id].note}</span>
          </Link>
        </li>
      ))}
  </ul>
);
