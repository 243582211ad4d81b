import { useQuery } from '@tanstack/react-query';
import { keepingRoutes, type ErasedRequest as Erased } from '#keeping/content/contract';
import { query } from '../../client/call.ts';
import { describeMoment } from '../../ui/relative-time.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { RiskMark, StatusMark } from '../../ui/marks.tsx';
import { Age } from '../../ui/Moment.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { BackToList } from '../../ui/BackToList.tsx';
import page from '../../ui/Page.module.css';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { OtherVotes } from './OtherVotes.tsx';
import { Timeline } from './Timeline.tsx';
import { keeping, nameActor } from './words/later-words.ts';
import { result, words } from './words/words.ts';
import classes from './Keep.module.css';

/** A request without its content: who erased it and why, who decided it, and what happened. */
export function ErasedRequest({ id }: { id: string }) {
  const erased = useQuery(query(keepingRoutes.showErased, { params: { id } }));
  return <Loaded query={erased}>{(request) => <Rest request={request} />}</Loaded>;
}

function Rest({ request }: { request: Erased }) {
  const { id, tool, server, risk, status, cause, openedAt, closedAt, erased } = request;
  const people = [nameActor(erased.by), ...erased.with];
  return (
    <article className={classes.rest}>
      <header>
        <BackToList />
        <PageHeading title={words.tab(tool)} className={page.name}>
          <Revealed text={tool} />
        </PageHeading>
        <div className={classes.facts}>
          <RiskMark risk={risk} />
          <StatusMark status={status} cause={cause} />
          <Revealed text={server} />
          <span>
            {words.opened} <Age at={openedAt} />
          </span>
          {closedAt !== null && (
            <span>
              {words.closed} <Age at={closedAt} />
            </span>
          )}
        </div>
      </header>
      <Notice title={keeping.erased(describeMoment(erased.at), people)}>
        <p>{keeping.grounds[erased.ground]}</p>
        <p>{keeping.left}</p>
      </Notice>
      <OtherVotes detail={request} />
      {closedAt !== null && (
        <a href={`/api/elicitations/${id}/receipt`} download>
          {result.receipt}
        </a>
      )}
      <Timeline of={id} entries={request.timeline} />
    </article>
  );
}
