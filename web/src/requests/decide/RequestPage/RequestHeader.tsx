import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { BackToList } from '../../../ui/BackToList.tsx';
import { CallerMark, RiskMark, StatusMark } from '../../../ui/marks.tsx';
import { Age, TimeLeft } from '../../../ui/Moment.tsx';
import { Link } from 'react-router';
import { may } from '../../../people/roles/permission-table.ts';
import { useUser } from '../../../people/users/use-user.ts';
import page from '../../../ui/Page.module.css';
import { PageHeading } from '../../../ui/PageHeading.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../RequestHeader.module.css';
import view from '../RequestView.module.css';
import { words } from '../words/words.ts';

export function RequestHeader({ detail }: { detail: ElicitationDetail }) {
  const { server, tool, risk, status, cause, caller, openedAt, deadlineAt, closedAt } = detail;
  const mayStop = may(useUser(), 'stop-calls').allowed;
  const stop = new URLSearchParams({ server, tool: tool.name });
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
          <span className={classes.deadline}>
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
