import { afterAll, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import type { ElicitationState } from '#requests/asking/contract/open';
import { askingAt } from '../support/nodes/asking.ts';
import { checkAccessibility, launchBrowser, takeScreenshot } from '../support/browser/browser.ts';
import { startTestServer } from '../support/nodes/server.ts';
import { json } from '../support/json.ts';
import { drawn } from '../support/runs.ts';

const [browser, server] = await Promise.all([launchBrowser(), startTestServer()]);
afterAll(async () => {
  await browser.close();
  await server.stop();
});
const asking = askingAt(server.url, await server.newServerKey('travel'));

/** One field of every kind MCP forms know, and the one that only results may have. */
const everyKind = {
  type: 'object',
  title: 'Your trip',
  description: 'We book what you choose here.',
  properties: {
    name: { type: 'string', title: 'Traveller', minLength: 2, maxLength: 80, default: 'Alice' },
    wishes: { type: 'string', title: 'Wishes', description: 'Anything the hotel should know.', maxLength: 500 },
    email: { type: 'string', title: 'Email', format: 'email' },
    page: { type: 'string', title: 'Web page', format: 'uri' },
    day: { type: 'string', title: 'Arrival', format: 'date' },
    moment: { type: 'string', title: 'Pick-up', format: 'date-time' },
    budget: { type: 'number', title: 'Budget in euro', minimum: 0, maximum: 5000 },
    seats: { type: 'integer', title: 'Seats', minimum: 1, maximum: 9 },
    insured: { type: 'boolean', title: 'Travel insurance' },
    meal: { type: 'string', title: 'Meal', enum: ['meat', 'fish', 'vegetables'] },
    room: {
      type: 'string',
      title: 'Room',
      oneOf: Array.from({ length: 8 }, (_, at) => ({ const: `r${at}`, title: `Zimmer ${at + 1} mit Gartenblick` })),
    },
    bed: { type: 'string', title: 'Bed', enum: ['s', 'd'], enumNames: ['Single', 'Double'], default: 'd' },
    days: { type: 'array', title: 'Days', items: { type: 'string', enum: ['Mon', 'Tue', 'Wed'] }, minItems: 1 },
    extras: {
      type: 'array',
      title: 'Extras',
      items: { anyOf: [{ const: 'bike', title: 'A bicycle' }, { const: 'spa', title: 'Entry to the spa' }] }, // prettier-ignore
    },
    guests: { type: 'array', title: 'Other guests', items: { type: 'string' } },
    pass: { type: 'string', title: 'Door password' },
  },
  required: ['name', 'email', 'seats', 'insured', 'meal', 'days'],
};

const question = {
  tool: { name: 'book_trip', title: 'Book a trip' },
  arguments: { destination: 'Wien Hauptbahnhof', nights: 3, budget: { currency: 'EUR', most: 900 } },
  message: 'The hotel has two rooms left for your dates.\nPlease choose, then the tool books at once.',
  reason: 'The user wants to visit Vienna in spring and prefers trains.',
  mode: 'url',
  audience: 'requester',
  session: 'session-1',
  supersede: 'none',
  schema: everyKind,
};

const widths = { narrow: { width: 360, height: 780 }, wide: { width: 1440, height: 900 } };
const looks = (['narrow', 'wide'] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
);

async function newPage({ width, scheme }: (typeof looks)[number]): Promise<[Page, BrowserContext]> {
  // The server's own pages need no script, so the tests allow none but the one that looks for barriers.
  const context = await browser.newContext({ viewport: widths[width], colorScheme: scheme, locale: 'en-GB' });
  return [await context.newPage(), context];
}

const state = (id: string): Promise<ElicitationState> =>
  json<ElicitationState>(asking.call('GET', `/v1/elicitations/${id}`));

/** What a thumb must hit: at least 44 pixels high, or a part of a label that is. */
const smallTargets = (page: Page): Promise<string[]> =>
  page
    .locator(
      'button, select, textarea, a.button, label.choice, input:not([type=hidden], [type=radio], [type=checkbox])',
    )
    .evaluateAll((all) => all.filter((item) => item.getBoundingClientRect().height < 44).map((item) => item.outerHTML));

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

async function look(page: Page, name: string): Promise<void> {
  await takeScreenshot(page, `hosted-page/${name}`);
  expect(await checkAccessibility(page)).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
  expect(await isTooWide(page)).toBe(false);
}

async function proveAndOpen(page: Page, url: string, code: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Open the request' }).click();
  await page.getByRole('button', { name: 'Decline' }).waitFor();
}

async function fillEveryKind(page: Page): Promise<void> {
  await page.getByLabel('Traveller').fill('Ada Lovelace');
  await page.getByLabel('Wishes').fill('A quiet room,\nplease.');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Web page').fill('https://example.com/ada');
  await page.getByLabel('Arrival').fill('2026-03-31');
  await page.getByLabel('Pick-up').fill('2026-03-31T09:30');
  await page.getByLabel('Budget in euro').fill('899.50');
  await page.getByLabel('Seats').fill('2');
  await page.getByRole('group', { name: 'Travel insurance' }).getByLabel('No').check();
  await page.getByRole('group', { name: 'Meal' }).getByLabel('fish').check();
  await page.getByLabel('Room').selectOption({ label: 'Zimmer 3 mit Gartenblick' });
  await page.getByRole('group', { name: 'Days' }).getByLabel('Mon').check();
  await page.getByRole('group', { name: 'Days' }).getByLabel('Wed').check();
  await page.getByRole('group', { name: 'Extras' }).getByLabel('Entry to the spa').check();
  await page.getByLabel('Other guests').fill('Grace\nAlan');
  await page.getByLabel('Door password').fill('opensesame');
}

const answers = {
  name: 'Ada Lovelace',
  wishes: 'A quiet room,\nplease.',
  email: 'ada@example.com',
  page: 'https://example.com/ada',
  day: '2026-03-31',
  moment: '2026-03-31T09:30:00Z',
  budget: 899.5,
  seats: 2,
  insured: false,
  meal: 'fish',
  room: 'r2',
  bed: 'd',
  days: ['Mon', 'Wed'],
  extras: ['spa'],
  guests: ['Grace', 'Alan'],
  pass: 'opensesame',
};

describe('the hosted page in a browser', () => {
  test.each(drawn('German page', ['narrow', 'wide'] as const, { least: 1 }))('speaks German, %s', async (width) => {
    const { url = '', code = '' } = await asking.open(question);
    const context = await browser.newContext({ viewport: widths[width], locale: 'de-DE' });
    const page = await context.newPage();
    await page.goto(url);
    await look(page, `german-code-${width}`);
    await page.getByLabel('Code').fill(code);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Ablehnen' }).waitFor();
    await look(page, `german-${width}`);
    await context.close();
  });

  test.each(drawn('hosted page', looks, { least: 1 }))(
    'takes every kind of field at $width, $scheme',
    async ({ width, scheme }) => {
      const { id, url = '', code = '' } = await asking.open(question);
      const [page, context] = await newPage({ width, scheme });
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      await page.goto(url);
      await look(page, `code-${width}-${scheme}`);
      await page.getByLabel('Code').fill('x');
      await page.getByRole('button', { name: 'Open the request' }).click();
      await page.getByRole('alert').waitFor();
      await look(page, `wrong-code-${width}-${scheme}`);
      complaints.length = 0; // the browser reports the status of the refusal
      await page.getByLabel('Code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Book a trip needs your answer' }).waitFor();
      await look(page, `question-${width}-${scheme}`);
      await page.screenshot({ path: `test-results/hosted-page/question-full-${width}-${scheme}.png`, fullPage: true });
      expect(complaints).toEqual([]);

      await fillEveryKind(page);
      await page.getByLabel('Seats').fill('12');
      await page.getByRole('button', { name: 'Send answer' }).click();
      await page.getByRole('alert').waitFor();
      const { y = -1 } = (await page.getByRole('alert').boundingBox()) ?? {};
      expect(Math.round(y)).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThan(widths[width].height / 2);
      expect(await page.getByLabel('Seats').getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByLabel('Wishes').inputValue()).toBe('A quiet room,\nplease.');
      expect(await page.getByLabel('Door password').inputValue()).toBe('');
      await look(page, `refused-${width}-${scheme}`);
      await page.screenshot({ path: `test-results/hosted-page/refused-full-${width}-${scheme}.png`, fullPage: true });
      await page.getByRole('alert').getByRole('link', { name: 'Seats' }).click();
      await page.getByLabel('Seats').fill('2');
      await page.getByLabel('Door password').fill('opensesame');
      await page.getByRole('button', { name: 'Send answer' }).click();
      await page.getByRole('heading', { name: 'Your answer was sent' }).waitFor();
      await look(page, `sent-${width}-${scheme}`);
      expect(await state(id)).toMatchObject({ status: 'accepted', content: answers });

      await page.goto(url);
      await page.getByRole('heading', { name: 'This request has been answered' }).waitFor();
      await look(page, `answered-${width}-${scheme}`);
      await context.clearCookies();
      await page.reload();
      await page.getByRole('heading', { name: 'This link isn’t valid' }).waitFor();
      await look(page, `not-valid-${width}-${scheme}`);
      await context.close();
    },
  );

  test.each(looks)('names the host before it leads there at $width, $scheme', async ({ width, scheme }) => {
    const opened = await asking.open({
      ...question,
      schema: undefined,
      url: new URL('https://xn--80ak6aa92e.com/oauth/authorize?client_id=travel&state=0123456789abcdef').href,
    });
    const [page, context] = await newPage({ width, scheme });
    await proveAndOpen(page, opened.url ?? '', opened.code ?? '');
    await page.screenshot({ path: `test-results/hosted-page/consent-full-${width}-${scheme}.png`, fullPage: true });
    await look(page, `consent-${width}-${scheme}`);
    const leaving = page.waitForRequest(/^https:/);
    await page.getByRole('button', { name: /^Continue to/ }).click();
    expect((await leaving).url()).toBe(
      'https://xn--80ak6aa92e.com/oauth/authorize?client_id=travel&state=0123456789abcdef',
    );
    await context.close();
  });

  test('works without scripts, by the keyboard alone', async () => {
    const { id, url = '', code = '' } = await asking.open({ ...question, schema: undefined });
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(url);
    await page.keyboard.press('Tab');
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Accept' }).waitFor();
    await page.getByRole('button', { name: 'Accept' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You declined' }).waitFor();
    expect(await state(id)).toMatchObject({ status: 'declined' });
    await context.close();
  });

  test('gives its three ways out one size and one look', async () => {
    const { url = '', code = '' } = await asking.open({ ...question, schema: undefined });
    const [page, context] = await newPage({ width: 'wide', scheme: 'light' });
    await proveAndOpen(page, url, code);
    const weights = await page.locator('.actions button').evaluateAll((all) =>
      all.map((item) => {
        const { width, height } = item.getBoundingClientRect();
        const { color, backgroundColor, borderColor, fontWeight } = getComputedStyle(item);
        return JSON.stringify([Math.round(width), Math.round(height), color, backgroundColor, borderColor, fontWeight]);
      }),
    );
    expect([weights.length, new Set(weights).size]).toEqual([3, 1]);
    await context.close();
  });
});
