import { useIntersection } from '@mantine/hooks';
import { useDeferredValue, useState, type ReactNode, useEffect } from 'react';
import type { InboxItem } from '#requests/inbox/contract/inbox';
import { words } from './words/words.ts';
import { Button, Skeleton } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import classes from './MoreRows.module.css';
import rowSkeletonsClasses from './RowGrid.module.css';

interface RowBlocksProps {
  rows: InboxItem[];
  /** A row that is always drawn: of the request open next to the list, or open before. */
  keptId: string | undefined;
  children: (item: InboxItem) => ReactNode;
}

/** Rows in blocks: a block far from the screen is an empty space, so that thousands of rows are cheap. */
export function RowBlocks({ rows, keptId, children }: RowBlocksProps) {
  const [focused, setFocused] = useState(-1);
  return blocksOf(rows).map((block, at) => (
    <RowBlock
      key={at}
      rows={block}
      // Rows next to the focused one are drawn before a key leads to them.
      isKept={at === 0 || Math.abs(at - focused) <= 1 || block.some(({ id }) => id === keptId)}
      onFocus={() => setFocused(at)}
    >
      {children}
    </RowBlock>
  ));
}

const blockSize = 25;
/** Height in pixels of a row that was never drawn. */
const rowHeight = 56;
/** Margin of a screen or two, also in a pane that scrolls by itself. */
const around = { rootMargin: '1500px 0px', scrollMargin: '1500px 0px' };

interface RowBlockProps extends Omit<RowBlocksProps, 'keptId'> {
  isKept: boolean;
  onFocus: () => void;
}

function RowBlock({ rows, isKept, onFocus, children }: RowBlockProps) {
  const { ref, entry } = useIntersection<HTMLUListElement>(around);
  // Scrolling takes precedence over drawing.
  const isNear = useDeferredValue(entry?.isIntersecting === true);
  if (isKept || isNear)
    return (
      <ul ref={ref} aria-label={words.list} onFocus={onFocus}>
        {rows.map(children)}
      </ul>
    );
  return <ul ref={ref} aria-hidden style={{ height: entry?.boundingClientRect.height || rows.length * rowHeight }} />;
}

const blocksOf = (rows: InboxItem[]): InboxItem[][] =>
  Array.from({ length: Math.ceil(rows.length / blockSize) }, (_, at) =>
    rows.slice(at * blockSize, (at + 1) * blockSize),
  );

/** Loads the next rows as the end comes near; after a fault, by the button. */
export function MoreRows({ query }: { query: UseInfiniteQueryResult }) {
  const { hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const { ref, entry } = useIntersection<HTMLDivElement>({ rootMargin: '1000px 0px', scrollMargin: '1000px 0px' });
  const isDue = entry?.isIntersecting === true && hasNextPage && !isFetching && !isFetchNextPageError;
  useEffect(() => {
    if (isDue) void fetchNextPage();
  }, [isDue, fetchNextPage]);
  return (
    <div ref={ref}>
      {hasNextPage && (
        <Button
          variant="default"
          className={classes.more}
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {words.more}
        </Button>
      )}
    </div>
  );
}

/** Skeletons in the shape of the list, so that nothing jumps when the rows arrive. */
export function RowSkeletons() {
  return (
    <div role="status" aria-label={words.loading}>
      {['62%', '48%', '70%', '55%', '40%'].map((width) => (
        <div key={width} className={rowSkeletonsClasses.row}>
          <div className={rowSkeletonsClasses.skeletonLines}>
            <Skeleton height={14} width={width} />
            <Skeleton height={12} width="80%" />
          </div>
        </div>
      ))}
    </div>
  );
}
