import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { startFakePayments } from '../support/connect/fake-payments.ts';
import { startFakeProvider } from '../support/connect/fake-provider.ts';
import { checkAccessibility, takeScreenshot } from '../support/browser/browser.ts';
import { askingAt } from '../support/nodes/asking.ts';
import { leaveBy, newVisitor } from '../support/nodes/visitor.ts';
import { button, openHouse } from './house/house.ts';
import { expectUsableEverywhere } from './house/usable.ts';

const [payments, accounts] = [await startFakePayments({ now: Date.now }), await startFakeProvider()];
const servers = ['payments'];
const house = await openHouse({
  outcomeProviders: [payments.settings({ servers })],
  connectProviders: [accounts.settings({ label: 'GitHub', servers })],
});
afterAll(async () => {
  await house.close();
  await payments.close();
  await accounts.close();
});
const ada = await house.addUser('Ada Lovelace', 'admin');
const { url } = house.server;
const events = `${url}/providers/fake-payments/events`;
const asking = askingAt(url, await house.server.createServerKey('payments'));
const ofRequester = { requester: { subject: 'client:test' }, mode: 'url', schema: undefined, audience: undefined };
const looks: Record<string, BrowserContextOptions> = {
  '360-dark': { viewport: { width: 360, height: 780 }, colorScheme: 'dark' },
  '1440-light': { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
};

type Asked = OpenedElicitation & { url: string; code: string };

test('an operator sees what came from each provider, and money without a request', async () => {
  const stray = payments.makes({ reference: null, amount: 500, currency: 'eur' });
  expect(await payments.deliver(payments.pays(stray.id), events)).toEqual([200]);
  expect(await payments.deliver(payments.pays(stray.id), events, { secret: 'whsec_other' })).toEqual([401]);
  const page = await house.openPageAs(ada, '/settings/providers');
  await page.getByRole('heading', { name: 'Providers', level: 1 }).waitFor();
  await page.getByRole('row', { name: /GitHub.*connections.*reports nothing/ }).waitFor();
  await page.getByRole('row', { name: /payments.*done · .*1 · / }).waitFor();
  await page.getByText('Money moved or something was signed').waitFor();
  await expectUsableEverywhere(page, 'providers');
});

test('the page of a secret hides what is typed, and says who keeps it', async () => {
  for (const [name, options] of Object.entries(looks)) {
    const { url: address, code } = (await asking.open({
      ...ofRequester,
      message: 'Enter your OpenAI key.',
      expects: { kind: 'secret', label: 'OpenAI key', keep: 'until-removed' },
    })) as Asked;
    const page = await house.openPage(options);
    await page.goto(address);
    await page.getByLabel('Code').fill(code);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Enter OpenAI key for payments' }).waitFor();
    expect(await page.getByLabel('OpenAI key').getAttribute('type')).toBe('password');
    await takeScreenshot(page, `secret-${name}`);
    expect(await checkAccessibility(page)).toEqual([]);
  }
});

test('a card shows what was paid before as a fact of Assentry', async () => {
  const call = randomUUID();
  const expects = { kind: 'payment', provider: 'fake-payments', amount: '100.00', currency: 'EUR', for: 'Order 1042' };
  const paying = { ...ofRequester, call, step: 'pay', message: 'Pay.', supersede: 'none', expects };
  const request = (await asking.open(paying)) as Asked;
  const address = await leaveBy(newVisitor(), request.url, request.code);
  const session = payments.sessions().find((other) => other.url === address);
  await payments.deliver(payments.pays(session?.id ?? ''), events);
  const { id } = await asking.open({
    requester: ofRequester.requester,
    call,
    step: 'release',
    message: 'Release the order?',
    schema: undefined,
    after: [request.id],
  });
  const page = await house.openPageAs(await house.addUser('Bob Noyce', 'approver'), `/requests/${id}`);
  await page.locator('#decision').getByText('✓ fake-payments confirms the payment').waitFor();
  await page
    .locator('#decision')
    .getByText(/100\.00 EUR · “Order 1042”/)
    .waitFor();
  await button(page, /^Approve/).waitFor();
  await expectUsableEverywhere(page, 'card-proven');
});
