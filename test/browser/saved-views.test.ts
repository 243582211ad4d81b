import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sharedHouse } from './house/house.ts';
import { readOnly, transfer } from './house/questions.ts';
import { expectUsableEverywhere } from './house/usable.ts';

const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'approver');
const bob = await house.addUser('Bob Noyce', 'approver');
await house.ask(transfer);
await house.ask(readOnly);

const openViews = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByLabel('Name for this list').waitFor();
};
/** Finds this as the only entry of the palette, which loads the views when it is opened. */
const findInPalette = async (page: Page, text: string, entry: string): Promise<void> => {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('combobox').fill(text);
  await palette.getByRole('option', { name: entry }).waitFor();
  expect(await palette.getByRole('option').count()).toBe(1);
  await page.keyboard.press('Escape');
  await palette.getByRole('combobox').waitFor({ state: 'detached' });
};

test('a list is saved under a name, found again, shared, renamed and removed', async () => {
  const page = await house.openPageAs(ada, '/inbox?view=all&risk=high');
  await openViews(page);
  await page.getByLabel('Name for this list').fill('Risky ones');
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('link', { name: 'Risky ones' }).waitFor();
  await expectUsableEverywhere(page, 'saved-views');

  await page.goto(`${house.server.url}/inbox`);
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await findInPalette(page, 'risky', 'View: Risky ones');
  await openViews(page);
  await page.getByRole('link', { name: 'Risky ones' }).click();
  await page.waitForURL(/\?view=all&risk=high$/); // next to the list, its first request opens by itself

  const other = await house.openPageAs(bob, '/inbox');
  await openViews(other);
  await other.getByText('find it here again').waitFor();
  await openViews(page);
  await page.getByRole('button', { name: 'Share “Risky ones”' }).click();
  await page.getByText('Everyone here finds it').waitFor();
  await other.reload();
  await openViews(other);
  await other.getByText('Shared by Ada Lovelace').waitFor();
  expect(await other.getByRole('button', { name: /Risky ones/ }).count()).toBe(0);

  await page.getByRole('button', { name: 'Rename “Risky ones”' }).click();
  await page.getByLabel('New name').fill('High risk');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByRole('link', { name: 'High risk', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove “High risk”' }).click();
  await page.getByText('find it here again').waitFor();
  const hasFocus = () => page.getByRole('button', { name: 'Views' }).evaluate((it) => it === document.activeElement);
  expect(await hasFocus()).toBe(true); // the row that had it is gone
  await page.getByLabel('Name for this list').focus();
  await page.keyboard.press('Escape');
  expect([await hasFocus(), await page.getByLabel('Name for this list').count()]).toEqual([true, 0]);
});

test('a view of what is gone leads to an empty list that can be cleared', async () => {
  const page = await house.openPageAs(ada, '/inbox?view=all&group=dissolved');
  await openViews(page);
  await page.getByLabel('Name for this list').fill('Old group');
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('link', { name: 'Old group' }).click();
  await page.getByRole('link', { name: 'Clear filters' }).first().waitFor();
  expect(await page.locator('a[data-row]').count()).toBe(0);
});
