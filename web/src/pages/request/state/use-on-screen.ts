import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { Reading } from './use-reading.ts';

/**
 * Notes each part of the request whose end comes onto the screen, not only into the page. What it returns leads on
 * through the part that is next: it opens it, scrolls to its beginning, and then on by less than a screen. If the sheet
 * covers nearly all of a small screen, `onCovered` is called first: nothing could be read above it.
 */
export function useOnScreen(
  article: RefObject<HTMLElement | null>,
  reading: Reading,
  onCovered: () => void,
): () => void {
  const [isWanted, setIsWanted] = useState(false);
  const look = useEffectEvent(() => {
    const ids = reading.unread.filter(({ id }) => isOnScreen(find(article, 'end', id))).map(({ id }) => id);
    if (ids.length > 0) reading.noteSeen(ids);
  });
  const isUnread = reading.unread.length > 0;
  const goal = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (isWanted && goal.current !== null) leadTo(find(article, 'start', goal.current));
    if (isWanted) setIsWanted(false);
    if (isUnread) look();
  });
  useEffect(() => {
    if (!isUnread) return;
    const listener = () => look();
    // Whatever scrolls, and a page that was in the background.
    document.addEventListener('scroll', listener, { capture: true, passive: true });
    document.addEventListener('visibilitychange', listener);
    addEventListener('resize', listener);
    return () => {
      document.removeEventListener('scroll', listener, { capture: true });
      document.removeEventListener('visibilitychange', listener);
      removeEventListener('resize', listener);
    };
  }, [isUnread]);
  return () => {
    const [next] = reading.unread;
    if (next === undefined) return;
    if (next.opens !== undefined && !reading.opened.has(next.opens)) reading.openValue(next.opens);
    goal.current = next.id;
    if (bottomOfScreen() < innerHeight * leastFree) onCovered();
    setIsWanted(true);
  };
}

const find = (article: RefObject<HTMLElement | null>, edge: 'start' | 'end', id: string): HTMLElement | undefined =>
  [...(article.current?.querySelectorAll<HTMLElement>(`[data-part-${edge}]`) ?? [])].find(
    (element) => element.getAttribute(`data-part-${edge}`) === id,
  );

/** Where the screen ends for the reader: at its bottom, or at the sheet that covers it. */
function bottomOfScreen(): number {
  const sheet = document.querySelector('[data-decision-card]');
  const isFixed = sheet !== null && getComputedStyle(sheet).position === 'fixed';
  return isFixed ? sheet.getBoundingClientRect().top : innerHeight;
}

function isOnScreen(element: HTMLElement | undefined): boolean {
  if (element === undefined || document.visibilityState !== 'visible') return false;
  const { top, bottom, width } = element.getBoundingClientRect();
  return width > 0 && top >= 0 && bottom <= bottomOfScreen() + 1;
}

/** The share of the screen that must be free to read in. */
const leastFree = 0.2;

/** The share of the screen that stays when it is scrolled on, so that no line is passed over. */
const overlap = 0.15;

function leadTo(start: HTMLElement | undefined): void {
  if (start === undefined) return;
  const { top, bottom } = start.getBoundingClientRect();
  const height = bottomOfScreen();
  const isInside = top < height / 2 && bottom > height;
  if (isInside) scrollBy({ top: height * (1 - overlap) });
  else start.scrollIntoView({ block: 'start' });
  start.focus({ preventScroll: true });
}
