import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { certificate } from '../notify/certificate.ts';
import { checkAccessibility, takeScreenshot } from '../support/browser/browser.ts';
import { askingAt } from '../support/nodes/asking.ts';
import { button, openHouse, password } from './house/house.ts';
import { freePort } from '../support/nodes/free-port.ts';
import { drawn } from '../support/runs.ts';

const phone = { width: 360, height: 780 };
const looks = [phone, { width: 1440, height: 900 }].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme, width: viewport.width })),
);

async function listen(answer: (url: string) => { status: number; location: string }): Promise<Server> {
  const server = createServer(certificate, ({ url = '', headers }, response) => {
    if (!url.startsWith('/favicon')) visits.push({ host: headers.host ?? '', url, referer: headers.referer });
    const { status, location } = answer(url);
    response.writeHead(status, { location, 'content-type': 'text/html' }).end('<h1>Outside</h1>');
  }).listen(0);
  await once(server, 'listening');
  return server;
}

const portOf = (server: Pick<Server, 'address'>): number => (server.address() as AddressInfo).port;

const visits: { host: string; url: string; referer: string | undefined }[] = [];
const second = await listen((url) => ({ status: 200, location: `${url}` }));
const first = await listen(() => ({ status: 302, location: `https://127.0.0.1:${portOf(second)}/sign-in` }));
/** Two outside services, of which the first sends people on to the second; and what they were sent. */
const services: Server[] = [first, second];
const outside = `https://localhost:${portOf(first)}/authorize?scope=repo`;
const port = await freePort();
const house = await openHouse({ publicUrl: `http://approvals.localhost:${port}`, port });
afterAll(async () => {
  await house.close();
  for (const service of services ?? []) service.close();
});
const asking = askingAt(`http://127.0.0.1:${port}`, await house.server.createServerKey('travel'));
const ada = await house.addUser('Ada Lovelace', 'reviewer');
const bob = await house.addUser('Bob Martin', 'reviewer');

async function ask(email: string, url: string): Promise<string> {
  const opened = await asking.open({
    tool: { name: 'connect', title: 'Connect GitHub' },
    arguments: { organization: 'assentry' },
    message: 'The travel tool needs to read your repositories.',
    mode: 'url',
    audience: 'requester',
    requester: { subject: email, verified: true },
    schema: undefined,
    supersede: 'none',
    url,
  });
  return opened.url ?? '';
}

const openPage = (options: BrowserContextOptions): Promise<Page> =>
  house.openPage({ ignoreHTTPSErrors: true, locale: 'en-GB', ...options });

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/go\//);
}

async function look(page: Page, name: string): Promise<void> {
  await takeScreenshot(page, `connect-page/${name}`);
  expect(await checkAccessibility(page)).toEqual([]);
  const isTooWide = page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  expect(await isTooWide).toBe(false);
}

test('at 360 px a signed-out phone signs in, comes back and goes on; no site reads the token', async () => {
  const url = await ask(ada.email, outside);
  const page = await openPage({ viewport: phone });
  await page.goto(url);
  expect(await page.content()).not.toContain('localhost:');
  await signIn(page, ada.email);
  await button(page, 'I’ve signed in').click();
  await button(page, /^Continue to localhost/).click();
  await page.getByRole('heading', { name: 'Outside' }).waitFor();
  const [first, second] = services.map(portOf);
  expect(visits).toEqual([
    { host: `localhost:${first}`, url: expect.stringMatching(/^\/authorize\?scope=repo&state=[\w-]{43}$/) },
    { host: `127.0.0.1:${second}`, url: '/sign-in' },
  ]);
  expect(visits.map(({ referer }) => referer)).toEqual([undefined, undefined]);
});

test.each(drawn('connect page', looks, { least: 1 }))(
  'is read at a glance at $width px, $colorScheme',
  async ({ width, ...options }) => {
    const name = `${width}-${options.colorScheme}`;
    const url = await ask(ada.email, 'https://xn--pypal-4ve.example:8443/authorize?client=assentry');
    const stranger = await openPage(options);
    await stranger.goto(url);
    await look(stranger, `proof-${name}`);
    await signIn(stranger, bob.email);
    await button(stranger, 'I’ve signed in').click();
    await stranger.getByRole('alert').waitFor();
    await look(stranger, `refused-${name}`);
    expect(await stranger.content()).not.toContain('xn--');
    house.complaints.length = 0; // the browser reports the status of the refusal
    const page = await openPage(options);
    await page.goto(url);
    await signIn(page, ada.email);
    await button(page, 'I’ve signed in').click();
    await page.getByText('may imitate another one').waitFor();
    await look(page, `question-${name}`);
    await page.screenshot({ path: `test-results/connect-page/question-full-${name}.png`, fullPage: true });
  },
);
