import { Link } from 'react-router';
import type { ElicitationDetail } from '../../../../src/contract/console.ts';
import { CallerMark, RiskMark, StatusMark } from '../../ui/marks.tsx';
import { Age, TimeLeft } from '../../ui/Moment.tsx';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from './RequestHeader.module.css';
import view from './RequestView.module.css';
import { words } from './words.ts';

export function RequestHeader({ detail }: { detail: ElicitationDetail }) {
  const { tool, risk, status, cause, caller, openedAt, deadlineAt, closedAt } = detail;
  return (
    <header className={view.header}>
      <Link to="/inbox" className={classes.back}>
        <span aria-hidden="true">←</span> {words.toInbox}
      </Link>
      <PageHeading title={words.tab(tool.title ?? tool.name)} className={classes.title}>
        <Revealed text={tool.title ?? tool.name} />
      </PageHeading>
      <div className={classes.facts}>
        <RiskMark risk={risk} />
        <StatusMark status={status} cause={cause} />
        {(closedAt === null || caller === 'gone') && <CallerMark caller={caller} />}
        <span>
          {words.opened} <Age at={openedAt} />
        </span>
        {closedAt === null ? (
          <TimeLeft until={deadlineAt} />
        ) : (
          <span>
            {words.closed} <Age at={closedAt} />
          </span>
        )}
      </div>
    </header>
  );
}
