import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { OpenElicitation } from '#requests/asking/contract/open';
import type { FieldSchema } from '#platform/form/schema';
import type { ElicitationId } from '#platform/model/id';
import { takeScreenshot } from '../../support/browser/browser.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { until } from '../../support/poll.ts';
import { approve, button, sharedHouse, scrollThrough } from '../house/house.ts';
import { corners, expectUsableEverywhere } from '../house/usable.ts';
import { drawn } from '../../support/runs.ts';

const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');

const [phone] = corners;
const approveOn = (page: Page) => button(page, /^Approve/);
const statusOf = async (id: ElicitationId) => (await house.server.engine.reader.elicitation(id))?.status;

const plain: OpenElicitation = {
  tool: { name: 'make_offer' },
  arguments: { customer: 'Globex' },
  message: 'Make the offer?',
  audience: 'approvers',
  requester: { subject: 'grace', verified: true },
};

/** A guard ignores what is pressed in the first moment. */
async function tapApprove(page: Page): Promise<void> {
  await page.waitForTimeout(450);
  await approveOn(page).click();
}

/** Whether an element is on the screen, and neither under the header nor under the sheet. */
const isOnScreen = (page: Page, selector: string) =>
  page.evaluate((goal) => {
    const element = goal === ':focus' ? document.activeElement : document.querySelector(goal);
    if (element === null || element === document.body) return false;
    const { left, top, width, height } = element.getBoundingClientRect();
    const at = document.elementFromPoint(left + Math.min(width / 2, 20), top + height / 2);
    return (
      at !== null &&
      (element.contains(at) || at.contains(element) || at.closest('[data-fault]')?.contains(element) === true)
    );
  }, selector);

const filler = { type: 'string', title: 'Remark' } as const;
const kinds: [kind: string, field: FieldSchema][] = [
  ['Yes or No', { type: 'boolean' }],
  ['one of two', { type: 'string', enum: ['eu', 'us'] }],
  ['one of many', { type: 'string', enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }],
  ['several', { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 1 }],
  ['a text', { type: 'string' }],
  ['a long text', { type: 'string', maxLength: 1000 }],
  ['an email address', { type: 'string', format: 'email' }],
  ['an address', { type: 'string', format: 'uri' }],
  ['a date', { type: 'string', format: 'date' }],
  ['a moment', { type: 'string', format: 'date-time' }],
  ['a number', { type: 'number' }],
  ['a whole number', { type: 'integer' }],
];

describe('Approve says which answer is missing and leads to it', () => {
  const cases = corners.flatMap(({ width, options }) =>
    kinds.map(([kind, field]) => ({ width, kind, field, options })),
  );
  const tried = drawn('missing answers', cases, { values: ({ width, kind }) => [`${width}`, kind] });

  test.each(tried)('$kind at $width px', async ({ field, options }) => {
    const alone = { type: 'object', properties: { confirmed: field }, required: ['confirmed'] };
    const fields = Array.from({ length: 20 }, (_, at) => [`field_${at}`, filler] as const);
    const last = { ...alone, properties: { ...Object.fromEntries(fields), confirmed: field } };
    // a phone shows one field of twenty, so that the way to it is longest there
    const id = await house.ask({ ...plain, schema: options.viewport.width === 360 ? last : alone });
    const page = await house.openPageAs(ada, `/requests/${id}`, options);
    await page.getByText('1 answer missing: confirmed').waitFor();
    await tapApprove(page);
    const fault = page.locator('[data-fault=true]');
    expect(await fault.count()).toBe(1);
    expect(await fault.evaluate((place) => place.contains(document.activeElement))).toBe(true);
    await until(() => isOnScreen(page, ':focus'));
    expect(await statusOf(id)).toBe('open');
  });
});

test('one or two choices stand in the decision card, and only there', async () => {
  const schema = { type: 'object', properties: { confirmed: { type: 'boolean' } }, required: ['confirmed'] };
  const page = await house.openPageAs(ada, `/requests/${await house.ask({ ...plain, schema })}`, phone?.options);
  const card = page.locator('[data-decision-card]');
  expect(await page.getByLabel('Yes', { exact: true }).count()).toBe(1);
  await expectUsableEverywhere(page, 'card-choice');
  await page.setViewportSize({ width: 360, height: 740 });
  await tapApprove(page);
  await card.getByText('This field is required.').waitFor();
  expect(await page.locator('[role=radiogroup]').getAttribute('aria-invalid')).toBe('true');
  await card.getByLabel('Yes', { exact: true }).check();
  await tapApprove(page);
  await page.getByText('Approved. The call can run.').first().waitFor();
});

test('who approved a call reads when it starts, without loading the page again', async () => {
  const asking = askingAt(house.server.url, await house.server.createServerKey('billing-mcp'));
  const { id, toolCall } = await asking.open();
  const page = await house.openPageAs(ada, `/requests/${id}`, phone?.options);
  await approve(page);
  await page.getByText('Approved. The call can run.').first().waitFor();
  await asking.claim(toolCall, 'a');
  await page.getByText(/^Approved\. Started \d\d:\d\d\.$/).waitFor();
  expect(await button(page, 'Revoke approval').count()).toBe(0);
});

