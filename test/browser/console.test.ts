import { describe, expect, test } from '@jest/globals';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { openReceipt } from '#audit/receipts/rules';
import { parseVerifierKey } from '#audit/tree/rules/notes';
import { readingPolicy } from '#policies/command/first-policies';
import { takeDueTimers } from '#requests/state/verbs/end';
import type { ElicitationId } from '#platform/model/id';
import { publish } from '../support/requests/policies.ts';
import { until } from '../support/poll.ts';
import { approve, button, sharedHouse, openHouse, password } from './house/house.ts';
import { expectUsableEverywhere, untilSettled } from './house/usable.ts';
import { addressed, everyField, readOnly, transfer } from './house/questions.ts';

const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');
const bob = await house.addUser('Bob Noyce', 'approver');

const stateOf = (id: ElicitationId) => house.server.engine.reader.elicitation(id);
/** The sentence of the live region, as a screen reader would hear it. */
const announcementOn = (page: Page) => page.locator('[role=status][aria-live]').innerText();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

test.each([
  ['de-AT, en;q=0.5', '', 'de'],
  ['de', 'assentry-language=en', 'en'],
  ['fr-CA', '', 'fr'],
  ['it', '', 'en'],
])('a browser that accepts %j and has the cookie %j gets the page in %s', async (accepted, cookie, language) => {
  const headers = { accept: 'text/html', 'accept-language': accepted, cookie };
  for (const place of ['/signin', '/no-such-page']) {
    const page = await (await fetch(`${house.server.url}${place}`, { headers })).text();
    expect(page).toContain(`<html lang="${language}" translate="no" data-language="${language}">`);
  }
});

test('a browser is told at once what the page of its address needs, also by a link from elsewhere, without its cookie', async () => {
  const preloadsFor = async (address: string) => {
    const page = await (await fetch(`${house.server.url}${address}`, { headers: { accept: 'text/html' } })).text();
    const preloads = page.matchAll(/<link rel="(?:module)?preload"[^>]* href="\/assets\/([a-z-]+?)-[\w-]{8}\./g);
    return new Set(Array.from(preloads, ([, name]) => name));
  };
  expect(await preloadsFor('/signin')).toEqual(new Set());
  expect(await preloadsFor('/inbox')).toEqual(new Set(['signed-in']));
  expect(await preloadsFor('/requests/eli_1')).toEqual(new Set(['signed-in', 'request']));
});

test('people can sign in before the schemas of answers have come', async () => {
  const page = await house.openPage();
  let isHeld = true;
  await page.route('**/assets/signed-in-*.js', async (route) => {
    await until(() => !isHeld);
    await route.continue();
  });
  await page.goto(`${house.server.url}/signin`);
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong password');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor(); // a problem is read without schemas, too
  isHeld = false;
});

test('what the inbox shows first is asked for once, before its code has come', async () => {
  const requests: string[] = [];
  const page = await house.openPageAs(ada, '/inbox');
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await page.goto('about:blank'); // a page asks until the next one stands
  await page.route('**/assets/signed-in-*.js', async (route) => {
    await until(() => requests.length >= 2);
    await route.continue();
  });
  await page.route('**/api/stream', (route) => route.abort()); // it asks again when it stands
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/api\/(session|elicitations)$/.test(pathname) && !search.includes('limit=1'))
      requests.push(pathname + search);
  });
  await page.goto(`${house.server.url}/inbox`);
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await untilSettled(page);
  expect(requests).toEqual(['/api/session', '/api/elicitations?view=mine&limit=50']);
});

test('a request by its link can be decided after twelve requests, and its content is asked for once', async () => {
  const id = await house.ask(transfer);
  const page = await house.openPageAs(ada, `/requests/${id}`);
  await page.goto('about:blank'); // a page asks until the next one stands
  const isLater = /\/(?:Banners|LaterSections|MomentTooltip)-|\/api\/(?:stream|stops|break-glass)|limit=1$|deliveries$/;
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (!/icon|manifest|mark-|service-worker/.test(pathname)) requests.push(pathname + search);
  });
  let before: string[] = [];
  await page.route(`**/api/elicitations/${id}`, async (route) => {
    await until(() => ['/api/session', 'request-', 'signed-in-'].every((part) => requests.join().includes(part)));
    await page.waitForLoadState('load');
    before = requests.filter((path) => !isLater.test(path)); // nothing of the request is shown without its content
    await route.continue();
  });
  await page.goto(`${house.server.url}/requests/${id}`);
  await page.locator('[data-verb=approve]').waitFor();
  expect(requests.filter((path) => path === `/api/elicitations/${id}`)).toHaveLength(1);
  expect(before.slice(12)).toEqual([]);
});

