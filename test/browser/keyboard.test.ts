import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ElicitationId } from '#platform/model/id';
import { until } from '../support/poll.ts';
import { button, sharedHouse } from './house/house.ts';
import { readOnly } from './house/questions.ts';
import { expectUsableEverywhere } from './house/usable.ts';

const atOnce = 20;
const requests = 60;
const queue = '?tool=export_report';

const house = await sharedHouse();
const bob = await house.addUser('Bob Noyce', 'approver');
const ids: ElicitationId[] = [];
for (let round = 0; round < requests / atOnce; round += 1)
  ids.push(...(await Promise.all(Array.from({ length: atOnce }, () => house.ask(readOnly)))));

test('a queue of 60 requests is decided by keyboard alone, and never left', async () => {
  await house.ask({ ...readOnly, tool: { name: 'other_tool' } });
  const page = await house.openPageAs(bob, `/inbox${queue}`);
  await rows(page).first().waitFor();
  for (const key of ['n', 'j', 'k', 'o']) await page.keyboard.press(key);
  const alone = await decideAlone(page);
  await page.keyboard.press('/');
  await waitForQueue(page, alone);
  await selectRange(page);
  const together = [];
  for (let round = 1; round < requests / atOnce; round += 1) together.push(...(await decideTogether(page)));
  expect(new Set([...alone, ...together])).toEqual(new Set(ids));
  const stored = await Promise.all(ids.map((id) => house.server.engine.reader.elicitation(id)));
  expect(new Set(stored.map((row) => row?.status))).toEqual(new Set(['accepted']));
  await goThroughHistory(page);
}, 400_000);

const rows = (page: Page) => page.locator('a[data-row]');

/** Reads twenty requests one by one, each on its page; `n` leads to the next one of the queue. */
async function decideAlone(page: Page): Promise<string[]> {
  const decided: string[] = [];
  while (decided.length < atOnce) {
    await page.waitForURL((url) => url.pathname.startsWith('/requests/') && !decided.includes(idIn(url)));
    expect(new URL(page.url()).search).toBe(queue);
    await button(page, /^Approve/).waitFor();
    await page.keyboard.press('a');
    await page.getByText('Press Y to confirm').first().waitFor();
    await page.keyboard.press('y');
    await page.getByText('Approved. The call can run.').first().waitFor();
    decided.push(idIn(new URL(page.url())));
    if (decided.length < atOnce) await page.keyboard.press('n');
  }
  return decided;
}

const idIn = ({ pathname }: URL): string => pathname.split('/').at(-1) ?? '';

/** `X` selects from the last selected row to the one in focus. */
async function selectRange(page: Page): Promise<void> {
  for (const key of ['j', 'x', 'j', 'j', 'j']) await page.keyboard.press(key);
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('X');
  await page.getByText('4 selected').waitFor();
}

/** Selects as many as may be decided together, and returns to the queue; the ids that were decided. */
async function decideTogether(page: Page): Promise<string[]> {
  await page.keyboard.press('*');
  await page.getByText(`${atOnce} selected`).waitFor();
  await page.keyboard.press('t');
  await page.waitForURL('**/inbox/together?**');
  await button(page, `Approve all ${atOnce}`).waitFor();
  const chosen = new URL(page.url()).searchParams.get('ids')?.split(',') ?? [];
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  await page.getByText(`Your ${atOnce} votes are counted.`).first().waitFor();
  await page.keyboard.press('/');
  await waitForQueue(page, chosen);
  return chosen;
}

/** The list of the queue, read again since these were decided. */
async function waitForQueue(page: Page, decided: string[]): Promise<void> {
  await page.waitForURL(`**/inbox${queue}`);
  await page.locator('main h1', { hasText: 'Inbox' }).waitFor();
  await page.locator('a[data-row], main h2').first().waitFor();
  await until(async () => {
    const shown = await rows(page).evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname));
    return shown.every((pathname) => !decided.some((id) => pathname.endsWith(id)));
  });
}

/** The same keys lead through what has ended. */
async function goThroughHistory(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('History');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/history');
  await rows(page).first().waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const second = await rows(page).nth(1).getAttribute('href');
  for (const key of ['j', 'n', 'j', 'k', 'o']) await page.keyboard.press(key);
  await page.waitForURL(`**${second}`);
  await page.getByText('Approved', { exact: false }).first().waitFor();
  await page.keyboard.press('/');
  await page.waitForURL('**/history');
  await until(() =>
    rows(page)
      .nth(1)
      .evaluate((row) => row === document.activeElement),
  ); // one goes on where one was
  await page.keyboard.press('?');
  await page.getByText('Select all of one tool, 20 at most').waitFor();
  await expectUsableEverywhere(page, 'shortcuts');
}
