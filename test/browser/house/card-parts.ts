import type { Page } from 'playwright-core';

/** Parts of the card that a person must see in the same moment as the buttons. */
const parts = ['question', 'fact', 'requester', 'server', 'risk', 'deadline'];

/** Which parts of the card, and which buttons, cannot be seen as a whole now; empty if all can. */
export const hiddenParts = (page: Page): Promise<string[]> => page.evaluate(findHidden, parts);

/** What could not be seen in the moment in which the button was pressed down. */
export async function noteWhatIsHiddenAtPress(page: Page): Promise<void> {
  await page.evaluate(
    ([source, names]) => {
      const find = new Function(`return (${source})`)() as typeof findHidden;
      const note = () => ((globalThis as { hiddenAtPress?: string[] }).hiddenAtPress = find(names));
      document.querySelector('[data-verb=approve]')?.addEventListener('pointerdown', note);
    },
    [findHidden.toString(), parts] as const,
  );
}

export const hiddenAtPress = (page: Page): Promise<string[] | undefined> =>
  page.evaluate(() => (globalThis as { hiddenAtPress?: string[] }).hiddenAtPress);

/** Runs in the page. */
function findHidden(names: readonly string[]): string[] {
  const card = document.querySelector('[data-decision-card]');
  if (card === null) return ['card'];
  const isSeen = (element: Element): boolean => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth || bottom === top) return false;
    const atMiddle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return atMiddle !== null && card.contains(atMiddle);
  };
  const goals = [...names.map((name) => `[data-part=${name}]`), '[data-verb=approve]', '[data-verb=decline]'];
  return goals.filter((selector) => {
    const elements = [...card.querySelectorAll(selector)];
    return elements.length === 0 || !elements.every(isSeen);
  });
}
