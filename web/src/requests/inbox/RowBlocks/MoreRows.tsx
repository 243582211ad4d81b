import { Button } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import classes from '../MoreRows.module.css';
import { words } from '../words/words.ts';

/** The next rows come by themselves as the end comes near; after a fault, they wait for the button. */
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
