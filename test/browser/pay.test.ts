import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { checkAccessibility, takeScreenshot } from '../support/browser/browser.ts';
import { startFakePayments } from '../support/connect/fake-payments.ts';
import { json } from '../support/json.ts';
import { askingAt } from '../support/nodes/asking.ts';
import { drawn } from '../support/runs.ts';
import { openHouse } from './house/house.ts';

let ahead = 0;
const now = (): number => Date.now() + ahead;
const provider = await startFakePayments({ now });
const stripe = provider.settings();
const signing = {
  ...stripe,
  key: 'signing',
  label: 'Docusign',
  events: { ...stripe.events, kinds: ['signature' as const] },
};
const house = await openHouse({
  outcomeProviders: [provider.settings({ label: 'Stripe' }), signing],
  now,
});
const asking = askingAt(house.server.url, await house.server.createServerKey('shop'));
afterEach(async () => {
  ahead = 0;
  provider.isDown(false);
  await house.closePages();
  expect(house.complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
  await house.close();
  await provider.close();
});

type Asked = OpenedElicitation & { url: string; code: string };

const purpose = 'Order 1042, three chairs of oak with delivery to the second floor';
const payment = { kind: 'payment', provider: 'fake-payments', amount: '1234.50', currency: 'EUR', for: purpose };
const ask = (expects: object): Promise<Asked> =>
  asking.open({
    tool: { name: 'place_order', title: 'Place an order' },
    arguments: { order: 1042 },
    message: 'Pay for your order, and it is sent today.',
    mode: 'url',
    audience: undefined,
    schema: undefined,
    requester: { subject: 'client:shop' },
    ttl: 3_600_000,
    expects,
  }) as Promise<Asked>;

/** A person with this page open, and a payment at the provider that they have not made. */
interface Walk {
  page: Page;
  request: Asked;
  session: string;
}

const report = (event: Parameters<typeof provider.deliver>[0]) =>
  provider.deliver(event, `${house.server.url}/providers/fake-payments/events`);

/** What happens at the provider while the person waits, and the heading that they find in English. */
const outcomes = {
  paid: { heading: '1234.50 EUR was paid', happens: ({ session }: Walk) => report(provider.pays(session)) },
  settling: {
    heading: 'Stripe is asked what happened',
    happens: ({ session }: Walk) => report(provider.isProcessing(session)),
  },
  declined: {
    heading: 'Nothing was paid',
    happens: async ({ session }: Walk) => {
      await report(provider.isProcessing(session));
      return report(provider.declines(session));
    },
  },
  mismatch: {
    heading: 'Stripe reports something else',
    happens: ({ session }: Walk) => report(provider.pays(session, { amount: 1 })),
  },
  unsettled: {
    heading: 'Stripe didn’t say what happened',
    happens: async ({ request }: Walk) => {
      provider.isDown();
      for (ahead of [3_600_001, 15 * 86_400_000]) await json(asking.call('GET', `/v1/elicitations/${request.id}`));
      return [200];
    },
  },
  ended: { heading: 'This request was cancelled', happens: ({ session }: Walk) => report(provider.expires(session)) },
} as const;

const looks: Record<string, BrowserContextOptions> = {
  '360-dark': { viewport: { width: 360, height: 780 }, colorScheme: 'dark' },
  '1440-light': { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
};
const languages = ['en-GB', 'de-DE', 'fr-FR'];

async function look(page: Page, name: string): Promise<void> {
  await page.route('**/*', (route) => route.abort('aborted')); // a page that waits stays as it is
  await takeScreenshot(page, `pay/${name}`);
  expect(await checkAccessibility(page)).toEqual([]);
  const { excess, height } = await page.evaluate(() => ({
    excess: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    height: Math.min(...[...document.querySelectorAll('button')].map((all) => all.getBoundingClientRect().height)),
  }));
  expect(excess).toBe(0);
  expect(height).toBeGreaterThanOrEqual(44);
  await page.unroute('**/*');
}

const press = (page: Page, action: string) => page.locator(`button[value=${action}]`).click();
const heading = (page: Page) => page.locator('h1');

/** Proves by the code that it is for them. */
async function open(page: Page, { url, code }: Asked): Promise<void> {
  await page.goto(url);
  await page.locator('[name=code]').fill(code);
  await press(page, 'prove');
  await page.locator('button[value=decline]').waitFor();
}

const walks = Object.keys(outcomes).flatMap((outcome) =>
  Object.keys(looks).flatMap((view) => languages.map((language) => ({ outcome, view, language }))),
) as { outcome: keyof typeof outcomes; view: string; language: string }[];

test.each(drawn('pay', walks, { least: 1 }))(
  '$outcome, at $view in $language: the question, the way there and back, the wait and the result',
  async ({ outcome, view, language }) => {
    const [page, request] = [await house.openPage({ ...looks[view], locale: language }), await ask(payment)];
    const named = (part: string) => `${part}-${language}-${view}`;
    await open(page, request);
    await look(page, named('question'));
    await press(page, 'accept');
    await page.getByRole('link', { name: 'Back' }).click();
    await heading(page).waitFor();
    await look(page, named('waiting'));
    await press(page, 'accept');
    await page.getByRole('link', { name: 'Pay' }).click();
    await page.waitForURL(/\/e\//);
    const session = provider.sessions().at(-1)?.id ?? '';
    expect(await outcomes[outcome].happens({ page, request, session })).toEqual([200]);
    await page.reload();
    if (language === 'en-GB') expect(await heading(page).innerText()).toBe(outcomes[outcome].heading);
    await look(page, named(outcome));
  },
);

test.each(drawn('sign', Object.keys(looks), { least: 1 }))(
  'at %s, what is signed is named, and declining says that nothing was',
  async (view) => {
    const page = await house.openPage({ ...looks[view], locale: 'en-GB' });
    const url = `${provider.url}/pay/envelope`;
    const envelope = { reference: `as_${randomUUID().replaceAll('-', '').slice(0, 22)}`, id: 'envelope', url };
    const request = await ask({ kind: 'signature', provider: 'signing', for: 'The lease of 4 May', made: envelope });
    await open(page, request);
    await page.getByRole('heading', { name: 'Sign: The lease of 4 May' }).waitFor();
    await look(page, `sign-${view}`);
    await press(page, 'decline');
    await page.getByRole('heading', { name: 'You declined' }).waitFor();
    await page.goto(request.url);
    await page.getByRole('heading', { name: 'Nothing was signed' }).waitFor();
    await look(page, `not-signed-${view}`);
  },
);