test('a number deep in the arguments is whole, and inside the screen of a phone', async () => {
  const deep = (depth: number): Record<string, unknown> =>
    depth === 0 ? { offset: 9_007_199_254_740_991 } : { inner: deep(depth - 1) };
  const page = await house.openPageAs(
    ada,
    `/requests/${await house.ask({ ...plain, arguments: deep(9) })}`,
    phone?.options,
  );
  const closed = page.locator('[data-part-start] button[aria-expanded=false]');
  for (const toggle of await closed.all()) await toggle.evaluate((element: HTMLElement) => element.click());
  const box = await page.locator(`[data-at="${'/inner'.repeat(9)}/offset"]`).evaluate((place) => {
    const range = document.createRange();
    range.selectNodeContents(place);
    return { right: range.getBoundingClientRect().right, lines: range.getClientRects().length > 0 };
  });
  expect(box.lines).toBe(true);
  expect(box.right).toBeLessThanOrEqual(360);
});

test('verbs of SQL that the card may cut are named apart from the statement', async () => {
  const cardOf = async (query: string) => {
    const page = await house.openPageAs(ada, `/requests/${await house.ask({ ...plain, arguments: { query } })}`);
    return page.locator('[data-decision-card]').innerText();
  };
  expect(await cardOf('SELECT id FROM users; DROP TABLE users')).toMatch(/\n\s*SQL: SELECT, DROP\s*\n\s*SELECT id/);
  expect(await cardOf('UPDATE users SET name = 1')).not.toMatch(/SQL:|UPDATE UPDATE/);
});

const filling = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`aa${at}`, at]));
const lines = Array.from({ length: 220 }, (_, at) => ({
  sku: `A-${1000 + at}`,
  quantity: at + 1,
  currency: 'EUR',
  warehouse: at === 136 ? 'offshore-7 (sanctioned)' : 'main',
  price: 0.1,
}));
const order: OpenElicitation = { ...plain, tool: { name: 'place_order' }, arguments: { customer: 'Globex', lines } };

describe.each(drawn('seen', corners, { least: 1 }))(
  'at $width px, nothing is approved that was not on the screen',
  ({ options }) => {
    test('an order of 220 lines is opened and read to its end before Approve approves', async () => {
      const id = await house.ask(order);
      const page = await house.openPageAs(ada, `/requests/${id}`, options);
      await page.getByText('1,100 arguments are not shown here').waitFor();
      await page.getByText('Read the rest first').waitFor();
      await page.getByText('1 of 220 differs: warehouse').waitFor();
      expect(await page.locator('[data-outlier]').innerText()).toContain('137 offshore-7 (sanctioned)');
      await page.getByText('Sum of price').waitFor();
      expect(await page.getByText('22.0', { exact: true }).count()).toBe(1);
      await page.keyboard.press('a');
      expect(await page.getByRole('row').count()).toBe(221);
      await takeScreenshot(page, `console-order-${options.viewport.width}`);
      await page.keyboard.press('a');
      expect(await statusOf(id)).toBe('open');
      // Led through by the button, less than a screen at a time.
      for (let presses = 0; (await page.getByText('Read the rest first').count()) > 0; presses += 1) {
        expect(presses).toBeLessThan(60);
        await page.waitForTimeout(30);
        await approveOn(page).click();
      }
      expect(await statusOf(id)).toBe('open');
      await page.evaluate(() => window.scrollTo(0, 0));
      await tapApprove(page);
      await page.getByText('Approved. The call can run.').first().waitFor();
    });

    test.each([
      [
        'a statement',
        {
          sql: `UPDATE accounts SET balance = balance + 100 WHERE id IN (${'1, '.repeat(30)}2) OR 1 = 1 ${'-- '.repeat(20)}`,
        },
      ],
      ['an address', { url: `https://files.example.com/${'a/'.repeat(60)}?to=h` }],
      ['an argument that is no key fact', { amount: 1, to: 'Bob', a: 1, b: 2, c: 3, force: true }],
    ])('%s that the card shows in part', async (_, args) => {
      const id = await house.ask({ ...plain, arguments: { ...filling, ...args } });
      const page = await house.openPageAs(ada, `/requests/${id}`, options);
      await page.getByText('Read the rest first').waitFor();
      await tapApprove(page);
      expect(await statusOf(id)).toBe('open');
      await page.evaluate(() =>
        document.querySelector('[data-part-end=arguments]')?.scrollIntoView({ block: 'center' }),
      );
      await page.evaluate(() => new Promise(requestAnimationFrame));
      expect(await page.getByText('Read the rest first').count()).toBe(1); // what was jumped over was not on the screen
      await scrollThrough(page);
      await page.getByText('Read the rest first').waitFor({ state: 'detached' });
      await tapApprove(page);
      await page.getByText('Approved. The call can run.').first().waitFor();
    });

    test('what the card shows whole is approved at once', async () => {
      const id = await house.ask({ ...plain, arguments: { amount: 12, to: 'Bob' } });
      const page = await house.openPageAs(ada, `/requests/${id}`, options);
      expect(await page.getByText(/not shown here|Read the rest/).count()).toBe(0);
      await tapApprove(page);
      await page.getByText('Approved. The call can run.').first().waitFor();
    });
  },
);

