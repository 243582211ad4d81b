import { afterAll, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { withdrawConnections } from '#connect/connections/verbs/tokens';
import { startFakeProvider } from '../support/connect/fake-provider.ts';
import { checkAccessibility, takeScreenshot } from '../support/browser/browser.ts';
import { askingAt, type Asking } from '../support/nodes/asking.ts';
import { freePort } from '../support/nodes/free-port.ts';
import { until } from '../support/poll.ts';
import { button, openHouse, password, type House } from './house/house.ts';

const provider = await startFakeProvider();
provider.showsPage();
const connectProviders = [provider.settings({ label: 'GitHub', servers: ['payments'] })];
const port = await freePort();
const [own, shared] = [
  await openHouse({ connectProviders }),
  await openHouse({ connectProviders, publicUrl: `http://approvals.localhost:${port}`, port }),
];
afterAll(async () => {
  for (const house of [own, shared]) await house.close();
  await provider.close();
});
const askingOf = async ({ server }: House, url = server.url): Promise<Asking> =>
  askingAt(url, await server.createServerKey('payments'));
const [locally, remotely] = [await askingOf(own), await askingOf(shared, `http://127.0.0.1:${port}`)];
const ada = await shared.addUser('Ada Lovelace', 'reviewer');

const looks: { name: string; options: BrowserContextOptions }[] = [
  { name: '360-dark', options: { viewport: { width: 360, height: 780 }, colorScheme: 'dark' } },
  { name: '1440-light', options: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' } },
];

async function ask(asking: Asking, requester: object, scopes = ['repo', 'read:user']) {
  const { url = '', code = '' } = (await asking.open({
    tool: { name: 'list_repositories', title: 'List repositories' },
    arguments: { organization: 'assentry' },
    message: 'Connect your GitHub account.',
    mode: 'url',
    audience: undefined,
    schema: undefined,
    requester,
    supersede: 'none',
    expects: { kind: 'connection', provider: 'fake', scopes },
  })) as { url?: string; code?: string };
  return { url, code };
}

async function look(page: Page, name: string): Promise<void> {
  await takeScreenshot(page, `connect-account/${name}`);
  await page.screenshot({ path: `test-results/connect-account/${name}-full.png`, fullPage: true });
  expect(await checkAccessibility(page)).toEqual([]);
  const isTooWide = page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  expect(await isTooWide).toBe(false);
}

const agree = (page: Page) => page.getByRole('link', { name: 'Agree' });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const connected = 'GitHub is connected as octo-ada for payments';

test('at 360 px a person goes by the code page to the provider and back; no script is needed', async () => {
  const { url, code } = await ask(locally, { subject: 'client:agent' });
  const options = { viewport: { width: 360, height: 780 }, locale: 'en-GB', javaScriptEnabled: false };
  const page = await own.openPage(options);
  await page.goto(url);
  await page.getByLabel('Code').fill(code);
  await button(page, 'Open the request').click();
  await page.getByRole('heading', { name: 'payments wants to use your GitHub account' }).waitFor();
  await button(page, /^Continue to 127/).click();
  await agree(page).click();
  await heading(page, connected).waitFor();
  await page.goto(url);
  await heading(page, connected).waitFor();
  const stranger = await own.openPage(options);
  await stranger.goto(url);
  expect(await stranger.content()).not.toContain('octo-ada');
});

async function signIn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(ada.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, /^Sign in$/).click();
  await page.waitForURL(/\/go\//);
  await button(page, 'I’ve signed in').click();
}

test.each(looks)('$name: connects, sees it in the profile and disconnects it', async ({ name, options }) => {
  const page = await shared.openPage({ locale: 'en-GB', ...options });
  const { url } = await ask(remotely, { subject: ada.email, verified: true });
  await page.goto(url);
  await signIn(page);
  await page.getByRole('heading', { name: 'payments wants to use your GitHub account' }).waitFor();
  await look(page, `connect-${name}`);

  await button(page, /^Continue to 127/).click();
  const address = (await agree(page).getAttribute('href')) ?? '';
  const other = await shared.openPage({ locale: 'en-GB', ...options });
  await other.goto(address);
  await heading(other, 'This was started in another browser').waitFor();
  await look(other, `elsewhere-${name}`);

  provider.saysIssuer('https://evil.example.com');
  await agree(page).click();
  await heading(page, 'GitHub could not be connected').waitFor();
  await look(page, `failed-${name}`);
  provider.saysIssuer(provider.url);
  await page.getByRole('link', { name: 'Connect again' }).click();
  await button(page, /^Continue to 127/).click();
  await agree(page).click();
  await heading(page, connected).waitFor();
  await look(page, `end-${name}`);
  shared.complaints.length = 0; // the browser reports the status of the refusals

  await page.goto(`${shared.server.url}/account`);
  await page.getByText('GitHub: octo-ada').waitFor();
  await look(page, `profile-${name}`);
  await page.getByText('GitHub: octo-ada').scrollIntoViewIfNeeded();
  await takeScreenshot(page, `connect-account/profile-connections-${name}`);
  const token = provider.issued.findLast((text) => text.startsWith('access')) ?? '';
  await button(page, 'Disconnect GitHub').click();
  await page.getByText('It is disconnected.').waitFor();
  await withdrawConnections(shared.server.engine);
  await until(() => !provider.isLive(token));
  await page.goto(url);
  await heading(page, 'GitHub is no longer connected for payments').waitFor();
  await look(page, `disconnected-${name}`);
});
