import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Notice, ProblemNotice } from './Notice.tsx';
import { problems, shell } from './words/words.ts';

interface LoadedProps<T> {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}

/** Loaded content, its skeleton before, or the problem. Content already shown stays. */
export function Loaded<T>({ query: { data, error, isPending, refetch }, children }: LoadedProps<T>) {
  if (data !== undefined) {
    return (
      <>
        {error !== null && <Notice tone="warn" title={problems.stale} />}
        {children(data)}
      </>
    );
  }
  if (!isPending) return <ProblemNotice error={error} onRetry={() => void refetch()} />;
  return (
    <div role="status" aria-label={shell.loading}>
      {[60, 80, 70].map((width) => (
        <Skeleton key={width} height={14} mt="md" width={`${width}%`} />
      ))}
    </div>
  );
}
