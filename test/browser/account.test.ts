import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeLink } from '#connect/credentials/verbs';
import { changeUser } from '#people/users/verbs';
import type { User } from '#people/directory/contract/user';
import { newSubscription } from '../notify/push-browser.ts';
import { openReceiver, reach } from '../notify/receiver.ts';
import { until } from '../support/poll.ts';
import { approve, button, sharedHouse, password } from './house/house.ts';
import { transfer } from './house/questions.ts';
import { tellWorker } from './house/service-worker.ts';
import { expectUsable, expectUsableEverywhere, viewsFor } from './house/usable.ts';
import { json } from '../support/json.ts';

const receiver = await openReceiver();
afterAll(() => receiver.stop());

const house = await sharedHouse({ webhooks: reach });
const ada = await house.addUser('Ada Lovelace', 'admin');

test('the page of one’s own profile, in every language, at every size and in every theme', async () => {
  for (const { width, colorScheme, options } of viewsFor('account')) {
    const page = await house.openPageAs(ada, '/account', options);
    await button(page, 'Turn on for this browser').or(page.getByText('You’ve blocked')).first().waitFor();
    await page.getByText('Signed in from').first().waitFor();
    await expectUsable(page, `account-${width}-${colorScheme}`);
  }
  const page = await house.openPageAs(ada, '/account', { locale: 'de-DE' });
  await page.getByText('Angemeldet von').first().waitFor();
  await page.getByLabel('Ruhezeiten einhalten').check();
  await expectUsableEverywhere(page, 'german-account');
  const french = await house.openPageAs(ada, '/account', { locale: 'fr-FR' });
  await french.getByText('Ouverte depuis').first().waitFor();
  await french.getByLabel('Respecter des heures calmes').check();
  await expectUsableEverywhere(french, 'french-account');
});

test('settings, theme and password are kept; other browsers are signed out', async () => {
  const grace = await house.addUser('Grace Hopper', 'approver');
  const elsewhere = await house.openPageAs(grace, '/account');
  const page = await house.openPageAs(grace, '/account', { colorScheme: 'light' });
  await page.getByLabel('Keep quiet hours').check();
  const zone = page.getByLabel('Time zone');
  expect(await page.locator('datalist option').first().getAttribute('value')).toBe(
    await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone),
  );
  await zone.fill('Berlin');
  await page.getByText('Choose a time zone of the list.').waitFor();
  await zone.fill('Europe/Berlin');
  await page.getByText('Choose a time zone of the list.').waitFor({ state: 'detached' });
  await page.getByLabel('Theme').selectOption('dark');
  await button(page, 'Save').click();
  await page.getByText('Saved.').first().waitFor();
  await page.reload();
  await page.getByLabel('Keep quiet hours').waitFor();
  expect(await page.getByLabel('Keep quiet hours').isChecked()).toBe(true);
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin');
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
  await button(page, 'Sign out everywhere else').click();
  await button(page, 'Sign out everywhere else').waitFor({ state: 'detached' });
  await elsewhere.reload();
  await elsewhere.waitForURL(/\/signin/);
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password').fill('a quite different sentence of mine');
  await button(page, 'Change password').click();
  await page.getByText('Your password is changed.').first().waitFor();
});

const issuer = 'https://id.example.com';

/** A link with which this person enters credentials for a server, as the gateway gets it. */
async function credentialLink(user: User, name: string): Promise<string> {
  const { engine } = house.server;
  await changeUser(engine, 'operator', user.id, { subjects: [`${issuer}#${user.id}`] });
  await house.server.createServerKey(name);
  const { servers } = await engine.directory.read();
  const { id } = servers.find((server) => server.name === name) ?? { id: 'srv_' as const };
  return (await makeLink(engine, { id, name }, { issuer, subject: user.id })).url;
}

