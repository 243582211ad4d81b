import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../support/poll.ts';
import { approve, button, sharedHouse } from './house/house.ts';
import { untilSettled } from './house/usable.ts';
import { everyField, readOnly } from './house/questions.ts';

const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');
const bob = await house.addUser('Bob Kahn', 'approver');

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

test('what was typed is there after a reload, and after going elsewhere and back, once', async () => {
  const id = await house.ask(everyField);
  const page = await house.openPageAs(ada, `/requests/${id}`);
  const typed = async () => [
    await page.getByLabel('Company name').inputValue(),
    await page.getByLabel('Comment', { exact: true }).inputValue(),
    await page.getByLabel('Comment, or ask the requester').inputValue(),
  ];
  await page.getByLabel('Company name').fill('Globex');
  await page.getByLabel('Comment', { exact: true }).fill('A customer since May.');
  await page.getByLabel('Comment, or ask the requester').fill('Which plan?');
  await page.reload();
  await page.getByLabel('Company name').waitFor();
  expect(await typed()).toEqual(['Globex', 'A customer since May.', 'Which plan?']);
  await page.getByRole('link', { name: 'Policies' }).first().click();
  await page.waitForURL('**/policies');
  await page.goBack();
  await page.getByLabel('Company name').waitFor();
  expect(await typed()).toEqual(['Globex', 'A customer since May.', 'Which plan?']);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('when the session ends, the list stays and the card leads to the sign-in', async () => {
  const id = await house.ask(readOnly);
  const page = await house.openPageAs(ada, `/requests/${id}`, { viewport: { width: 1440, height: 900 } });
  await rows(page).first().waitFor();
  await untilSettled(page);
  const count = await rows(page).count();
  await page.context().clearCookies();
  const card = page.locator('[data-decision-card]');
  // The page moves as it says so, and a button that has just moved is not pressed.
  await until(async () => {
    await button(page, /^Approve/).click();
    return (await card.getByText('Your session ended').count()) > 0;
  });
  await card.getByRole('link', { name: 'Sign in in a new tab' }).waitFor();
  expect(await rows(page).count()).toBe(count);
  expect(await page.getByRole('navigation', { name: 'Which requests' }).count()).toBe(1);
});

test('a page whose code cannot be loaded says so in its place, and the rest of the console stays', async () => {
  const page = await house.openPageAs(ada, '/inbox');
  await untilSettled(page);
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Insights' }).first().click();
  await page.getByText('This page couldn’t be loaded').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Inbox' }).first().click();
  await rows(page).first().waitFor();
  await page.goBack();
  await button(page, 'Reload the page').click();
  await page.getByRole('heading', { name: 'Insights' }).waitFor();
  const isOfLoading = (complaint: string) => /dynamically imported module|preload CSS/.test(complaint);
  expect(house.complaints.splice(0).filter((complaint) => !isOfLoading(complaint))).toEqual([]);
});

test('what was decided while no change could be told is shown as soon as one can again', async () => {
  const id = await house.ask(readOnly);
  const page = await house.openPage();
  await page.route('**/api/stream', (route) => route.abort());
  const refused = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/stream'));
  await page.goto(await house.server.signInAddress(ada, `/requests/${id}`));
  await refused;
  await house.decideAs(bob, id, 'decline');
  await page.unroute('**/api/stream');
  await page.locator('[data-verb=approve]').waitFor({ state: 'detached' });
});
