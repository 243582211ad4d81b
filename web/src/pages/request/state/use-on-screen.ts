import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { cover, firstGap, isCovered, wholeLines, type Span } from './coverage.ts';
import type { Reading } from './use-reading.ts';

/**
 * Notes each part of the request of which every line was on the screen: what was jumped over was not. What it returns
 * leads on to the first line that was not, less than a screen at a time. If the sheet covers nearly all of a small
 * screen, `onCovered` is called first: nothing could be read above it.
 */
export function useOnScreen(
  article: RefObject<HTMLElement | null>,
  reading: Reading,
  digest: string,
  onCovered: () => void,
): () => void {
  const [isWanted, setIsWanted] = useState(false);
  const lines = useRef({ digest, shown: new WeakMap<Element, Seen>() });
  const look = useEffectEvent(() => {
    if (document.visibilityState !== 'visible') return;
    if (lines.current.digest !== digest) lines.current = { digest, shown: new WeakMap() };
    const area = areaOfScreen();
    const ids = reading.unread
      .filter(({ id }) => isSeen(lines.current.shown, unitsOf(article, id), area) && find(article, 'end', id))
      .map(({ id }) => id);
    if (ids.length > 0) reading.noteSeen(ids);
  });
  const isUnread = reading.unread.length > 0;
  const goal = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (isWanted && goal.current !== null) leadTo(article, goal.current, lines.current.shown);
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
    const { top, bottom } = areaOfScreen();
    if (bottom - top < innerHeight * leastFree) onCovered();
    setIsWanted(true);
  };
}

/** What was on the screen of an element, as long as it keeps its size. */
interface Seen {
  width: number;
  height: number;
  spans: Span[];
}

const find = (article: RefObject<HTMLElement | null>, edge: 'start' | 'end', id: string): HTMLElement | undefined =>
  [...(article.current?.querySelectorAll<HTMLElement>(`[data-part-${edge}]`) ?? [])].find(
    (element) => element.getAttribute(`data-part-${edge}`) === id,
  );

/** The lines of a part, without those of parts inside it; a part without lines is one itself. */
function unitsOf(article: RefObject<HTMLElement | null>, id: string): HTMLElement[] {
  const start = find(article, 'start', id);
  if (start === undefined) return [];
  const units = [...start.querySelectorAll<HTMLElement>('[data-unit]')];
  return units.length === 0 ? [start] : units.filter((unit) => unit.closest('[data-part-start]') === start);
}

interface Area {
  top: number;
  bottom: number;
}

/** What of the screen the reader can read: not what lies under the header or the sheet. */
function areaOfScreen(): Area {
  const sheet = document.querySelector('[data-decision-card]');
  const isFixed = sheet !== null && getComputedStyle(sheet).position === 'fixed';
  const header = document.querySelector('[data-page-header]');
  return {
    top: Math.max(0, header?.getBoundingClientRect().bottom ?? 0),
    bottom: isFixed ? sheet.getBoundingClientRect().top : innerHeight,
  };
}

/** Notes what is in the area of each of these, and whether all of all was by now. */
function isSeen(shownLines: WeakMap<Element, Seen>, units: HTMLElement[], area: Area): boolean {
  let isAll = true;
  for (const unit of units) {
    const before = shownLines.get(unit);
    if (before && isCovered(before.spans, before.height)) continue;
    const { top, width, height } = unit.getBoundingClientRect();
    const isSame = before?.width === width && before.height === height;
    const shown = wholeLines({ from: area.top - top, to: area.bottom - top }, height);
    const spans = cover(isSame ? before.spans : [], shown, height);
    shownLines.set(unit, { width, height, spans });
    isAll &&= width > 0 && isCovered(spans, height);
  }
  return isAll;
}

/** The share of the screen that must be free to read in. */
const leastFree = 0.2;

/** Pixels above the line to which one is led. */
const margin = 32;

function leadTo(article: RefObject<HTMLElement | null>, id: string, shownLines: WeakMap<Element, Seen>): void {
  const start = find(article, 'start', id);
  const unseen = unitsOf(article, id).find((unit) => {
    const { spans, height } = shownLines.get(unit) ?? { spans: [], height: 1 };
    return !isCovered(spans, height);
  });
  const goal = unseen ?? find(article, 'end', id) ?? start;
  if (start === undefined || goal === undefined) return;
  const gap = firstGap(shownLines.get(goal)?.spans ?? []);
  scrollBy({ top: goal.getBoundingClientRect().top + gap - areaOfScreen().top - margin, behavior: 'instant' });
  start.focus({ preventScroll: true });
}
