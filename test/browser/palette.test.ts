import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { stopCalls } from '#requests/stops/verbs';
import { until } from '../support/poll.ts';
import { button, sharedHouse } from './house/house.ts';
import { everyField, readOnly } from './house/questions.ts';
import { expectUsableEverywhere } from './house/usable.ts';
import { drawn } from '../support/runs.ts';

const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');
for (let at = 0; at < 3; at += 1) await house.ask(readOnly);
const request = await house.ask(everyField);

const places = [
  '/inbox',
  '/history',
  '/insights',
  '/policies',
  '/new-policy',
  '/settings/people',
  '/settings/people/new',
  '/settings/groups',
  '/settings/spaces',
  '/settings/roles',
  '/settings/absences',
  '/settings/servers',
  '/settings/workloads',
  '/settings/grants',
  '/settings/stops',
  '/settings/webhooks',
  '/settings/system',
  '/settings/overrides',
  '/audit',
  '/audit/log',
  '/audit/holds',
  '/account',
  '/start',
];

/** The names of all options that the palette has on this page. */
async function paletteOf(page: Page): Promise<string[]> {
  await page.keyboard.press('Control+k');
  const options = page.getByRole('dialog').getByRole('option').locator('span:first-child');
  await options.first().waitFor();
  const texts = await options.allTextContents();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return texts.map(plain);
}

/** What can be used on the page, by the names that Chromium's accessibility tree has. */
async function actionsOf(page: Page): Promise<string[]> {
  const tree = await page.locator('main').ariaSnapshot();
  const named =
    /^\s*- '?(?:link|button|textbox|searchbox|combobox|checkbox|switch|radio|spinbutton) "(.*?[^\\])"(.*)$/gm;
  const actions = [...tree.matchAll(named)].filter(([, , state]) => !state?.includes('[disabled]'));
  return [...new Set(actions.map(([, name = '']) => plain(name.replaceAll('\\"', '"').replaceAll("''", "'"))))];
}

async function missingOf(page: Page): Promise<string[]> {
  const options = await paletteOf(page);
  return (await actionsOf(page)).filter((name) => !options.includes(name));
}

const plain = (text: string): string => text.replaceAll(/\s+/g, '').toLowerCase();

test('every action of every page is in the palette', async () => {
  const page = await house.openPageAs(ada, '/inbox');
  for (const place of drawn('palette', [...places, `/requests/${request}`], { least: 5 })) {
    await page.goto(`${house.server.url}${place}`);
    await page.locator('main h1').waitFor();
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
    // What loads late is there at the second look.
    let missing = await missingOf(page);
    for (let looks = 1; looks < 5 && missing.length > 0; looks += 1) missing = await missingOf(page);
    expect({ place, missing }).toEqual({ place, missing: [] });
  }
});

test('every key of the list of shortcuts is in the palette of its page', async () => {
  const page = await house.openPageAs(ada, '/inbox');
  await page.locator('a[data-row]').first().waitFor();
  const onInbox = await paletteOf(page);
  await page.goto(`${house.server.url}/requests/${request}`);
  await button(page, /^Approve/).waitFor();
  const onRequest = await paletteOf(page);
  await page.keyboard.press('?');
  const keys = async (place: string) =>
    (await page.getByRole('dialog').locator('section', { hasText: place }).locator('dd').allTextContents()).map(plain);
  // The palette itself, and what the browser does by itself. What decides is in the palette as its button.
  const others = [/^findapage/, /^cancel$/, /^approve;/, /^decline;/];
  const missing = (expected: string[], options: string[]) =>
    expected.filter((name) => !options.includes(name) && !others.some((other) => other.test(name)));
  expect(missing(await keys('In the inbox'), onInbox)).toEqual([]);
  expect(missing([...(await keys('Everywhere')), ...(await keys('On a request'))], onRequest)).toEqual([]);
  expect(onRequest).toEqual(
    expect.arrayContaining([expect.stringMatching(/^approve/), expect.stringMatching(/^decline/)]),
  );
  expect(onInbox).toEqual(expect.arrayContaining(['signout', 'theme:dark', 'lists:compact', 'language:deutsch']));
});

test('an action of the palette does what its key does, where the focus was; a button is only focused', async () => {
  const page = await house.openPageAs(ada, '/inbox');
  await page.locator('a[data-row]').first().waitFor();
  const choose = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill(text);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await page.keyboard.press('j');
  await choose('Select the request');
  await page.getByText('1 selected').waitFor();
  await choose('Lists: compact');
  await page.locator('main[data-density=compact]').waitFor();
  await choose('Sign out');
  expect(await page.locator('button:focus', { hasText: 'Sign out' }).count()).toBe(1);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('option').first().waitFor();
  await expectUsableEverywhere(page, 'palette');
});

test('the palette finds places by other words, people, servers, and requests that are loaded or named by id', async () => {
  const page = await house.openPageAs(ada, '/inbox');
  await page.locator('a[data-row]').first().waitFor();
  const find = button(page, 'Find a page or an action'); // phones have no keys
  await find.click();
  const field = page.getByRole('dialog').getByRole('combobox');
  await field.press('Escape');
  await until(() => find.evaluate((element) => element === document.activeElement));
  await find.click();
  for (const [text, name] of [
    ['stop', 'Kill switch'],
    ['ada@', 'Person: Ada Lovelace'],
    ['billing', 'Server: billing-mcp'],
    ['log out', 'Sign out'],
    ['zzqq', 'Search requests: zzqq'],
    ['export the quarterly', 'Request: Quarterly report export · 2026-Q3'],
    [request, `Request ${request}`],
  ] as const) {
    await field.fill(text);
    await page.getByRole('option', { name }).first().waitFor();
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/requests/${request}`);
});

test('while something is stopped, the inbox says what, by whom and why', async () => {
  const page = await house.openPageAs(ada, '/settings/stops');
  await stopCalls(house.server.engine, ada, { tool: 'mail_everyone', reason: 'The agent is mailing everyone.' });
  await page.goto(`${house.server.url}/inbox`);
  await page.getByText('mail_everyone is stopped by Ada Lovelace: The agent is mailing everyone.').waitFor();
  await expectUsableEverywhere(page, 'inbox-stopped');
});

test('a request leads to the form that stops its tool, at its server', async () => {
  const page = await house.openPageAs(ada, `/requests/${request}`);
  await page.getByRole('link', { name: 'Stop this tool' }).click();
  await page.getByLabel('Tool (optional)').waitFor();
  const fields = [page.getByLabel('Server', { exact: true }), page.getByLabel('Tool (optional)')];
  expect(await Promise.all(fields.map((field) => field.inputValue()))).toEqual(['billing-mcp', 'create_account']);
});
