import { useIntersection } from '@mantine/hooks';
import { useDeferredValue, useState, type ReactNode } from 'react';
import type { InboxItem } from '#requests/inbox/contract/inbox';
import { words } from '../words/words.ts';

interface RowBlocksProps {
  rows: InboxItem[];
  /** A row that is always there: of the request that is open next to the list, or was open before. */
  keptId: string | undefined;
  children: (item: InboxItem) => ReactNode;
}

/** Rows in blocks: one that is far from the screen is an empty space, so that thousands of rows cost what a few do. */
export function RowBlocks({ rows, keptId, children }: RowBlocksProps) {
  const [focused, setFocused] = useState(-1);
  return blocksOf(rows).map((block, at) => (
    <RowBlock
      key={at}
      rows={block}
      // The rows that a key goes to from the one with the focus are there before the key is pressed.
      isKept={at === 0 || Math.abs(at - focused) <= 1 || block.some(({ id }) => id === keptId)}
      onFocus={() => setFocused(at)}
    >
      {children}
    </RowBlock>
  ));
}

const blockSize = 25;
/** Pixels of a row that was never drawn. */
const rowHeight = 56;
/** A screen or two around the visible one, also of a pane that scrolls by itself. */
const around = { rootMargin: '1500px 0px', scrollMargin: '1500px 0px' };

interface RowBlockProps extends Omit<RowBlocksProps, 'keptId'> {
  isKept: boolean;
  onFocus: () => void;
}

function RowBlock({ rows, isKept, onFocus, children }: RowBlockProps) {
  const { ref, entry } = useIntersection<HTMLUListElement>(around);
  // Scrolling goes before drawing.
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
