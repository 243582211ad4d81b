import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { checkAccessibility, takeScreenshot } from '../../support/browser/browser.ts';

/** A phone and a desk, by day and by night. */
export const views = [360, 1440].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    width,
    colorScheme,
    options: { viewport: { width, height: width === 360 ? 740 : 900 }, colorScheme },
  })),
);

/** What a person must find: no barrier, nothing to scroll sideways for. */
export async function expectUsable(page: Page, name: string): Promise<void> {
  await takeScreenshot(page, `console-${name}`);
  // Where it was scrolled to, the header may cover half a link.
  await page.evaluate(() => window.scrollTo(0, 0));
  expect(await checkAccessibility(page)).toEqual([]);
  const excess = await page.evaluate(() =>
    // The sheet with the buttons scrolls by itself.
    [document.documentElement, ...document.querySelectorAll('[data-decision-card]')].map(
      ({ scrollWidth, clientWidth }) => Math.max(0, scrollWidth - clientWidth),
    ),
  );
  expect(Math.max(...excess)).toBe(0);
}

/** The same page on a phone by day and on a desk by night: every size and every colour once. */
export async function expectUsableEverywhere(page: Page, name: string): Promise<void> {
  for (const { width, colorScheme, options } of [views[0], views[3]].filter((view) => view !== undefined)) {
    await page.setViewportSize(options.viewport);
    await page.emulateMedia({ colorScheme });
    await expectUsable(page, `${name}-${width}-${colorScheme}`);
    if (width === 360) expect(await smallControls(page)).toEqual([]);
  }
}

/** What a thumb presses is at least 44 px high. */
export const smallControls = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, input:not([type=radio], [type=checkbox]), select, textarea')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }))
      .filter((control) => control.getBoundingClientRect().height < 44)
      .map((control) => control.outerHTML.slice(0, 120)),
  );
