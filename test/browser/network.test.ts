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

test.each([
  ['before anything else is known of it', 0],
  ['after the page has shown it', 1_000],
])('a vote whose answer is lost %s is said to have counted', async (_when, lostAfter) => {
  const page = await house.openPageAs(ada, `/requests/${await house.ask(readOnly)}`);
  await untilSettled(page);
  await page.route('**/vote', async (route) => {
    await route.fetch();
    await page.waitForTimeout(lostAfter);
    await route.abort('connectionreset');
  });
  if (lostAfter === 0) await page.route('**/api/stream', (route) => route.abort());
  await approve(page);
  await page.getByText('Approved. The call can run.').first().waitFor();
  expect(await page.getByText('may not have arrived').count()).toBe(0);
});

test('a vote that never arrived is said to be missing as soon as the server can be asked, and can be cast again', async () => {
  const id = await house.ask(readOnly);
  const page = await house.openPageAs(ada, `/requests/${id}`);
  await page.context().setOffline(true);
  await approve(page);
  await page.getByText('your decision may not have arrived').waitFor();
  await page.context().setOffline(false);
  await page.getByText('Your decision didn’t arrive, and nothing was decided by it.').waitFor();
  expect((await house.server.engine.reader.elicitation(id))?.status).toBe('open');
  await approve(page);
  await page.getByText('Approved. The call can run.').first().waitFor();
});
