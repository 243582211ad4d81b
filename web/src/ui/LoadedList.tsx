import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from './Loaded.tsx';
import page from './Page.module.css';

interface LoadedListProps<Row> {
  query: UseQueryResult<Row[]>;
  /** What will appear here, and how to make it appear. */
  words: { empty: string; emptyNote: string };
  children: (rows: Row[]) => ReactNode;
}

/** A list once it is loaded; an empty one says what will be in it. */
export function LoadedList<Row>({ query, words, children }: LoadedListProps<Row>) {
  return <Loaded query={query}>{(rows) => (rows.length === 0 ? <Empty {...words} /> : children(rows))}</Loaded>;
}

const Empty = ({ empty, emptyNote }: LoadedListProps<never>['words']) => (
  <div className={page.empty}>
    <h2 className={page.subtitle}>{empty}</h2>
    <p>{emptyNote}</p>
  </div>
);
