import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ElicitationId } from '#platform/model/id';
import { until } from '../support/poll.ts';
import { button, sharedHouse } from './house/house.ts';
import { readOnly, transfer } from './house/questions.ts';
import { expectUsable } from './house/usable.ts';

const desk = { viewport: { width: 1440, height: 900 } };
const transferTitle = 'Transfer of €12,400 to Müller Werkzeugbau';

const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');
const ids: ElicitationId[] = [];
for (let at = 0; at < 12; at += 1)
  ids.push(await house.ask({ ...(at % 3 === 0 ? transfer : readOnly), ttl: 3_600_000 + at * 1000 }));

const rows = (page: Page) => page.locator('a[data-row]');
const openRow = (page: Page) => page.locator('a[data-row][aria-current=page]');
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const opened = (page: Page, at: number) => page.waitForURL(`**/requests/${ids[at]}`);

test.each(['light', 'dark'] as const)('the list stays while a request is open, in %s', async (colorScheme) => {
  const page = await house.openPageAs(ada, '/inbox', { ...desk, colorScheme });
  await opened(page, 0); // the first one opens by itself
  await button(page, /^Approve/).waitFor();
  expect(await rows(page).count()).toBe(12);
  expect(await openRow(page).getAttribute('data-row')).toBe(ids[0]);
  await expectUsable(page, `split-${colorScheme}`);
});

test('a link opens its request next to the list, and on a narrower screen as a page of its own', async () => {
  const page = await house.openPageAs(ada, `/requests/${ids[4]}`, desk);
  await button(page, /^Approve/).waitFor();
  await openRow(page).waitFor();
  expect([await page.title(), await page.locator('h1').count()]).toEqual([expect.stringContaining('report export'), 1]);
  await page.locator('textarea').first().fill('What I was typing');
  await page.setViewportSize({ width: 1024, height: 800 });
  await rows(page).first().waitFor({ state: 'detached' });
  expect(await page.locator('textarea').first().inputValue()).toBe('What I was typing');
});

test('rows that were chosen stay chosen if the window becomes narrower and wider again', async () => {
  const page = await house.openPageAs(ada, '/inbox', desk);
  const box = page.getByRole('checkbox', { name: 'Select Quarterly report export' }).first();
  await box.check();
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await page.waitForURL(width === 360 ? '**/inbox' : '**/requests/*');
    expect(await box.isChecked()).toBe(true);
  }
});

test('the same keys work in both parts, and the queue goes on', async () => {
  const page = await house.openPageAs(ada, '/inbox', desk);
  await opened(page, 0); // by itself
  await button(page, /^Approve/).waitFor();
  await press(page, 'j');
  await opened(page, 1);
  await button(page, /^Approve/).waitFor();
  await press(page, 'n');
  await opened(page, 2);
  await openRow(page)
    .and(page.locator(`[data-row="${ids[2]}"]`))
    .waitFor();
  await press(page, 'k');
  await opened(page, 1);
  await openRow(page)
    .and(page.locator(`[data-row="${ids[1]}"]`))
    .waitFor();
  await button(page, /^Approve/).waitFor();
  await press(page, 'x');
  await page.getByText('1 selected').waitFor();
  await press(page, 'o');
  await page.locator('h1:focus').waitFor();
  await press(page, 'a');
  await page.getByText('Press Y to confirm').first().waitFor();
  await press(page, 'x'); // the list uses it, so it is no confirmation
  await page.locator('[data-decision-card]').getByText('Press Y').waitFor({ state: 'detached' });
  await press(page, 'y');
  expect((await house.server.engine.reader.elicitation(ids[1] as ElicitationId))?.status).toBe('open');
  await press(page, 'a');
  await page.locator('[data-decision-card]').getByText('Press Y').waitFor();
  await press(page, 'y');
  await page.locator('a:focus', { hasText: 'Next request' }).waitFor();
  await press(page, '/');
  await page.locator('input[type=search]:focus').waitFor();
  expect(page.url()).toContain(`/requests/${ids[1]}`);
});