describe('what was asked for before the code has come', () => {
  const signIn = async (page: Page, email: string) => {
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.keyboard.press('Enter');
  };
  const openPage = async () => {
    const page = await house.openPage();
    await page.route('**/api/stream', (route) => route.abort()); // it asks again when it stands
    return page;
  };

  test('by a session that has ended keeps no one out who signs in then', async () => {
    await house.ask(readOnly);
    const page = await openPage();
    await page.context().addCookies([{ name: 'assentry', value: 'ended', url: house.server.url }]);
    await page.goto(`${house.server.url}/inbox`);
    await page.waitForURL(/\/signin/);
    await signIn(page, 'ada@example.com');
    await page.locator('a[data-row]').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/inbox');
  });

  test('is not shown to someone else who signs in later', async () => {
    await house.ask(readOnly);
    await house.addUser('Rosa Reviewer', 'reviewer');
    const page = await openPage();
    await page.goto(`${house.server.url}/signin`);
    await signIn(page, 'rosa@example.com');
    await page.waitForURL('**/history');
    await page.goto(house.server.url); // asks for rows that the history does not show
    await page.waitForURL('**/history');
    await button(page, 'Sign out').click();
    await page.waitForURL('**/signin');
    await signIn(page, 'ada@example.com');
    await page.locator('a[data-row]').first().waitFor();
  });
});

