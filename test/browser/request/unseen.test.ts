import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../../support/poll.ts';
import { drawn, isNight } from '../../support/runs.ts';
import { generateArguments, shapeCount } from '../house/generated-arguments.ts';
import { button, openHouse } from '../house/house.ts';
import { noteWhatIsOnScreen, settle, unseenValues } from '../house/seen-values.ts';
import { corners } from '../house/usable.ts';

/** By night four of each shape, at each width two of them by each way: what more of a shape would try is the same code. */
const cases = isNight ? 4 * shapeCount : 6;

const house = await openHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');

afterEach(() => expect(house.complaints.splice(0)).toEqual([]));
afterAll(() => house.close());

/** More would be a page that leads nowhere. */
const maxPresses = 400;
const isLeft = async (page: Page): Promise<boolean> =>
  (await page.locator('[data-verb=approve]').count()) === 0 || (await page.locator('[data-left]').count()) > 0;

const press = async (page: Page): Promise<void> => {
  const approve = button(page, /^Approve/);
  await ((await approve.isVisible()) ? approve : button(page, 'Decide')).click();
  await settle(page);
};

/** Presses what leads on, and nothing else. */
async function beLed(page: Page): Promise<void> {
  for (let presses = 0; await isLeft(page); presses += 1) {
    expect(presses).toBeLessThan(maxPresses);
    await press(page);
  }
}

/** Opens everything, goes to the end of each part in one jump, and is led only where that was not enough. */
async function jump(page: Page): Promise<void> {
  const closed = page.locator('[data-part-start] button[aria-expanded=false]');
  while ((await closed.count()) > 0) {
    await closed.first().evaluate((element: HTMLElement) => element.click());
    await settle(page);
  }

  for (const end of await page.locator('[data-part-end]').all()) {
    await end.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await settle(page);
  }
  await beLed(page);
}

/** A sheet that was folded for reading is opened, and a guard ignores what is pressed in the first moment. */
async function pressAtEnd(page: Page): Promise<void> {
  if (await button(page, 'Decide').isVisible()) await button(page, 'Decide').click();
  await page.waitForTimeout(450);
  await button(page, /^Approve/).click();
}

const requests = generateArguments(cases).map((args, at) => ({
  at,
  args,
  names: Object.keys(args).join(', ').slice(0, 60),
}));

/** Each shape goes by both ways, in turn. */
const isLed = (at: number, width: number): boolean => (at + Math.floor(at / shapeCount) + width / 360) % 2 === 1;

describe.each(drawn('unseen', corners, { least: 1 }))('at $width px', ({ width, options }) => {
  let page: Page;
  beforeAll(async () => {
    page = await house.openPageAs(ada, '/account', options); // one for all, as a person has it
  });
  afterAll(() => house.closePages());

  test.each(requests)('request $at ($names) is approved with nothing of its arguments unseen', async ({ at, args }) => {
    const id = await house.ask({
      tool: { name: 'run' },
      arguments: args,
      message: 'Run it?',
      audience: 'approvers',
      requester: { subject: 'grace', verified: true },
    });
    await page.goto(`${house.server.url}/requests/${id}`);
    await page.locator('[data-decision-card]').waitFor();
    await noteWhatIsOnScreen(page);
    await (isLed(at, width) ? beLed : jump)(page);
    const statusNow = async () => (await house.server.engine.reader.elicitation(id))?.status;
    // On a slow machine, the last press that led on may have come when nothing was left.
    if ((await statusNow()) !== 'accepted') await pressAtEnd(page);
    await until(async () => (await statusNow()) === 'accepted');
    expect(await unseenValues(page, args)).toEqual([]);
  });
});
