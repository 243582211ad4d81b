import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { addVirtualAuthenticator } from '../support/browser/virtual-authenticator.ts';
import { codeAt, stepMs } from '../support/nodes/authenticator-app.ts';
import { freePort } from '../support/nodes/free-port.ts';
import { button, openHouse, password } from './house/house.ts';
import { expectUsable, smallControls } from './house/usable.ts';
import { drawn } from '../support/runs.ts';

let ahead = 0;
const now = (): number => Date.now() + ahead;
const port = await freePort();
const publicUrl = `http://localhost:${port}`;
/** An installation in production, under a name: browsers bind passkeys to one. */
const house = await openHouse({ port, publicUrl, environment: 'production', secondFactor: 'required', now });
afterAll(() => house.close());
afterEach(async () => {
  await house.closePages();
  // Chromium says so of each answer that is no success: what is missing is refused on purpose.
  expect(house.complaints.splice(0).filter((line) => !/40[03]/.test(line))).toEqual([]);
});

async function enterPassword(page: Page, email: string, next = '/account'): Promise<void> {
  await page.goto(`${house.server.url}/signin?next=${next}`);
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/second-factor\?next=/);
}

const sizes = [
  {
    width: 360,
    locale: 'de-DE',
    setUp: 'App einrichten',
    add: 'App hinzufügen',
    kept: 'Ich habe sie aufbewahrt',
    confirm: 'Bestätigen',
    wrong: /Warten Sie auf den nächsten Code/,
    profile: 'Ihr Profil',
    means: 'Passwort + Authenticator-App · zwei Faktoren',
    replace: 'Wiederherstellungscodes ersetzen',
  },
  {
    width: 1440,
    locale: 'en-GB',
    setUp: 'Set up an app',
    add: 'Add the app',
    kept: 'I’ve kept them',
    confirm: 'Confirm',
    wrong: /Wait for the next code/,
    profile: 'Your profile',
    means: 'Password + authenticator app · two factors',
    replace: 'Replace recovery codes',
  },
];

test.each(drawn('factors', sizes, { least: 1 }))(
  'at $width px a person adds an authenticator app after the password, signs in with it, and then with a recovery code',
  async ({ width, locale, setUp, add, kept, confirm, wrong, profile, means, replace }) => {
    const { email } = await house.addUser(`App${width} Lovelace`, 'approver');
    const page = await house.openPage({ viewport: { width, height: 800 }, locale });
    const code = page.locator('input[autocomplete=one-time-code]');
    await enterPassword(page, email);
    await button(page, setUp).waitFor();
    await expectUsable(page, `factor-enrol-${width}`);
    await button(page, setUp).click();
    await page.getByRole('img', { name: /QR/ }).waitFor();
    const secret = (await page.locator('code').first().innerText()).replaceAll(' ', '');
    await expectUsable(page, `factor-app-${width}`);
    await code.fill('000000');
    await button(page, add).click();
    await page.getByText(wrong).waitFor();
    await code.fill(codeAt(secret, now()));
    await button(page, add).click();
    await button(page, kept).waitFor();
    await expectUsable(page, `factor-codes-${width}`);
    const [recovery = ''] = await page.locator('li code').allInnerTexts();
    await button(page, kept).click();
    await page.getByRole('heading', { level: 1, name: profile }).waitFor();
    await page.getByText(means).waitFor();
    await button(page, replace).scrollIntoViewIfNeeded();
    await expectUsable(page, `factor-profile-${width}`);

    for (const typed of [() => codeAt(secret, now()), () => recovery]) {
      ahead += 2 * stepMs;
      await page.context().clearCookies();
      await enterPassword(page, email);
      await button(page, confirm).waitFor();
      await expectUsable(page, `factor-prove-${width}`);
      if (width === 360) expect(await smallControls(page)).toEqual([]);
      await code.fill(typed());
      await button(page, confirm).click();
      await page.getByRole('heading', { level: 1, name: profile }).waitFor();
    }
  },
);

test('the password is changed by who proves the app again, and what was typed is kept meanwhile', async () => {
  const { email } = await house.addUser('Radia Perlman', 'approver');
  const page = await house.openPage({ viewport: { width: 360, height: 740 } });
  const code = page.locator('input[autocomplete=one-time-code]');
  await enterPassword(page, email);
  await button(page, 'Set up an app').click();
  await page.getByRole('img', { name: /QR/ }).waitFor();
  const secret = (await page.locator('code').first().innerText()).replaceAll(' ', '');
  await code.fill(codeAt(secret, now()));
  await button(page, 'Add the app').click();
  await button(page, 'I’ve kept them').click();
  ahead += 11 * 60_000;
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password').fill('eleven calm herons sing');
  await button(page, 'Change password').click();
  await page.getByText('Confirm your second factor to continue').waitFor();
  await expectUsable(page, 'factor-again-360');
  await code.fill(codeAt(secret, now()));
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await code.waitFor({ state: 'detached' });
  await button(page, 'Change password').click();
  await page.getByText('Your password is changed.').first().waitFor();
});

test('a person adds a passkey after the password, uses it once to finish, and signs in with it alone', async () => {
  const { email } = await house.addUser('Grace Hopper', 'approver');
  const page = await house.openPage({ viewport: { width: 360, height: 740 } });
  await addVirtualAuthenticator(page);
  await enterPassword(page, email, '/inbox');
  await button(page, 'Add a passkey').click();
  await button(page, 'Use your passkey').waitFor();
  await expectUsable(page, 'factor-passkey-360');
  await button(page, 'Use your passkey').click();
  await page.waitForURL(`${house.server.url}/inbox`);
  await page.context().clearCookies();
  await page.goto(`${house.server.url}/signin?next=/inbox`);
  await button(page, 'Sign in with a passkey').click();
  await page.waitForURL(`${house.server.url}/inbox`);
});

test('who came by a link says the password first, and no page opens before the factor', async () => {
  const user = await house.addUser('Barbara Liskov', 'approver');
  const page = await house.openPage();
  await page.goto(await house.server.signInAddress(user, '/inbox'));
  await page.waitForURL(/\/second-factor\?next=%2Finbox/);
  await page.goto(`${house.server.url}/settings/people`);
  await page.waitForURL(/\/second-factor\?next=%2Fsettings%2Fpeople/);
  await button(page, 'Set up an app').click();
  await page.locator('input[type=password]').fill(password);
  await expectUsable(page, 'factor-password-first-1280');
  await button(page, 'Confirm').first().click();
  await page.locator('input[type=password]').waitFor({ state: 'detached' });
  await button(page, 'Set up an app').click();
  await page.getByRole('img', { name: /QR/ }).waitFor();
  await button(page, 'Cancel').click();
  await button(page, 'Sign out').click();
  await page.waitForURL(/\/signin/);
});