describe('signing in', () => {
  test('with email and password leads to the page that was asked for, and out again', async () => {
    const id = await house.ask(readOnly);
    const page = await house.openPage();
    await page.goto(`${house.server.url}/requests/${id}`);
    await page.waitForURL(/\/signin\?next=/);
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/requests/${id}`);
    expect(await page.locator('nav [aria-current]').innerText()).toMatch(/^Inbox/);
    await button(page, 'Sign out').click();
    await page.waitForURL('**/signin');
    await page.goto(`${house.server.url}/inbox`);
    await page.waitForURL(/\/signin/);
  });

  test('a reviewer lands on the history, and an old address of it leads there', async () => {
    await house.decideAs(bob, await house.ask(readOnly), 'decline');
    const ruth = await house.addUser('Rita Reviewer', 'reviewer');
    const page = await house.openPage();
    await page.goto(await house.server.signInAddress(ruth, '/'));
    await page.waitForURL('**/history');
    await page.getByRole('list').getByText('Declined').first().waitFor();
    expect(await page.locator('nav [aria-current]').innerText()).toBe('History');
    await page.locator('a[data-row]').first().click();
    await page.waitForURL('**/requests/*view=done');
    expect(await page.locator('nav [aria-current]').innerText()).toBe('History');
    await page.goto(`${house.server.url}/inbox?view=done&status=declined`);
    await page.waitForURL('**/history?status=declined');
    await page.goto(`${house.server.url}/settings`);
    await page.waitForURL('**/settings/people');
    await expectUsableEverywhere(page, 'settings');
  });

  test('an unknown address and a wrong password get the same sentence, and the address stays', async () => {
    const page = await house.openPage();
    await page.goto(`${house.server.url}/signin`);
    const sentences: string[] = [];
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      await page.getByLabel('Email').fill(email);
      await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
      await button(page, 'Sign in').click();
      sentences.push(await page.getByRole('alert').innerText());
      expect(await page.getByLabel('Email').inputValue()).toBe(email);
    }
    expect(sentences[0]).toContain('don’t match');
    expect(sentences[1]).toBe(sentences[0]);
  });

  test('a one-time link leaves nothing in the address, and works once', async () => {
    const link = await house.server.signInAddress(ada, '/inbox?view=all');
    const page = await house.openPage();
    await page.goto(link);
    await page.waitForURL('**/inbox?view=all');
    const again = await house.openPage();
    await again.goto(link);
    await again.getByText('This link no longer works').waitFor();
    expect(again.url()).toBe(`${house.server.url}/signin`);
  });

  test('the first administrator is made from the printed link, and led to a first request and policy', async () => {
    const fresh = await openHouse();
    try {
      await fresh.server.applyPolicies([readingPolicy]); // as every new installation begins
      const page = await fresh.openPage();
      await page.goto((await fresh.server.setUpAddress()) ?? '');
      await page.getByText('At least 15 characters').waitFor();
      await page.getByLabel('Name').fill('Grace Hopper');
      await page.getByLabel('Email').fill('grace@example.com');
      await page.getByRole('textbox', { name: 'Password' }).fill('too short');
      await button(page, 'Create administrator').click();
      await page.getByText('this has 9').waitFor();
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await button(page, 'Create administrator').click();
      await page.waitForURL('**/start');
      await Promise.all(
        ['Send a test request', 'Write your first policy'].map((name) => page.getByRole('heading', { name }).waitFor()),
      );
      await expectUsableEverywhere(page, 'start');

      await page.getByText('Create another key').click(); // this house has a key already
      await button(page, 'Create key').click();
      await page.getByText('The key of my-server. It’s shown only once').waitFor();
      expect(await page.getByLabel('Key', { exact: true }).inputValue()).toMatch(/^asn_/);
      expect(await button(page, 'Claude').getAttribute('aria-pressed')).toBe('true');
      await expectUsableEverywhere(page, 'start-snippet');
      await button(page, 'curl').click();
      const [, key] = /Bearer (asn_\S+)'/.exec(await page.locator('pre').innerText()) ?? [];
      const body = /-d '([^']*)'/.exec(await page.locator('pre').innerText())?.[1];
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await fetch(`${fresh.server.url}/v1/elicitations`, { method: 'POST', headers, body: body ?? '' });
      expect(answer.status).toBe(201);
      await page.getByText('my-server is connected.').waitFor();

      await button(page, 'Send a test request').click();
      await page.getByRole('link', { name: 'Open the request' }).click();
      await page.getByRole('heading', { name: 'What will run' }).waitFor();
      expect(await page.locator('[data-decision-card]').innerText()).toMatch(/120[^]*Example Ltd/);
      await approve(page);
      await page.getByText('The call can run').first().waitFor();
      await page.goto(`${fresh.server.url}/start`);
      await page.getByText('You’ve seen a request from beginning to end.').waitFor();
      await page.getByText('the only administrator who can sign in').waitFor();
      await expectUsableEverywhere(page, 'start-half-done');

      await page.getByRole('link', { name: 'Email to outsiders' }).click();
      await page.getByText('policy: outside-email').waitFor();
      await expectUsableEverywhere(page, 'policy-gallery');
      await page.getByRole('link', { name: 'Deletion' }).click();
      await page.getByText('policy: deletion').waitFor();
      await button(page, 'Save draft').click();
      await page.getByRole('heading', { name: 'Draft' }).waitFor();
      await button(page, 'Submit for review').click();
      await page.getByText('no one can review it yet').waitFor();
      expect(fresh.complaints).toEqual([]);
    } finally {
      await fresh.close();
    }
  });
});

describe('the form of a request', () => {
  test('every kind of field is answered, a server error appears at its field, and the answer arrives', async () => {
    const id = await house.ask(everyField);
    const page = await house.openPageAs(ada, `/requests/${id}`);
    expect(await page.getByLabel('Seats').inputValue()).toBe('25');
    await page.getByText('As in the register.').waitFor();
    await approve(page);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
    expect(await announcementOn(page)).toContain('need your attention');

    await page.getByLabel('Company name').fill('Müller GmbH');
    await page.getByLabel('Contact').fill('einkauf@mueller.example');
    await page.getByLabel('Website').fill('https://mueller.example');
    await page.getByLabel('First day').fill('2026-12-01');
    await page.getByLabel('Welcome call').fill('2026-12-02T09:30');
    await page.getByLabel('Seats').fill('40');
    await page.getByLabel('Discount in percent').fill('12.5');
    await page
      .getByRole('group', { name: 'Start with a trial' })
      .or(page.getByRole('radiogroup', { name: 'Start with a trial' }))
      .getByLabel('No', { exact: true })
      .check();
    await page.getByLabel('Europe').check();
    await page.getByLabel('Support tier').selectOption('c');
    await page.getByLabel('Returning').check();
    await page.getByLabel('Audit export').check();
    await page.getByLabel('Notes').fill('first line\nsecond line');

    // Only a changed request can fail at the server what passed the same rules here.
    await page.route('**/vote', (route) => {
      const body = route.request().postDataJSON() as { content: object };
      return route.continue({ postData: JSON.stringify({ ...body, content: { ...body.content, seats: 9000 } }) });
    });
    await approve(page);
    await page.getByText('Must be at most 500.').waitFor();
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('40');
    await page.unroute('**/vote');

    await approve(page);
    await page.getByText('Approved. The call can run.').first().waitFor();
    const decided = await page.evaluate(
      async (path) => (await fetch(path)).json() as Promise<{ answer: object }>,
      `/api/elicitations/${id}`,
    );
    expect(decided.answer).toMatchObject({
      name: 'Müller GmbH',
      contact: 'einkauf@mueller.example',
      site: 'https://mueller.example',
      start: '2026-12-01',
      seats: 40,
      discount: 12.5,
      trial: false,
      region: 'eu',
      tier: 'c',
      kind: 'y',
      extras: ['audit'],
      notes: 'first line\nsecond line',
    });
    expect((await stateOf(id))?.status).toBe('accepted');
  });

  test('an error appears when a field is left, and goes when it is put right', async () => {
    const page = await house.openPageAs(ada, `/requests/${await house.ask(everyField)}`);
    await page.getByLabel('Contact').fill('nobody');
    expect(await page.getByText('Must be an email address').count()).toBe(0);
    await page.getByLabel('Contact').blur();
    await page.getByText('Must be an email address').waitFor();
    await page.getByLabel('Contact').fill('nobody@example.com');
    await page.getByText('Must be an email address').waitFor({ state: 'detached' });
  });
});

describe('deciding', () => {
  test('who must decide first is named, and why one of several policies decided is said', async () => {
    const stages =
      'stages: [{ name: First, approvers: { user: bob@example.com } }, { name: Second, approvers: { role: admin } }]';
    const policyOf = (name: string, more: string) => `policy: ${name}\nmatch: { tool: pay_out }\n${more}\n`;
    await publish(
      house.server,
      policyOf('two-stages', `priority: 5\nrequire: { ${stages} }`),
      policyOf('one-stage', 'require: { stages: [{ name: One, approvers: anyone }] }'),
    );
    const id = await house.ask({ ...readOnly, tool: { name: 'pay_out', title: 'Pay out' } });
    const page = await house.openPageAs(ada, '/inbox?view=all');
    await page.goto(`${house.server.url}/requests/${id}`);
    const reason = page.getByText('Waiting for Bob Noyce (stage 1 of 2).').first();
    await reason.waitFor();
    await page.getByText('Why this policy, of 2 that match').click();
    await page.getByText('it comes first').waitFor();
    await expectUsableEverywhere(page, 'request-others-first');
  });

  test('of several rules of a policy, those that were looked at are named by their place', async () => {
    const asking = 'require: { stages: [{ name: One, approvers: anyone }] }';
    await publish(
      house.server,
      `policy: tiers\nmatch: { tool: pay_tiers }\nrules: [{ when: request.args.amount > 10, deny: { reason: No. } }, { ${asking} }]\n`,
    );
    const id = await house.ask({ ...readOnly, tool: { name: 'pay_tiers' }, arguments: { amount: 5 } });
    const page = await house.openPageAs(ada, `/requests/${id}`);
    await page.getByText('Why this policy', { exact: true }).click();
    await page.getByText('Rule 1 of tiers@1').waitFor();
    expect(await page.getByText('Rule 2 of tiers@1').count()).toBe(1);
    await expectUsableEverywhere(page, 'request-rules');
  });

  test('the result is said and shown, the timeline grows, and the focus goes to the next request', async () => {
    const next = await house.ask(readOnly);
    const id = await house.ask(transfer);
    const page = await house.openPageAs(ada, `/requests/${id}`);
    await approve(page);
    await page.getByText('Ada Lovelace approved').first().waitFor();
    expect(await announcementOn(page)).toBe('Approved. The call can run.');
    await until(async () => (await focused(page)).startsWith('Next request'));
    expect((await stateOf(id))?.status).toBe('accepted');
    expect((await stateOf(next))?.status).toBe('open');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.pathname.endsWith(id));
  });

  test('declining asks for a comment in place, and the comment goes along', async () => {
    const id = await house.ask(transfer);
    const page = await house.openPageAs(ada, `/requests/${id}`);
    await button(page, 'Decline').click();
    await page.getByText('Say why you decline').first().waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    expect((await stateOf(id))?.status).toBe('open');
    await page.keyboard.type('Ask again next week.');
    await button(page, 'Decline').click();
    await page.getByText('Declined. The tool doesn’t run.').first().waitFor();
    expect(await page.getByText('Ask again next week.').count()).toBeGreaterThan(0);
    expect((await stateOf(id))?.status).toBe('declined');
  });

  test('a request is withdrawn without an answer', async () => {
    const id = await house.ask(transfer);
    const page = await house.openPageAs(ada, `/requests/${id}`);
    await button(page, 'Withdraw request').click();
    await page.getByText('Request withdrawn.').first().waitFor();
    expect((await stateOf(id))?.cause).toBe('admin');
  });

  test('more time moves the deadline and decides nothing', async () => {
    const id = await house.ask(readOnly);
    const before = (await stateOf(id))?.deadlineAt ?? 0;
    const page = await house.openPageAs(ada, `/requests/${id}`);
    await button(page, 'Extend by 1 day').click();
    await page.getByText(/extended the deadline: in 1 d 23 h/).waitFor();
    expect((await stateOf(id))?.deadlineAt).toBe(before + 86_400_000);
    await approve(page);
    await page.getByText('Approved. The call can run.').first().waitFor();
  });

  test('a decision on something else than was seen changes nothing, and what was typed is kept', async () => {
    const id = await house.ask(transfer);
    const page = await house.openPageAs(ada, `/requests/${id}`);
    await page.getByLabel('Comment', { exact: true }).fill('Looks right.');
    await page.route('**/vote', (route) => {
      const body = { ...(route.request().postDataJSON() as object), digest: '0'.repeat(64) };
      return route.continue({ postData: JSON.stringify(body) });
    });
    await approve(page);
    await page.getByText('Read the request again, then decide').waitFor();
    expect(await page.getByLabel('Comment', { exact: true }).inputValue()).toBe('Looks right.');
    expect((await stateOf(id))?.status).toBe('open');
  });

  test('a request that changes under the reader must be read again before anything can be pressed', async () => {
    const id = await house.ask(transfer);
    const page = await house.openPageAs(ada, `/requests/${id}`);
    await page.getByLabel('Comment', { exact: true }).fill('Looks right.');
    await page.route(`**/api/elicitations/${id}`, async (route) => {
      const response = await route.fetch();
      const changed = { digest: '1'.repeat(64), message: 'Pay twice?' };
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...changed } });
    });
    await page.route('**/vote', (route) => route.abort());
    await approve(page);
    await page.getByText('This request changed while you were reading.').waitFor();
    await page.getByText('Changed: the question.').waitFor();
    // In the page, and next to the buttons.
    await until(async () => (await page.getByText('Pay twice?').count()) === 2);
    await page.getByText('Read the new version first').waitFor();
    expect(await page.getByLabel('Comment', { exact: true }).inputValue()).toBe('Looks right.');
    await button(page, 'I have read the new version').click();
    await page.getByText('Read the new version first').waitFor({ state: 'detached' });
  });

  test('P32: what has ended has a receipt to keep', async () => {
    const id = await house.ask(transfer);
    await house.decideAs(bob, id, 'decline');
    const page = await house.openPageAs(ada, `/requests/${id}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download receipt' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${id}.tlog-proof`);
    const { keys } = await house.server.logKeys();
    const receipt = await text(await download.createReadStream());
    expect(String(openReceipt(receipt, [parseVerifierKey(keys[0]?.key ?? '')])?.entry)).toContain(
      `"elicitation":"${id}"`,
    );
  });

  test('anyone who is too late learns who decided', async () => {
    const id = await house.ask(transfer);
    const page = await house.openPage();
    await page.route('**/api/stream', (route) => route.abort());
    await page.goto(await house.server.signInAddress(ada, `/requests/${id}`));
    await button(page, /^Approve/).waitFor();
    await house.decideAs(bob, id, 'decline');
    await approve(page);
    await page.getByText('Bob Noyce declined this request before you. Your decision was not counted.').waitFor();
    await page.getByRole('heading', { name: 'Result' }).waitFor();
  });

  test('a lost connection keeps what was typed and says what is not known', async () => {
    const id = await house.ask(transfer);
    const page = await house.openPageAs(ada, `/requests/${id}`);
    await page.getByLabel('Comment', { exact: true }).fill('Looks right.');
    await page.route('**/vote', (route) => route.abort());
    await approve(page);
    await page.getByText('your decision may not have arrived').waitFor();
    expect(await page.getByLabel('Comment', { exact: true }).inputValue()).toBe('Looks right.');
  });

  test('an ended session keeps what was typed', async () => {
    const id = await house.ask(transfer);
    const page = await house.openPageAs(ada, `/requests/${id}`);
    await page.getByLabel('Comment', { exact: true }).fill('Looks right.');
    await page.context().clearCookies();
    await approve(page);
    await page.getByText('Your session ended. What you typed is still here').waitFor();
    expect(await page.getByLabel('Comment', { exact: true }).inputValue()).toBe('Looks right.');
    expect((await stateOf(id))?.status).toBe('open');
  });

  test('a reviewer gives a reason to read, and sees why the buttons are disabled', async () => {
    const reviewer = await house.addUser('Ruth Reviewer', 'reviewer');
    const page = await house.openPageAs(reviewer, `/requests/${await house.ask(transfer)}`);
    await page.getByLabel('Your reason').fill('I review what ran today.');
    await button(page, 'Show the request').click();
    const approve = button(page, /^Approve/);
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    const reason = await approve.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${reason}"]`).innerText()).toContain(
      'Only administrators and approvers can decide',
    );
  });

  test('an address is named by its host, flagged, and never a link', async () => {
    const page = await house.openPageAs(ada, `/requests/${await house.ask(addressed)}`);
    await page.getByText('xn--pypal-4ve.example:8443', { exact: true }).waitFor();
    await page.getByText('Punycode').waitFor();
    expect(await page.locator('a[href*="pypal"]').count()).toBe(0);
  });
});

