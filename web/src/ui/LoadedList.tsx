import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from './Loaded.tsx';
import page from './Page.module.css';

interface LoadedListProps<Row> {
  query: UseQueryResult<Row[]>;
  /** Explanation of future content, and of the way to it. */
  words: { empty: string; emptyNote: string };
  children: (rows: Row[]) => ReactNode;
}

/** A loaded list; an empty one explains its future content. */
export function LoadedList<Row>({ query, words, children }: LoadedListProps<Row>) {
  return <Loaded query={query}>{(rows) => (rows.length === 0 ? <Empty {...words} /> : children(rows))}</Loaded>;
}

const Empty = ({ empty, emptyNote }: LoadedListProps<never>['words']) => (
  <div className={page.empty}>
    <h2 className={page.subtitle}>{empty}</h2>
    <p>{emptyNote}</p>
  </div>
);
