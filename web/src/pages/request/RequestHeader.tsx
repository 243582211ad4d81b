import type { ElicitationDetail } from '../../../../src/contract/console/console.ts';
import { BackToList } from '../../ui/page/BackToList.tsx';
import { CallerMark, RiskMark, StatusMark } from '../../ui/marks.tsx';
import { Age, TimeLeft } from '../../ui/Moment.tsx';
import page from '../../ui/page/Page.module.css';
import { PageHeading } from '../../ui/page/PageHeading.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from './RequestHeader.module.css';
import view from './form/RequestView.module.css';
import { words } from './words/words.ts';

export function RequestHeader({ detail }: { detail: ElicitationDetail }) {
  const { tool, risk, status, cause, caller, openedAt, deadlineAt, closedAt } = detail;
  return (
    <header className={view.header}>
      <BackToList />
      <PageHeading title={words.tab(tool.title ?? tool.name)} className={page.name}>
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
