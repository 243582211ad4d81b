import type { Page } from 'playwright-core';
import { revealText } from '#platform/text/visible-text';
import { follow, readPointer, writePointer } from '#requests/facts/contract/facts';

/**
 * From now on keeps what is on the screen of each value, letter by letter and without any code of the console: in the
 * moment of each tap, and wherever the page comes to stand.
 */
export const noteWhatIsOnScreen = (page: Page): Promise<void> =>
  page.evaluate((source) => {
    const noteNow = new Function(`return (${source})`)() as () => void;
    noteNow();
    Object.assign(globalThis, { noteNow });
    addEventListener('click', noteNow, { capture: true });
    document.addEventListener('scroll', noteNow, { capture: true });
  }, note.toString());

/** Once everything that was asked for is drawn. */
export const settle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    (globalThis as { noteNow?: () => void }).noteNow?.();
  });

/** The values that were never on the screen as a whole, in the page or in the card. */
export async function unseenValues(page: Page, args: unknown): Promise<string[]> {
  const values = await page.evaluate(() => {
    const { seenValues } = globalThis as { seenValues?: Map<string, string[]> };
    return [...(seenValues ?? new Map<string, string[]>())];
  });
  const texts = new Map(values);
  const onCard = values.flatMap(([place, shown]) => {
    if (!place.startsWith('[')) return [];
    const paths = JSON.parse(place) as string[];
    const stored = paths.map((path) => follow(args, readPointer(path) ?? []));
    const expected = [textOf, inWords].map((say) => shownText(stored.map(say).join(' ')));
    return shown.some((text) => expected.some((whole) => isShown(text, whole))) ? paths : [];
  });
  return leavesIn(args, []).flatMap(({ steps, value }) => {
    const pointer = writePointer(steps);
    const shown = placesOf(steps).flatMap((place) => texts.get(place) ?? []);
    const isSeen =
      shown.some((text) => isShown(text, shownText(textOf(value)))) ||
      onCard.some((path) => pointer === path || pointer.startsWith(`${path}/`));
    return isSeen ? [] : [`${pointer}: ${shownText(textOf(value))}`];
  });
}

const isShown = (text: string, expected: string): boolean =>
  text === expected || (expected === '' && text === 'empty text');

/** Where a value may stand: in a row of its own, or of a table in which all rows have it. */
const placesOf = (steps: string[]): string[] => [
  writePointer(steps),
  ...(steps.length > 1 ? [`${writePointer(steps.slice(0, -2))}/*${writePointer(steps.slice(-1))}`] : []),
];

interface Leaf {
  steps: string[];
  value: unknown;
}

const leavesIn = (value: unknown, steps: string[]): Leaf[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => leavesIn(member, [...steps, name]))
    : [{ steps, value }];

/** What the letters of a value are, with a mark for each hidden character that is spelled out. */
const shownText = (value: string): string =>
  revealText(value)
    .map((segment) => (segment.kind === 'hidden' ? `⟦${segment.label}⟧` : segment.text))
    .join('');

/** A list may stand in words if that says the same: no member has a comma or a quotation mark. */
const inWords = (value: unknown): string =>
  Array.isArray(value) && !value.some((member) => /[,"]|^\s|\s$|^$/.test(textOf(member)))
    ? value.map(textOf).join(', ')
    : textOf(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Runs in the page. */
function note(): void {
  const store = globalThis as { seenValues?: Map<string, string[]>; seenLetters?: WeakMap<Text, Set<number>> };
  const values = (store.seenValues ??= new Map());
  const letters = (store.seenLetters ??= new WeakMap());
  const card = document.querySelector('[data-decision-card]');
  const isSheet = card !== null && getComputedStyle(card).position === 'fixed';
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const sheetTop = isSheet ? card.getBoundingClientRect().top : innerHeight;
  const isIn = ({ left, right, top, bottom }: DOMRect, area: { top: number; bottom: number }): boolean =>
    left >= -1 && right <= innerWidth + 1 && top >= area.top - 1 && bottom <= area.bottom + 1;
  const isClipped = (element: Element): boolean => {
    const box = element.getBoundingClientRect();
    for (let outer = element.parentElement; outer !== null && outer !== document.body; outer = outer.parentElement) {
      if (getComputedStyle(outer).overflowX === 'visible') continue;
      const { left, right } = outer.getBoundingClientRect();
      if (box.left < left - 1 || box.right > right + 1) return true;
    }
    return false;
  };
  for (const place of document.querySelectorAll<HTMLElement>('[data-at]')) {
    const isOnCard = card?.contains(place) === true;
    const area = isOnCard ? { top: isSheet ? 0 : header, bottom: innerHeight } : { top: header, bottom: sheetTop };
    const box = place.getBoundingClientRect();
    if (box.height === 0 || box.bottom < area.top || box.top > area.bottom || isClipped(place)) continue;
    let text = '';
    let isWhole = true;
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
      const parent = node.parentElement;
      if (parent === null || parent.closest('[data-at]') !== place || parent.closest('ul, button, [data-was]'))
        continue;
      const chip = parent.closest('[data-hidden-characters]');
      const isMark =
        parent.closest('[data-lookalike] > :nth-child(2)') !== null || parent.closest('[data-note]') !== null;
      if (isMark || (chip !== null && parent !== chip)) continue;
      text += chip === null ? node.data : `⟦${node.data}⟧`;
      const shownLetters = letters.get(node) ?? new Set<number>();
      letters.set(node, shownLetters);
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()];
      if (lines.every((line) => isIn(line, area))) for (let at = 0; at < node.length; at += 1) shownLetters.add(at);
      else if (lines.some((line) => line.bottom > area.top && line.top < area.bottom))
        for (let at = 0; at < node.length; at += 1) {
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          if ([...range.getClientRects()].every((letter) => isIn(letter, area))) shownLetters.add(at);
        }
      isWhole &&= shownLetters.size === node.length;
    }
    const at = place.dataset['at'] ?? '';
    if (isWhole) values.set(at, [...(values.get(at) ?? []), text]);
  }
}
