import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { cover, firstGap, isCovered, wholeLines, type Span } from './coverage.ts';
import { cardPart } from '../use-answer/parts-to-see.ts';
import type { Reading } from '../use-answer/use-reading.ts';

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
  const unread = reading.isCardUnseen ? [{ id: cardPart }, ...reading.unread] : reading.unread;
  const lines = useRef({ digest, shown: new WeakMap<Element, Seen>() });
  const look = useEffectEvent(() => {
    if (document.visibilityState !== 'visible') return;
    if (lines.current.digest !== digest) lines.current = { digest, shown: new WeakMap() };
    const [page, card] = [areaOfScreen(), areaOfScreen(cardPart)];
    const ids = unread
      .map(({ id }) => id)
      .filter((id) => isSeen(lines.current.shown, unitsOf(article, id), id === cardPart ? card : page))
      .filter((id) => find(article, 'end', id));
    if (ids.length > 0) reading.noteSeen(ids);
  });
  const isUnread = unread.length > 0;
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
    visualViewport?.addEventListener('scroll', listener);
    visualViewport?.addEventListener('resize', listener);
    return () => {
      document.removeEventListener('scroll', listener, { capture: true });
      document.removeEventListener('visibilitychange', listener);
      removeEventListener('resize', listener);
      visualViewport?.removeEventListener('scroll', listener);
      visualViewport?.removeEventListener('resize', listener);
    };
  }, [isUnread]);
  return () => {
    const [next] = unread;
    if (next === undefined) return;
    if ('opens' in next && next.opens !== undefined && !reading.opened.has(next.opens)) reading.openValue(next.opens);
    goal.current = next.id;
    const { top, bottom } = areaOfScreen(next.id);
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

/** The card if it is a sheet, which scrolls by itself and covers the page. */
function findSheet(): Element | null {
  const card = document.querySelector('[data-decision-card]');
  return card !== null && getComputedStyle(card).position === 'fixed' ? card : null;
}

/** What of the screen the reader can read: not what lies under the header, the sheet or a keyboard, or outside of a zoom. */
function areaOfScreen(part?: string): Area {
  const sheet = findSheet()?.getBoundingClientRect();
  const header = document.querySelector('[data-page-header]')?.getBoundingClientRect().bottom ?? 0;
  const { top, bottom } =
    sheet && part === cardPart ? sheet : { top: header, bottom: sheet?.top ?? Number.POSITIVE_INFINITY };
  const { offsetTop, height } = visualViewport ?? { offsetTop: 0, height: innerHeight };
  return { top: Math.max(offsetTop, top), bottom: Math.min(offsetTop + height, bottom) };
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
  const top = goal.getBoundingClientRect().top + gap - areaOfScreen(id).top - margin;
  ((id === cardPart && findSheet()) || window).scrollBy({ top, behavior: 'instant' });
  start.focus({ preventScroll: true });
}
