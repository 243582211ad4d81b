import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useWaiting } from '../requests/inbox/use-waiting.ts';
import { shell } from './words/words.ts';

interface PageHeadingProps {
  /** Title of the browser's tab; without it the document keeps its own. */
  title: string;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * The page's first heading, and the tab's title with the number of waiting requests. After a change of page it takes the focus,
 * which would otherwise be lost with the old page.
 */
export function PageHeading({ title, className, children }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const waiting = useWaiting();
  const isFirstPage = useLocation().key === 'default';
  useEffect(() => {
    document.title = `${waiting === 0 ? '' : `(${shell.counted(waiting)}) `}${title} · ${shell.product}`;
  }, [title, waiting]);
  useEffect(() => {
    if (!isFirstPage && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [isFirstPage]);
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  );
}
