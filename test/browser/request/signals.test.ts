import { expect, test } from '@jest/globals';
import type { Comparison } from '#requests/inbox/contract/signal';
import type { OpenElicitation } from '#requests/asking/contract/open';
import { sharedHouse } from '../house/house.ts';
import { corners, expectUsable, expectUsableEverywhere } from '../house/usable.ts';

const payment = (amount: number, to: string): OpenElicitation => ({
  tool: { name: 'pay', description: amount === 9781.2 ? 'Pays at once.' : 'Pays.' },
  arguments: { amount, currency: 'EUR', to },
  message: 'Pay it?',
  audience: 'approvers',
  requester: { subject: 'grace', verified: true },
});

const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');
const bob = await house.addUser('Bob Babbage', 'approver');
for (let calls = 0; calls < 5; calls += 1) await house.decideAs(bob, await house.ask(payment(1482, 'Bob')), 'accept');

test('the card says what sets a request apart from past ones, what its facts were, and from which requests it has that', async () => {
  const id = await house.ask(payment(9781.2, 'Bob\u200b'));
  const page = await house.openPageAs(ada, `/requests/${id}`);
  const card = page.locator('[data-decision-card]');
  const signals = card.locator('[data-signals]');
  await signals.waitFor();
  const texts = [
    'Tool changed since its last approval',
    'New payee',
    '6.6 × the usual 1,482',
    '6 requests in 10 minutes',
  ];
  for (const text of texts) expect(await signals.getByText(text, { exact: true }).count()).toBe(1);
  expect(await card.locator('[data-was]').allInnerTexts()).toEqual([' was 1482 EUR', ' was Bob']);
  expect(await signals.getByRole('link').count()).toBe(0);
  await expectUsableEverywhere(page, 'signals');
  await page.setViewportSize({ width: 1440, height: 900 });
  await signals.getByRole('button').click();
  const why = page.getByRole('region', { name: 'Compared with past requests' });
  await why.getByText('The median of amount in the last 5 approved calls with the same currency is 1,482.').waitFor();
  expect(await why.locator('[data-hidden-characters]').innerText()).toContain('U+200B');
  expect(await why.getByRole('link').count()).toBe(1 + 5 + 5 + 5);
  await expectUsableEverywhere(page, 'signals-why');
  await why.getByRole('link').first().click();
  await page.getByText('Approved', { exact: true }).first().waitFor();
});

test('a long change shows its beginning until it is opened', async () => {
  const page = (body: string): OpenElicitation => ({
    ...payment(1, 'Bob'),
    tool: { name: 'publish' },
    arguments: { body },
  });
  await house.decideAs(bob, await house.ask(page('short')), 'accept');
  const opened = await house.openPageAs(ada, `/requests/${await house.ask(page(`${'line\n'.repeat(200)}the end`))}`);
  const added = opened.locator('dd', { has: opened.locator('ins') });
  await added.locator('bdi').waitFor();
  expect(await added.innerText()).not.toContain('the end');
  await added.getByRole('button', { name: 'Show all 1,007 characters in 201 lines' }).click();
  expect(await added.innerText()).toContain('the end');
});

test('in German, and one word of it in the row of the inbox', async () => {
  const id = await house.ask(payment(1482, 'Eve'));
  const german = await house.openPageAs(ada, `/requests/${id}`, { locale: 'de-DE' });
  await german.locator('[data-signals]').getByText('Neue Empfangsstelle', { exact: true }).waitFor();
  await german.locator('[data-signals]').getByRole('button').click();
  for (const { width, options } of corners) {
    await german.setViewportSize(options.viewport);
    await expectUsable(german, `signals-german-${width}`);
  }
  const page = await house.openPageAs(ada, '/inbox');
  await page
    .locator('li', { has: page.locator(`[data-row=${id}]`) })
    .getByText('New payee', { exact: true })
    .waitFor();
  await expectUsableEverywhere(page, 'inbox-signals');
});

test('a requester who is not verified stands out only if others were', async () => {
  const id = await house.ask({ ...payment(1482, 'Bob'), requester: { subject: 'grace' } });
  const page = await house.openPageAs(ada, `/requests/${id}`);
  await page.locator('[data-signals]').getByText('Requester not verified, unlike before', { exact: true }).waitFor();
  await page.goto(`${house.server.url}/inbox`);
  const row = page.locator('li', { has: page.locator(`[data-row=${id}]`) });
  await row.getByText('Not verified', { exact: true }).waitFor();
});

test('a request like those before it, and one without enough of them, says nothing', async () => {
  for (const tool of ['pay', 'pay_other']) {
    const question = { ...payment(1482, 'Bob'), tool: { name: tool, description: 'Pays.' } };
    const id = await house.ask(question);
    const page = await house.openPageAs(ada, `/requests/${id}`);
    const answer = await page.request.get(`${house.server.url}/api/elicitations/${id}/differences`);
    const { signals } = (await answer.json()) as Comparison;
    expect(signals.map(({ kind }) => kind).filter((kind) => kind !== 'burst')).toEqual([]);
  }
});
