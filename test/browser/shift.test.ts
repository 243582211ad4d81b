import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ElicitationId } from '#platform/model/id';
import { sharedHouse } from './house/house.ts';
import { runs } from '../support/runs.ts';
import { readOnly } from './house/questions.ts';

const shift = runs(300);
const isDeclined = (at: number): boolean => at % 10 === 9;
const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');

test('a shift of requests goes by keyboard alone, each decided on its own page', async () => {
  const ids: ElicitationId[] = [];
  for (let at = 0; at < shift; at += 1)
    ids.push(await house.ask({ ...readOnly, arguments: { at }, ttl: 3_600_000 + at * 1000 }));
  const page = await house.openPageAs(ada, '/inbox');
  await page.locator('a[data-row]').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  for (const [at, id] of ids.entries()) {
    await page.waitForURL(`**/requests/${id}`);
    await (isDeclined(at) ? decline(page) : press(page, 'a'));
    await page.locator('a:focus', { hasText: at < shift - 1 ? 'Next request' : 'Back to the inbox' }).waitFor();
    await page.keyboard.press('Enter');
  }
  await page.getByText('You’re all caught up').waitFor();
  const statuses = await Promise.all(ids.map((id) => house.server.engine.reader.elicitation(id)));
  expect(statuses.map((row) => row?.status)).toEqual(ids.map((_, at) => (isDeclined(at) ? 'declined' : 'accepted')));
}, 600_000);

/** Each key is pressed once the page has answered the one before. */
async function press(page: Page, key: 'a' | 'd'): Promise<void> {
  await page.getByRole('button', { name: /^Approve/ }).waitFor();
  await page.keyboard.press(key);
  await page.getByText('Press Y to confirm').first().waitFor();
  await page.keyboard.press('y');
}

async function decline(page: Page): Promise<void> {
  await press(page, 'd');
  await page.locator('textarea:focus').waitFor(); // the comment that a refusal needs
  await page.keyboard.type('Not now.');
  const button = page.locator('button:focus', { hasText: 'Decline' });
  for (let steps = 0; steps < 10 && (await button.count()) === 0; steps += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
}
