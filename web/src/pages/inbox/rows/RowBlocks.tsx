import { useIntersection } from '@mantine/hooks';
import { useDeferredValue, type ReactNode } from 'react';
import type { InboxItem } from '../../../../../src/contract/console/console.ts';
import { words } from '../words/words.ts';

interface RowBlocksProps {
  rows: InboxItem[];
  /** The request that is open next to the list: its row is always there. */
  openId: string | undefined;
  children: (item: InboxItem) => ReactNode;
}

/** Rows in blocks: one that is far from the screen is an empty space, so that thousands of rows cost what a few do. */
export function RowBlocks({ rows, openId, children }: RowBlocksProps) {
  return blocksOf(rows).map((block, at) => (
    <RowBlock key={at} rows={block} isKept={at === 0 || block.some(({ id }) => id === openId)}>
      {children}
    </RowBlock>
  ));
}

const blockSize = 25;
/** Pixels of a row that was never drawn. */
const rowHeight = 88;
/** Some screens around the visible one, also of a pane that scrolls by itself. */
const around = { rootMargin: '3000px 0px', scrollMargin: '3000px 0px' };

interface RowBlockProps extends Omit<RowBlocksProps, 'openId'> {
  isKept: boolean;
}

function RowBlock({ rows, isKept, children }: RowBlockProps) {
  const { ref, entry } = useIntersection<HTMLUListElement>(around);
  // Scrolling goes before drawing.
  const isNear = useDeferredValue(entry?.isIntersecting === true);
  if (isKept || isNear || hasFocusNearby(entry?.target))
    return (
      <ul ref={ref} aria-label={words.list}>
        {rows.map(children)}
      </ul>
    );
  return <ul ref={ref} aria-hidden style={{ height: entry?.boundingClientRect.height || rows.length * rowHeight }} />;
}

/** The row with the focus stays, and those that a key goes to from it. */
const hasFocusNearby = (block: Element | undefined): boolean =>
  [block, block?.previousElementSibling, block?.nextElementSibling].some((list) =>
    list?.contains(document.activeElement),
  );

const blocksOf = (rows: InboxItem[]): InboxItem[][] =>
  Array.from({ length: Math.ceil(rows.length / blockSize) }, (_, at) =>
    rows.slice(at * blockSize, (at + 1) * blockSize),
  );