test('credentials for a server are entered on their page, and replaced and removed in one’s own profile', async () => {
  const emmy = await house.addUser('Emmy Noether', 'reviewer');
  const page = await house.openPageAs(emmy, '/account');
  await page.getByText('When a server first needs').waitFor();
  const link = await credentialLink(emmy, 'github');
  await page.goto(link);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL(link); // back, and at once, for someone who is signed in
  await button(page, 'I’ve signed in').click();
  await page.getByRole('heading', { name: 'Your credentials for github' }).waitFor();
  await expectUsableEverywhere(page, 'credential');
  await page.getByLabel('Credentials', { exact: true }).fill('ümlaut');
  await button(page, 'Store credentials').click();
  await page.getByText('Nothing was stored.').waitFor();
  await page.getByLabel('Credentials', { exact: true }).fill('ghp_first');
  await button(page, 'Store credentials').click();
  await page.getByRole('heading', { name: 'Your credentials are stored' }).waitFor();
  await page.getByText('Replace or remove them in your profile').click();
  await button(page, 'Replace for github').click();
  await page.getByLabel('New credentials for github').fill('ghp_second');
  await expectUsableEverywhere(page, 'account-credentials');
  await button(page, 'Replace credentials').click();
  await page.getByLabel('New credentials for github').waitFor({ state: 'detached' });
  expect((await page.content()).includes('ghp_')).toBe(false);
  await button(page, 'Remove for github').click();
  await page.getByText('When a server first needs').waitFor();
  const german = await house.openPageAs(emmy, '/account', { locale: 'de-DE' });
  await german.goto(await credentialLink(emmy, 'gitlab'));
  await button(german, 'Ich habe mich angemeldet').click();
  await german.getByRole('heading', { name: 'Ihre Zugangsdaten für gitlab' }).waitFor();
  await expectUsableEverywhere(german, 'german-credential');
});

/** No push service is reached from here, so the browser is given the subscription that it would have made. */
async function giveSubscription(page: Page, subscription: object): Promise<void> {
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript((json) => {
    let isOn = false;
    const own = { ...json, toJSON: () => json, unsubscribe: async () => !(isOn = false) };
    Notification.requestPermission = async () => 'granted';
    Object.defineProperty(Notification, 'permission', { value: 'granted' });
    Object.assign(PushManager.prototype, {
      subscribe: async () => ((isOn = true), own),
      getSubscription: async () => (isOn ? own : null),
    });
  }, subscription);
  await page.reload();
}

test('on a phone: notifications are turned on, one comes, and a tap opens the decision', async () => {
  const page = await house.openPageAs(ada, '/account', { viewport: { width: 360, height: 740 }, hasTouch: true });
  const { subscription, decrypt } = newSubscription(receiver);
  await giveSubscription(page, subscription);
  await button(page, 'Turn on for this browser').click();
  await page.getByText('This browser').first().waitFor();
  expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)).toBe(`${house.server.url}/`);
  const id = await house.ask(transfer);
  const message = await until(() => receiver.received.find(({ path }) => subscription.endpoint.endsWith(path)));
  const { url } = house.server;
  const run = await tellWorker(decrypt(message.bytes), url, [`${url}/inbox`]);
  const { data } = run.shown[0] ?? {};
  expect(run.shown).toMatchObject([{ title: expect.stringContaining('Your approval is needed'), tag: data?.path }]);
  expect(run).toMatchObject({ opened: [`${url}/requests/${id}`], focused: [], badges: [1, 0] });
  await page.goto(run.opened[0] ?? '');
  const card = page.locator('[data-decision-card]');
  await card.waitFor();
  await approve(page);
  await page.getByText('Approved. The call can run.').first().waitFor();
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
});

test('a tap goes to the page that shows the request already', async () => {
  const message = JSON.stringify({ title: 'A test', body: '', path: '/requests/1', tag: '1', lang: 'en' });
  const there = 'https://assentry.example.com/requests/1?view=mine';
  expect(await tellWorker(message, 'https://assentry.example.com', [there])).toMatchObject({
    opened: [],
    focused: [there],
  });
  const elsewhere = JSON.stringify({
    title: 'A test',
    body: '',
    path: 'https://evil.example.com/',
    tag: '1',
    lang: 'en',
  });
  expect(await tellWorker(elsewhere, 'https://assentry.example.com')).toMatchObject({ opened: [] });
});

test('the console can be installed: its manifest and icons are there, and the worker keeps nothing', async () => {
  const read = (path: string) => fetch(`${house.server.url}${path}`);
  const manifest = await json<{ icons: { src: string }[] }>(read('/manifest.webmanifest'));
  for (const { src } of manifest.icons) expect((await read(src)).headers.get('content-type')).toBe('image/png');
  const worker = await read('/service-worker.js');
  expect([worker.headers.get('content-type'), worker.headers.get('cache-control')]).toEqual([
    'text/javascript; charset=utf-8',
    'no-cache',
  ]);
  expect(await worker.text()).not.toMatch(/\bcaches\b|'fetch'|indexedDB/);
  const page = await house.openPage();
  await page.goto(`${house.server.url}/signin`);
  expect(await page.locator('link[rel=manifest]').getAttribute('href')).toBe('/manifest.webmanifest');
});