test('where the sheet scrolls, at four times the zoom, its facts are seen before Approve approves', async () => {
  const args = Object.fromEntries(['from', 'to', 'path', 'host'].map((name) => [name, `${name} `.repeat(10).trim()]));
  const facts = Object.keys(args).map((name) => ({ label: name, path: `/${name}` }));
  const id = await house.ask({ ...plain, arguments: args, facts });
  const page = await house.openPageAs(ada, `/requests/${id}`, { viewport: { width: 320, height: 160 } });
  const sheet = page.locator('[data-decision-card]');
  await sheet.evaluate((element) => element.scrollTo({ top: element.scrollHeight, behavior: 'instant' }));
  await page.getByText('Read the rest first').waitFor();
  await tapApprove(page); // leads to what was jumped over
  expect(await statusOf(id)).toBe('open');
  await approve(page);
  await page.getByText('Approved. The call can run.').first().waitFor();
});

test('a second tap of the same finger approves nothing', async () => {
  const id = await house.ask({ ...plain, arguments: { amount: 12, to: 'Bob', ...filling } });
  const page = await house.openPageAs(ada, `/requests/${id}`, phone?.options);
  await page.getByText('Read the rest first').waitFor();
  await approveOn(page).dblclick();
  expect(await statusOf(id)).toBe('open');
});

test('a tap on what has to be held is answered, and approves nothing', async () => {
  const tool = { name: 'wipe', annotations: { destructiveHint: true } };
  const id = await house.ask({ ...plain, tool });
  const page = await house.openPageAs(ada, `/requests/${id}`, phone?.options);
  await page.getByText('Hold for one second').waitFor();
  await approveOn(page).click();
  await page.locator('[data-verb=approve]').getByText('Keep holding').waitFor();
  expect(await statusOf(id)).toBe('open');
});

test('an address keeps its host, and one that imitates another is marked on the card and in the arguments', async () => {
  const url = `https://user@hooks.xn--pple-43d.com/${'path/'.repeat(30)}end`;
  const page = await house.openPageAs(ada, `/requests/${await house.ask({ ...plain, arguments: { url } })}`);
  const card = page.locator('[data-decision-card] [data-part=fact]');
  const shown = await card.innerText();
  expect(shown).toContain('hooks.xn--pple-43d.com');
  expect(shown).toContain('end');
  expect(shown).toContain('Punycode');
  const run = page.getByRole('region', { name: 'What will run' });
  expect(await run.getByText('Punycode').count()).toBe(1);
  expect(await run.getByText('The part before the @ is a name').count()).toBe(1);
  await expectUsableEverywhere(page, 'imitated-address');
  await page.setViewportSize({ width: 320, height: 640 });
  const host = page.locator('[data-decision-card] [data-part=fact] b');
  expect((await host.boundingBox())?.height ?? Infinity).toBeLessThan(26); // one line: half of it may pass for another host
});

test('the edge of a cut is not marked as an edge of the value', async () => {
  const path = `${'word '.repeat(30)}end`;
  const page = await house.openPageAs(ada, `/requests/${await house.ask({ ...plain, arguments: { path } })}`);
  await page.locator('[data-decision-card]').getByText('more on the page').first().waitFor();
  expect(await page.locator('[data-hidden-characters]').count()).toBe(0);
});

test('an amount in cents never stands next to its currency, and a number of the sentence alone is named', async () => {
  const args = { amount_cents: 48_000_000, currency: 'EUR', to: 'Bob' };
  const page = await house.openPageAs(
    ada,
    `/requests/${await house.ask({ ...plain, arguments: args, message: 'Transfer 4.80 EUR for lunch?' })}`,
  );
  const card = page.locator('[data-decision-card]');
  const fact = card.locator('[data-part=fact]').first();
  expect(await fact.innerText()).toMatch(/48000000\s+in cents, not in EUR/);
  expect(await card.getByText('4.80: not among the arguments.').count()).toBe(1);
  expect(await card.getByText('billing-mcp writes:').count()).toBe(1);
  await expectUsableEverywhere(page, 'cents');
});

test.each([
  [667, 375],
  [915, 412],
])('on a phone held sideways (%i × %i), what is decided stands next to the buttons', async (width, height) => {
  const viewport = { width, height };
  const id = await house.ask({ ...plain, arguments: { amount: 5, to: 'Bob' }, message: 'Pay?' });
  const page = await house.openPageAs(ada, `/requests/${id}`, { viewport, hasTouch: true });
  const boxOf = async (locator: Locator) =>
    (await locator.boundingBox()) ?? { x: NaN, y: NaN, width: NaN, height: NaN };
  const card = await boxOf(page.locator('[data-decision-card]'));
  const facts = await boxOf(page.locator('[data-decision-card] dl').first());
  const buttons = await boxOf(approveOn(page));
  expect(buttons.x).toBeGreaterThan(facts.x + facts.width);
  expect(card.height).toBeLessThan(height * 0.65); // what it is about is seen behind it
});
