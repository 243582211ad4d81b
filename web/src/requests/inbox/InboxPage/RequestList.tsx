import { may } from '../../../people/roles/permission-table.ts';
import { lazy, Suspense } from 'react';
import { Button } from '@mantine/core';
import type { Ref } from 'react';
import { Link } from 'react-router';
import { useUser } from '../../../people/users/use-user.ts';
import { declineAllAddress, isFiltered, listAddress, type InboxFilters } from '../inbox-url.ts';
import { Notice, ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { problems } from '../../../ui/words/words.ts';
import classes from '../RequestList.module.css';
import { MoreRows } from '../RowBlocks/MoreRows.tsx';
import { RequestRow } from '../RequestRow/RequestRow.tsx';
import { RowBlocks } from '../RowBlocks/RowBlocks.tsx';
import { RowSkeletons } from '../RowBlocks/RowSkeletons.tsx';
import { useSelectionKeys } from './use-selection-keys.ts';
import { useSelection } from '../use-selection/use-selection.ts';
import type { InboxState } from '../use-selection/use-inbox.ts';
import { emptyStates, words } from '../words/words.ts';

const SelectionBar = lazy(async () => ({ default: (await import('../SelectionBar.tsx')).SelectionBar }));

interface RequestListProps {
  filters: InboxFilters;
  inbox: InboxState;
  /** The request that is open next to the list. */
  openId: string | undefined;
  /** The row at which someone goes on. */
  returnId: string | undefined;
  ref: Ref<HTMLDivElement>;
}

export function RequestList({ filters, inbox, openId, returnId, ref }: RequestListProps) {
  const { query, rows, waiting, gone, showAll } = inbox;
  const selection = useSelection(rows, gone);
  useSelectionKeys(selection, filters);
  const retry = () => void query.refetch();
  if (query.isPending && rows.length === 0) return <RowSkeletons />;
  if (query.isError && query.data === undefined) return <ProblemNotice error={query.error} onRetry={retry} />;
  return (
    <>
      {query.isPending && (
        <p role="status" className={classes.searching}>
          {words.searching}
        </p>
      )}
      {query.isRefetchError && (
        <Notice tone="warn" title={problems.stale}>
          <Button variant="default" onClick={retry}>
            {problems.retry}
          </Button>
        </Notice>
      )}
      {waiting.length > 0 && (
        <Button variant="light" fullWidth className={classes.news} onClick={showAll}>
          {words.show(waiting.length)}
        </Button>
      )}
      {rows.length === 0 ? (
        <EmptyList filters={filters} />
      ) : (
        <div ref={ref}>
          <RowBlocks rows={rows} keptId={openId ?? returnId}>
            {(item) => (
              <RequestRow
                key={item.id}
                item={item}
                filters={filters}
                isGone={gone.has(item.id)}
                isOpened={item.id === openId}
                isChosen={selection.isChosen(item)}
                mayChoose={selection.mayChoose(item)}
                select={selection.select}
              />
            )}
          </RowBlocks>
        </div>
      )}
      {selection.chosen.length > 0 && (
        <Suspense>
          <SelectionBar selection={selection} filters={filters} />
        </Suspense>
      )}
      {filters.view === 'mine' && rows.length > 1 && (
        <p className={classes.declineAll}>
          <Link to={declineAllAddress(filters)}>{words.declineAll}</Link>
        </p>
      )}
      <MoreRows query={query} />
    </>
  );
}

function EmptyList({ filters }: { filters: InboxFilters }) {
  const isAdministrator = may(useUser(), 'change-directory').allowed;
  const state = emptyStates[isFiltered(filters) ? 'filtered' : filters.view];
  return (
    <div className={classes.empty}>
      <h2>{state.title}</h2>
      <p>{state.note}</p>
      {filters.q !== undefined && <p>{words.sealedNote}</p>}
      {filters.requester !== undefined && <p>{words.requesterNote}</p>}
      {isFiltered(filters) && <Link to={listAddress({ view: filters.view })}>{words.clear}</Link>}
      {isAdministrator && !isFiltered(filters) && <Link to="/start">{words.start}</Link>}
    </div>
  );
}
