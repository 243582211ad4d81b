import { expect, test } from '@jest/globals';
import { sharedHouse } from './house/house.ts';
import { readOnly, transfer } from './house/questions.ts';
import { expectUsable } from './house/usable.ts';

const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');
const grace = await house.addUser('Grace Hopper', 'reviewer');
const [, approved] = [await house.ask(transfer), await house.ask(readOnly)];
await house.decideAs(ada, approved, 'accept');

test('an answer on paper has every column and whole ids, and says what was asked, and who printed it when', async () => {
  const page = await house.openPageAs(grace, `/audit/approvals?server=billing-mcp&person=${ada.id}`);
  await page.getByRole('link', { name: approved }).waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 1015, height: 718 }); // A4 across, within its margins
  const edges = await page
    .getByRole('table')
    .last()
    .evaluate((table) => [...table.querySelectorAll('th, td')].map((cell) => cell.getBoundingClientRect().right));
  expect(Math.max(...edges)).toBeLessThanOrEqual(1015);
  const id = page.getByRole('link', { name: approved });
  expect(await id.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page
    .getByText(/^Asks for: Approvals of a tool in a period · .* \(UTC\) · Ada Lovelace · billing-mcp$/)
    .waitFor();
  await page.getByText(/^Printed from .* by Grace Hopper/).waitFor();
  await expectUsable(page, 'audit-answer-paper');
  expect((await page.pdf({ preferCSSPageSize: true })).length).toBeGreaterThan(10_000);
});
