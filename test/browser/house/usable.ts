import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { checkAccessibility, takeScreenshot } from '../../support/browser/browser.ts';
import { drawn } from '../../support/runs.ts';

const viewOf = (width: number, colorScheme: 'light' | 'dark') => ({
  width,
  colorScheme,
  options: { viewport: { width, height: width === 360 ? 740 : 900 }, colorScheme },
});

/** A phone in light and a desk in dark: every size and every theme once. */
export const corners = [viewOf(360, 'light'), viewOf(1440, 'dark')];

/** A phone and a desk, each in both themes. */
export const views = [...corners, viewOf(360, 'dark'), viewOf(1440, 'light')];

/** All views in the nightly run, otherwise one of them: another one for each page, and each day. */
export const viewsFor = (name: string) => drawn(name, views, { least: 1 });

/** What a person must find: no barrier, nothing to scroll sideways for. */
export async function expectUsable(page: Page, name: string): Promise<void> {
  if (process.env.CI === undefined) await takeScreenshot(page, `console-${name}`); // no one looks at those of a landing
  // Where it was scrolled to, the header may cover half a link.
  await page.evaluate(() => window.scrollTo(0, 0));
  const heading = page.locator('h1').first();
  await heading.waitFor();
  const barriers = await checkAccessibility(page);
  // What a wider window opens by itself may have been loading just then.
  const isLoading = barriers.some((barrier) => barrier.startsWith('page-has-heading-one'));
  if (isLoading) await heading.waitFor();
  expect(isLoading ? await checkAccessibility(page) : barriers).toEqual([]);
  const excess = await page.evaluate(() =>
    // The sheet with the buttons scrolls by itself.
    [document.documentElement, ...document.querySelectorAll('[data-decision-card]')].map(
      ({ scrollWidth, clientWidth }) => Math.max(0, scrollWidth - clientWidth),
    ),
  );
  expect(Math.max(...excess)).toBe(0);
}

/** The same page on a phone and on a desk, by day on one of them; it stays at the desk. */
export async function expectUsableEverywhere(page: Page, name: string): Promise<void> {
  for (const view of drawn(name, corners, { least: 1 })) {
    const { width, colorScheme } = view;
    await show(page, view);
    await expectUsable(page, `${name}-${width}-${colorScheme}`);
    if (width === 360) expect(await smallControls(page)).toEqual([]);
  }
  await show(page, corners[1] as View);
}

type View = ReturnType<typeof viewOf>;

async function show(page: Page, { colorScheme, options }: View): Promise<void> {
  await page.setViewportSize(options.viewport);
  await page.emulateMedia({ colorScheme });
}

/** What a thumb presses is at least 44 px high. */
export const smallControls = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, input:not([type=radio], [type=checkbox]), select, textarea')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }))
      .filter((control) => control.getBoundingClientRect().height < 44)
      .map((control) => control.outerHTML.slice(0, 120)),
  );

/** Waits for what a page asks for once everything that it shows first has come. */
export const untilSettled = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/stops')));
