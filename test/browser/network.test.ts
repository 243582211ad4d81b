import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { User } from '#protocol/model/user';
import { until } from '../support/poll.ts';
import { approve, button, houseWith, type House } from './house/house.ts';
import { untilSettled } from './house/usable.ts';
import { everyField, readOnly } from './house/questions.ts';

let house: House;
let ada: User;

houseWith(async (opened) => {
  house = opened;
  ada = await house.addUser('Ada Lovelace', 'admin');
});

const rows = (page: Page) => page.locator('li:has(a[data-row])');

/** Keeps the texts of rows that were drawn without this word, in any frame from now on. */
const noteRowsWithout = (page: Page, word: string) =>
  page.evaluate((word) => {
    const noted: string[] = [];
    Object.assign(globalThis, { noted });
    const look = () => {
      const texts = [...document.querySelectorAll('li:has(a[data-row])')].map((row) => row.textContent ?? '');
      noted.push(...texts.filter((text) => !text.includes(word)));
      requestAnimationFrame(look);
    };
    look();
  }, word);

test('until a search is answered, what matches of the list stays and nothing else is shown', async () => {
  for (const customer of ['Globex', 'Initech']) await house.ask({ ...readOnly, arguments: { customer } });
  const page = await house.openPageAs(ada, '/inbox?view=all');
  await rows(page).nth(1).waitFor();
  let answer = () => {};
  const isDue = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/api\/elicitations\?.*q=/, (route) => isDue.then(() => route.continue()));
  await page.getByRole('searchbox').fill('Globex');
  await page.getByText('Initech').waitFor({ state: 'detached' });
  await noteRowsWithout(page, 'Globex');
  await page.keyboard.press('Enter');
  await page.waitForURL('**q=Globex');
  await page.getByText('Searching…').waitFor();
  expect(await rows(page).count()).toBe(1);
  answer();
  await page.getByText('Searching…').waitFor({ state: 'detached' });
  expect(await rows(page).count()).toBe(1);
  expect(await page.evaluate(() => (globalThis as { noted?: string[] }).noted)).toEqual([]);
});
