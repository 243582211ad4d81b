import { describe, expect, test } from '@jest/globals';
import { takeScreenshot } from '../support/browser/browser.ts';
import { sharedHouse } from './house/house.ts';
import { expectUsable, views } from './house/usable.ts';
import { askingOf, worstCases } from './house/worst-cases.ts';

/** Their pictures are in test-results/, for a person to look at: each is a request that is hard to show. */
const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');

test('there are forty of them', () => {
  expect(Object.keys(worstCases)).toHaveLength(40);
});

describe.each(Object.entries(worstCases))('a request with %s', (name, worst) => {
  test.each(views)('is usable at $width px, $colorScheme', async ({ width, colorScheme, options }) => {
    const id = await house.ask(askingOf(worst));
    const page = await house.openPageAs(ada, `/requests/${id}`, options);
    await page
      .locator('[data-verb=approve]')
      .or(page.getByRole('button', { name: 'Decide' }))
      .first()
      .waitFor();
    const file = `worst-${name.replaceAll(/[^\w]+/g, '-')}-${width}-${colorScheme}`;
    await takeScreenshot(page, file);
    await expectUsable(page, file);
  });
});
