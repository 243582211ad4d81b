import { describe, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { ElicitationId } from '#platform/model/id';
import { hiddenAtPress, hiddenParts, noteWhatIsHiddenAtPress } from './house/card-parts.ts';
import { generateQuestions, type Generated } from './house/generated-questions.ts';
import { until } from '../support/poll.ts';
import { runs } from '../support/runs.ts';
import { publish } from '../support/requests/policies.ts';
import { approve, button, sharedHouse } from './house/house.ts';
import { addressed, disguised, everyField, longArgument, readOnly, transfer, wordy } from './house/questions.ts';
import { expectUsable, expectUsableEverywhere, smallControls, untilSettled, viewsFor } from './house/usable.ts';

const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');
const ids: Record<string, ElicitationId> = {};
const questions = { transfer, everyField, disguised, longArgument, addressed, wordy, decided: readOnly };
for (const [name, question] of Object.entries(questions)) ids[name] = await house.ask(question);
await house.decideAs(ada, ids['decided'] as ElicitationId, 'accept');
await publish(house.server, 'policy: nothing\nmatch: { tool: nothing }\ndeny: { reason: Never. }\n');

test('long German words break no line of a phone', async () => {
  const options = { viewport: { width: 360, height: 740 }, locale: 'de-DE' };
  const page = await house.openPageAs(ada, '/inbox', options);
  const links = page.getByRole('navigation').first().getByRole('link');
  expect(await links.evaluateAll((all) => all.map((link) => link.scrollHeight))).toEqual([44, 44, 44, 44, 44, 44]);
  for (const name of ['transfer', 'everyField']) {
    await page.goto(`${house.server.url}/requests/${ids[name]}`);
    await page.getByRole('heading', { name: 'Was ausgeführt wird' }).waitFor();
    await expectUsable(page, `german-request-${name}`);
  }
});

test('on a phone, the links in the header and next to the deadline are as high as a thumb', async () => {
  const page = await house.openPageAs(ada, `/requests/${ids['transfer']}`, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  for (const name of ['Your profile: Ada Lovelace', 'Stop this tool…']) {
    const { width = 0, height = 0 } = (await page.getByRole('link', { name }).boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  }
});

test('on the smallest phone in German, no word of the card is broken and its deadline is one line', async () => {
  const page = await house.openPageAs(ada, `/requests/${ids['transfer']}`, {
    viewport: { width: 320, height: 568 },
    locale: 'de-DE',
  });
  await page.locator('[data-verb=approve]').waitFor();
  const heightOf = async (target: Locator) => (await target.boundingBox())?.height ?? Infinity;
  expect(await heightOf(button(page, 'Ablehnen').getByText('Ablehnen'))).toBeLessThan(26);
  expect(await heightOf(page.locator('[data-decision-card] [data-part=deadline]'))).toBeLessThan(26);
  expect(await button(page, 'Ablehnen').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
});

test('with forced colors it is seen what is ticked, and on which page one is', async () => {
  const page = await house.openPageAs(ada, '/inbox', { forcedColors: 'active' });
  const boxes = page.getByRole('checkbox', { name: 'Select Create a customer account' });
  const styleOf = (target: Locator, name: 'backgroundColor' | 'outlineStyle') =>
    target.evaluate((element, property) => getComputedStyle(element)[property], name);
  const before = await styleOf(boxes, 'backgroundColor');
  await boxes.check();
  expect(await styleOf(boxes, 'backgroundColor')).not.toBe(before);
  const places = page.getByRole('navigation').first();
  const outlines = ['Inbox', 'History'].map((name) => styleOf(places.getByRole('link', { name }), 'outlineStyle'));
  expect(await Promise.all(outlines)).toEqual(['solid', 'none']);
});

test('in German it is said that the point of a number is no dot between thousands, and it is not copied', async () => {
  const id = await house.ask({ ...readOnly, arguments: { ratio: 1.234, amount: 1.5 } });
  const page = await house.openPageAs(ada, `/requests/${id}`, { locale: 'de-DE' });
  const card = page.locator('[data-decision-card]');
  await card.getByText('1.234').waitFor();
  expect(await card.innerText()).toMatch(/1\.234 Dezimalpunkt/);
  expect(await card.innerText()).not.toMatch(/1\.5 Dezimalpunkt/);
  await card.getByText('1.234').locator('..').click({ clickCount: 3 });
  expect(await page.evaluate(() => String(getSelection()))).not.toContain('Dezimalpunkt');
});

test('in French, the header of a phone is two lines, also of the smallest', async () => {
  for (const width of [320, 360]) {
    const page = await house.openPageAs(ada, '/inbox', { viewport: { width, height: 740 }, locale: 'fr-FR' });
    const header = await page.getByRole('banner').boundingBox();
    expect(header?.height).toBeLessThan(120);
  }
});

test('in German a request fits a phone and a desk', async () => {
  const page = await house.openPageAs(ada, `/requests/${ids['transfer']}`, { locale: 'de-DE' });
  await page.getByRole('heading', { name: 'Was ausgeführt wird' }).waitFor();
  await untilSettled(page);
  await page.getByText('Richtlinie eingebaut').waitFor();
  await page.getByText(/^Freigabe: 1 Freigabe durch/).waitFor();
  expect(await page.getByText('Approval').count()).toBe(0);
  await expectUsableEverywhere(page, 'german-request');
});

test.each([
  ['inbox', '/inbox', 'Eingang'],
  ['history', '/history', 'Verlauf'],
  ['policies', '/policies', 'Richtlinien'],
  ['policy', '/policies/nothing', 'nothing'],
])('in German the page %s fits a phone and a desk', async (name, path, heading) => {
  const page = await house.openPageAs(ada, path, { locale: 'de-DE' });
  await page.getByRole('heading', { name: heading }).first().waitFor();
  await untilSettled(page);
  await expectUsableEverywhere(page, `german-${name}`);
});

describe.each(viewsFor('accessibility'))('at $width px in $colorScheme', ({ width, colorScheme, options }) => {
  const named = (name: string) => `${name}-${width}-${colorScheme}`;

  test('the pages before the sign-in', async () => {
    const page = await house.openPage(options);
    await page.goto(`${house.server.url}/signin`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter your email address').waitFor();
    await expectUsable(page, named('sign-in'));
    await page.goto(`${house.server.url}/setup#link=x`);
    await page.getByRole('button', { name: 'Create administrator' }).waitFor();
    await expectUsable(page, named('set-up'));
    await page.goto(`${house.server.url}/setup`);
    await page.getByText('Open the link that Assentry printed').waitFor();
    await expectUsable(page, named('set-up-without-link'));
  });

  test('the inbox, full, empty, and its list of keys', async () => {
    const page = await house.openPageAs(ada, '/inbox', options);
    await page.locator('a[data-row]').first().waitFor();
    await expectUsable(page, named('inbox'));
    await page.goto(`${house.server.url}/history`);
    await page.getByRole('list', { name: 'Requests' }).getByText('Approved').waitFor();
    await expectUsable(page, named('inbox-done'));
    await page.goto(`${house.server.url}/inbox?tool=none`);
    await page.getByText('No matching requests').waitFor();
    await expectUsable(page, named('inbox-empty'));
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await expectUsable(page, named('keys'));
  });

  test('a request as it comes, decided, and with faults', async () => {
    const page = await house.openPageAs(ada, '/inbox', options);
    for (const name of ['transfer', 'wordy', 'decided']) {
      await page.goto(`${house.server.url}/requests/${ids[name]}`);
      await page.getByRole('heading', { name: 'What will run' }).waitFor();
      await expectUsable(page, named(`request-${name}`));
    }
    await page.goto(`${house.server.url}/requests/${ids['everyField']}`);
    for (const verb of [/^Approve/, 'Decline']) await page.getByRole('button', { name: verb }).click();
    await page.getByText('Say why you decline').first().waitFor();
    await expectUsable(page, named('request-with-faults'));
  });

  test('the page for a request that is not there', async () => {
    const page = await house.openPageAs(ada, `/requests/eli_${'x'.repeat(22)}`, options);
    await page.getByText('Request not found').waitFor();
    await expectUsable(page, named('missing'));
  });
});

test('what is disguised, long or leads elsewhere', async () => {
  const page = await house.openPageAs(ada, '/inbox', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
  for (const name of ['disguised', 'longArgument', 'addressed']) {
    await page.goto(`${house.server.url}/requests/${ids[name]}`);
    await page.getByRole('heading', { name: 'What will run' }).waitFor();
    await expectUsable(page, `request-${name}-360-dark`);
  }
});

test.each([360, 768, 820, 1024, 1440])('a row of %i px has room for the whole name of a tool', async (width) => {
  const page = await house.openPageAs(ada, '/inbox', { viewport: { width, height: 1024 } });
  const name = page.locator('a[data-row]', { hasText: 'Create a customer account' });
  await name.waitFor();
  const cut = await name.evaluate(({ parentElement: line }) => line && line.scrollWidth - line.clientWidth);
  expect(cut).toBe(0);
});

describe('what is decided and the buttons are seen together', () => {
  const sizes = [
    { width: 320, height: 568 },
    { width: 360, height: 740 },
    { width: 768, height: 1024 },
    { width: 1440, height: 900 },
    { width: 1440, height: 720 },
  ];

  test('of generated requests of every size, at every width, where they are approved', async () => {
    const page = await house.openPageAs(ada, '/inbox', { colorScheme: 'dark' });
    for (const [at, { question, amount, payee, requester, isForm }] of generateQuestions(
      Math.max(sizes.length, runs(40)),
    ).entries()) {
      const id = await house.ask(question);
      await page.goto(`${house.server.url}/requests/${id}`);
      const card = page.locator('[data-decision-card]');
      await card.waitFor();
      for (const size of sizes) {
        await page.setViewportSize(size);
        // The sheet follows its size once it has been measured.
        const isSettled = async () => (await hiddenParts(page)).length === 0;
        await until(isSettled, { within: 5_000 }).catch(() => undefined);
        expect({ at, size, hidden: await hiddenParts(page) }).toEqual({ at, size, hidden: [] });
      }
      const texts = await card.innerText();
      expect([amount, payee, requester].filter((text) => !texts.includes(text))).toEqual([]);
      await page.setViewportSize(sizes[at % sizes.length] as (typeof sizes)[number]);
      if (at < sizes.length) await expectUsable(page, `request-generated-${at}`);
      if (isForm) continue;
      await noteWhatIsHiddenAtPress(page);
      await approve(page);
      await page.getByText('Approved. The call can run.').first().waitFor();
      expect(await hiddenAtPress(page)).toEqual([]);
    }
  });

  test('where they do not fit, the text of the card scrolls and the buttons stay', async () => {
    const [{ question }] = generateQuestions(17).slice(-1) as [Generated]; // with every name at its longest
    for (const viewport of [
      { width: 320, height: 400 },
      { width: 1440, height: 656 },
    ]) {
      const id = await house.ask(question);
      const page = await house.openPageAs(ada, `/requests/${id}`, { viewport });
      await page.locator('[data-verb=approve][data-left=read]').waitFor();
      const text = page.locator('[data-card-text]');
      await until(() => text.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight));
      expect((await hiddenParts(page)).filter((part) => part.includes('verb'))).toEqual([]);
      await approve(page);
      await page.getByText('Approved. The call can run.').first().waitFor();
    }
  });

  test('a short tap on what is risky decides nothing, and a folded sheet has no buttons', async () => {
    const id = await house.ask(transfer);
    const page = await house.openPageAs(ada, `/requests/${id}`, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
    });
    await button(page, /^Approve/).tap();
    expect((await house.server.engine.reader.elicitation(id))?.status).toBe('open');
    await button(page, 'Hide').click();
    expect(await button(page, /^Approve/).count()).toBe(0);
    await button(page, 'Decide').click();
    await approve(page);
    await page.getByText('Approved. The call can run.').first().waitFor();
  });
});

test('on a phone whatever is pressed is at least 44 px high', async () => {
  const page = await house.openPageAs(ada, `/requests/${ids['everyField']}`, { viewport: { width: 360, height: 740 } });
  expect(await smallControls(page)).toEqual([]);
});

test('the sheet at the bottom covers no control that has the focus', async () => {
  const page = await house.openPageAs(ada, `/requests/${ids['longArgument']}`, {
    viewport: { width: 360, height: 740 },
  });
  for (let steps = 0; steps < 25; steps += 1) {
    await page.keyboard.press('Tab');
    const isCovered = await page.evaluate(() => {
      const control = document.activeElement;
      if (!control || control === document.body) return false;
      const { left, top, width, height } = control.getBoundingClientRect();
      const atMiddle = document.elementFromPoint(left + width / 2, top + height / 2);
      return !(atMiddle && (control.contains(atMiddle) || atMiddle.contains(control)));
    });
    expect(isCovered).toBe(false);
  }
});