describe('by keyboard alone', () => {
  test('from the sign-in through the list to a decision', async () => {
    const page = await house.openPage();
    await page.goto(`${house.server.url}/signin`);
    await page.getByLabel('Email').focus();
    await page.keyboard.type('bob@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/inbox');
    await page.locator('a[data-row]').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('o');
    await page.waitForURL('**/requests/*');
    await button(page, 'Decline').waitFor();
    for (let steps = 0; steps < 60; steps += 1) {
      await page.keyboard.press('Tab');
      if (await page.getByLabel('Comment', { exact: true }).evaluate((field) => field === document.activeElement))
        break;
    }
    await page.keyboard.type('Not now.');
    for (let steps = 0; steps < 10 && (await focused(page)) !== 'Decline'; steps += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Declined. The tool doesn’t run.').first().waitFor();
  });

  test('a decision key wants its second key, and Escape takes the first one back', async () => {
    const id = await house.ask(readOnly);
    const page = await house.openPageAs(ada, `/requests/${id}`);
    await page.keyboard.press('a');
    await page.getByText('Press Y to confirm').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('y');
    expect((await stateOf(id))?.status).toBe('open');
    await page.keyboard.press('a');
    await page.keyboard.press('y');
    await page.getByText('Approved. The call can run.').first().waitFor();
  });

  test('no letter decides at high risk, and the button needs its key twice', async () => {
    const id = await house.ask(transfer);
    const page = await house.openPageAs(ada, `/requests/${id}`);
    await page.keyboard.press('a');
    expect(await page.getByText('Press Y to confirm').count()).toBe(0);
    await page.keyboard.press('y');
    expect((await stateOf(id))?.status).toBe('open');
    expect(await focused(page)).toMatch(/^Approve/); // the letter leads to the button, whose own key decides
    await page.keyboard.press('Enter');
    await until(async () => (await announcementOn(page)) === 'Press again to approve');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    expect((await stateOf(id))?.status).toBe('open');
    await page.keyboard.press('Enter');
    await page.getByText('Approved. The call can run.').first().waitFor();
  });

  test('x selects the request in focus, and j and k go through the queue on its page', async () => {
    const tool = { name: 'queued_job', annotations: { readOnlyHint: true } };
    const ids: ElicitationId[] = [];
    for (const at of [0, 1, 2])
      ids.push(await house.ask({ ...readOnly, tool: { ...tool, title: `Job ${at}` }, ttl: 60_000 + at * 10_000 }));
    const page = await house.openPageAs(ada, '/inbox?tool=queued_job');
    await page.locator('a[data-row]').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await until(async () => /^\(\d+\) Inbox/.test(await page.title())); // what is counted comes after the rows
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: 'Job 0' }).waitFor();
    for (const [keys, at] of [
      [['j'], 1],
      [['n'], 2],
      [['k', 'k'], 0], // the second before the page of the first is drawn
    ] as const) {
      for (const key of keys) await page.keyboard.press(key);
      await page.waitForURL(`**/requests/${ids[at]}?tool=queued_job`);
      await page.getByRole('heading', { name: `Job ${at}` }).waitFor();
    }
    await page.keyboard.press('/');
    await page.waitForURL('**/inbox?tool=queued_job');
  });

  test('the palette finds pages and what is on this page, and presses nothing', async () => {
    const id = await house.ask(readOnly);
    const page = await house.openPageAs(ada, `/requests/${id}`);
    await button(page, /^Approve/).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('appro');
    await page.getByRole('option', { name: /^Approve/ }).waitFor();
    await expectUsableEverywhere(page, 'palette');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until(async () => (await focused(page)).startsWith('Approve'));
    expect((await stateOf(id))?.status).toBe('open');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('no such thing');
    await page.getByText('Nothing matches.').waitFor();
    await page.getByRole('dialog').getByRole('combobox').fill('keys servers');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/settings/servers');
    await page.getByRole('heading', { name: 'Servers' }).waitFor();
  });

  test('the list of keys opens with ? and can turn them off', async () => {
    const page = await house.openPageAs(ada, '/inbox');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.getByLabel('Single-key shortcuts').uncheck();
    await button(page, 'Close').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

describe('the inbox', () => {
  test('a new request appears by itself and is announced', async () => {
    const page = await house.openPageAs(ada, '/inbox?tool=fresh_tool');
    await page.getByText('Live').waitFor();
    const id = await house.ask({ ...readOnly, tool: { name: 'fresh_tool', title: 'Fresh from the stream' } });
    await page.locator(`a[href*="${id}"]`).waitFor();
    expect(await announcementOn(page)).toBe('1 new request');
  });

  test('P10 a reminder is announced, and the row shows it with its time', async () => {
    const due = 'match: { tool: slow_job }\nrequire: { stages: [{ name: One, approvers: anyone }], reminders: [1m] }';
    await publish(house.server, `policy: slow\n${due}\n`);
    const id = await house.ask({ ...readOnly, tool: { name: 'slow_job' } });
    const page = await house.openPageAs(ada, '/inbox?tool=slow_job');
    await page.getByText('Live').waitFor();
    const row = page.locator('li', { has: page.locator(`a[href*="${id}"]`) });
    await row.waitFor();
    expect(await row.innerText()).not.toContain('Reminded');
    await takeDueTimers({ ...house.server.engine, now: () => Date.now() + 61_000 });
    await row.getByText('Reminded just now').waitFor();
    expect(await announcementOn(page)).toBe('1 reminder');
    const remindedAt = (await stateOf(id))?.state.context.remindedAt ?? 0;
    expect(await row.locator(`time[datetime="${new Date(remindedAt).toISOString()}"]`).count()).toBe(1);
    await row.hover();
    await row.getByText('Reminded').waitFor({ state: 'hidden' });
  });

  test('no row moves under the pointer: the new one waits to be shown', async () => {
    const page = await house.openPageAs(ada, '/inbox?order=newest');
    await page.getByText('Live').waitFor();
    const first = page.locator('a[data-row]').first();
    await first.hover();
    const before = await first.getAttribute('href');
    const id = await house.ask(readOnly);
    await button(page, 'Show 1 new request').waitFor();
    expect(await first.getAttribute('href')).toBe(before);
    await button(page, 'Show 1 new request').click();
    expect(await first.getAttribute('href')).toBe(`/requests/${id}?order=newest`);
  });

  test('filters live in the address and survive a reload', async () => {
    await house.ask(addressed);
    const page = await house.openPageAs(ada, '/inbox');
    await page.getByLabel('Tool').selectOption('connect_calendar');
    await page.waitForURL('**/inbox?tool=connect_calendar');
    await page.reload();
    await page.locator('a[data-row]').first().waitFor();
    expect(new Set(await page.locator('a[data-row]').allInnerTexts())).toEqual(new Set(['Connect a calendar']));
    await page.getByRole('list', { name: 'Filters in force' }).getByRole('link').click();
    await page.waitForURL((url) => url.search === '');
  });

  test('on a phone the filters wait behind a button, and the places stand in one line with the current one in sight', async () => {
    await house.ask(addressed);
    const phone = { viewport: { width: 360, height: 740 }, locale: 'de' };
    const page = await house.openPageAs(ada, '/inbox?risk=medium', phone);
    const risk = page.getByLabel('Risiko', { exact: true });
    expect(await risk.isVisible()).toBe(false);
    await button(page, 'Filter (1)').click();
    expect(await risk.inputValue()).toBe('medium');
    await page.goto(`${house.server.url}/settings/servers`);
    for (const [line, current] of [
      ['Hauptmenü', 'Einstellungen'],
      ['Einstellungen', 'Server'],
    ] as const) {
      const place = page.getByRole('navigation', { name: line, exact: true });
      await place.waitFor();
      expect((await place.boundingBox())?.height).toBeLessThan(60);
      const box = await place.getByRole('link', { name: current, exact: true }).boundingBox();
      expect(box!.x).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width).toBeLessThanOrEqual(360);
    }
  });

  test('the requester is found by the whole name, and the field says what it finds', async () => {
    const id = await house.ask({ ...addressed, requester: { subject: 'lovelace-7', verified: true } });
    const page = await house.openPageAs(ada, '/inbox?view=all');
    await page.getByLabel('Requester').fill('Lovelace-7');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/inbox?view=all&requester=Lovelace-7');
    await until(async () => (await page.locator('a[data-row]').count()) === 1);
    expect(await page.locator(`a[href*="${id}"]`).count()).toBe(1);
    await page.goto(`${house.server.url}/history?requester=lovelace`);
    await page.getByText('The requester’s whole name').waitFor();
    await expectUsableEverywhere(page, 'history-requester');
  });

  test('a search finds what is stored in the open, and says what it does not search', async () => {
    const id = await house.ask(addressed);
    const page = await house.openPageAs(ada, '/inbox?view=all');
    await page.locator('a[data-row]').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('Connect_cal');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/inbox?view=all&q=Connect_cal');
    await page.reload();
    expect(await page.getByRole('searchbox').inputValue()).toBe('Connect_cal');
    await page.locator('a[data-row]').first().waitFor();
    expect(new Set(await page.locator('a[data-row]').allInnerTexts())).toEqual(new Set(['Connect a calendar']));
    await page.getByRole('searchbox').fill(id);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/inbox?view=all&q=${id}`);
    await until(async () => (await page.locator('a[data-row]').count()) === 1);
    await expectUsableEverywhere(page, 'inbox-search');
    await page.getByRole('searchbox').fill('quartal');
    await page.keyboard.press('Enter');
    await page.getByText('sealed and not searched').waitFor();

    await house.decideAs(bob, await house.ask(transfer), 'decline');
    await page.goto(`${house.server.url}/history?q=bob@example`);
    await page.getByRole('list').getByText('Declined').first().waitFor();
  });

  test('a list that cannot be read says so and can be tried again', async () => {
    const page = await house.openPage();
    await page.route('**/api/stream', (route) => route.abort()); // or the page asks again when it stands
    await page.route('**/api/elicitations?**', (route) => route.fulfill({ status: 500, json: brokenDatabase }));
    await page.goto(await house.server.signInAddress(ada, '/inbox'));
    await page.getByText('The database can’t be reached right now.').waitFor();
    await page.getByText('err_0123456789abcdef').waitFor();
    await page.unroute('**/api/elicitations?**');
    await button(page, 'Try again').click();
    await page.locator('a[data-row]').first().waitFor();
  });

  test('if Assentry cannot be reached at all, a whole page says so, and can be tried again', async () => {
    const page = await house.openPage({ locale: 'de-DE' });
    await page.goto(await house.server.signInAddress(ada, '/inbox'));
    await page.getByRole('heading', { name: 'Eingang' }).waitFor();
    await page.route('**/api/**', (route) => route.fulfill({ status: 503, body: '' }));
    await page.reload();
    await page.getByRole('heading', { name: 'Diese Seite konnte nicht geladen werden' }).waitFor();
    await expectUsableEverywhere(page, 'unreachable');
    await page.unroute('**/api/**');
    await button(page, 'Noch einmal versuchen').click();
    await page.getByRole('heading', { name: 'Eingang' }).waitFor();
  });

  test('if nothing can be pushed, the page asks by itself', async () => {
    const page = await house.openPage();
    await page.clock.install();
    await page.route('**/api/stream', (route) => route.abort());
    await page.goto(await house.server.signInAddress(ada, '/inbox'));
    await page.getByText('Reconnecting, refreshing every 15 seconds').waitFor();
    await page.locator('a[data-row]').first().waitFor();
    const id = await house.ask(readOnly);
    await page.clock.fastForward(16_000);
    await page.locator(`a[href*="${id}"]`).waitFor();
  });

  test('a long list goes on as one scrolls, and what is far away is not drawn', async () => {
    const tool = { name: 'one_of_many' };
    const ids: string[] = [];
    for (let count = 0; count < 160; count += 1)
      ids.push(await house.ask({ ...readOnly, tool, arguments: { count }, ttl: 3_600_000 + count * 1000 }));
    const page = await house.openPageAs(ada, '/inbox?tool=one_of_many');
    const rows = page.locator('a[data-row]');
    const row = (at: number) => page.locator(`a[data-row="${ids.at(at)}"]`);
    await until(async () => (await rows.count()) === 50);
    await rows.first().focus();
    await until(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      return (await row(-1).count()) === 1;
    });
    expect(await button(page, 'Load more').count()).toBe(0);
    expect(await rows.count()).toBeLessThan(160);
    await page.keyboard.press('j');
    expect(await row(1).evaluate((link) => link === document.activeElement)).toBe(true);
    for (let at = 2; at < 160; at += 1) await page.keyboard.press('j');
    await until(() => row(-1).evaluate((link) => link === document.activeElement));
    await button(page, 'Load more').waitFor({ state: 'detached' });
  });

  test('after a fault, the rest of a list waits for its button', async () => {
    const page = await house.openPageAs(ada, '/inbox?tool=one_of_many');
    const rows = page.locator('a[data-row]');
    await until(async () => (await rows.count()) === 50);
    await page.getByText('Live').first().waitFor(); // its list is asked for again when the stream stands
    let faults = 0;
    await page.route(/cursor=/, (route) => (++faults <= 3 ? route.abort() : route.continue()));
    await rows.last().scrollIntoViewIfNeeded();
    await until(() => faults === 3);
    await button(page, 'Load more').click();
    await until(async () => (await rows.count()) > 50);
  });

  test('what has ended is found in the history, with how it ended', async () => {
    const id = await house.ask(transfer);
    await house.decideAs(bob, id, 'decline');
    const page = await house.openPageAs(ada, '/history?status=declined');
    await page
      .locator('li', { has: page.locator(`a[href*="${id}"]`) })
      .getByText('Declined')
      .waitFor();
  });
});

const brokenDatabase = {
  type: 'about:blank',
  title: 'The database cannot be reached.',
  status: 503,
  code: 'database-unavailable',
  errorId: 'err_0123456789abcdef',
};