test('a person turns the view off and the lists compact, and this browser keeps both', async () => {
  const page = await house.openPageAs(ada, '/account', desk);
  await page.getByLabel('Show list and request next to each other').uncheck();
  await page.getByLabel('Lists').selectOption('Compact');
  for (const [width, height] of [
    [1440, 900],
    [768, 1024],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`${house.server.url}/inbox`);
    await rows(page).first().waitFor();
    expect(await page.getByText('No request is open').count()).toBe(0);
    await expectUsable(page, `compact-${width}`);
  }
  const height = async () => (await page.locator('li:has(a[data-row])').first().boundingBox())?.height;
  await page.setViewportSize(desk.viewport);
  expect(await height()).toBeLessThan(40);
  const touched = await house.openPageAs(ada, '/inbox', { ...desk, hasTouch: true, isMobile: true });
  await touched.context().addCookies(await page.context().cookies());
  await touched.reload();
  await rows(touched).first().waitFor();
  expect(await touched.locator('main[data-density=compact]').count()).toBe(1);
  const heights = await touched
    .locator('li:has(a[data-row])')
    .evaluateAll((all) => all.map((row) => (row as HTMLElement).offsetHeight));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
});

test('key facts are columns where there is room, and a line of values next to a request and on a phone', async () => {
  const page = await house.openPageAs(ada, '/inbox', desk);
  await rows(page).first().waitFor();
  const first = page.locator('li', { has: rows(page).first() });
  const shown = async () => {
    const [label, value] = await Promise.all([first.locator('dt').first().boundingBox(), first.locator('dd').first()]);
    return [(label?.width ?? 0) > 1, await value.textContent(), await value.isVisible()]; // a row that is still laid out has no innerText
  };
  expect(await shown()).toEqual([false, '12400 EUR', true]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await shown()).toEqual([false, '12400 EUR', true]);
  const detail = page.locator('[id$=-message]').first().locator('..');
  const [line, row] = await Promise.all([detail.boundingBox(), first.first().boundingBox()]);
  expect((line?.width ?? 0) / (row?.width ?? 1)).toBeGreaterThan(0.8); // a line of its own, so that more than the amount is seen
  await page.context().addCookies([{ name: 'assentry-split', value: 'off', url: house.server.url }]);
  await page.setViewportSize(desk.viewport);
  await page.reload();
  await rows(page).first().waitFor();
  expect(await shown()).toEqual([true, '12400 EUR', true]);
  await expectUsable(page, 'fact-columns');
});

test('in a row, an address begins with its host', async () => {
  const url = 'https://bank.example@evil.example/transfer?amount=1';
  const id = await house.ask({ ...transfer, arguments: { url } });
  const page = await house.openPageAs(ada, '/inbox', desk);
  const row = page.locator('li', { has: page.locator(`[data-row=${id}]`) });
  await opened(page, 0); // until then the row has its columns
  await until(async () => (await row.locator('dd').first().innerText()) === 'evil.example/transfer?amount=1');
  await house.decideAs(ada, id, 'decline');
});

test('a search finds what stands in a row, also what the server does not search, and each filter can be taken back', async () => {
  const page = await house.openPageAs(ada, '/inbox', desk);
  await rows(page).first().waitFor();
  const search = page.getByRole('searchbox');
  await search.fill('müller');
  const other = rows(page).filter({ hasText: 'Quarterly report export' }).first();
  await other.waitFor({ state: 'detached' });
  await search.press('Enter');
  await page.waitForURL(/q=m/);
  // The list from before stays until the answer has come.
  await until(async () => [...new Set(await rows(page).allTextContents())].join() === transferTitle);
  await page.getByRole('link', { name: 'Search: müller: remove this filter' }).click();
  await other.waitFor();
});

test('a second skip link leads past the list to the decision', async () => {
  const page = await house.openPageAs(ada, `/requests/${ids[10]}`, desk);
  await button(page, /^Approve/).waitFor();
  await page.getByRole('link', { name: 'Skip to the decision' }).focus();
  await press(page, 'Enter', 'Tab');
  expect(await page.locator('#decision :focus').count()).toBe(1);
});
