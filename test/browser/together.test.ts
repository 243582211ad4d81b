import { expect, test } from '@jest/globals';
import { applyPolicies } from '#policies/verbs/apply';
import type { ElicitationId } from '#platform/model/id';
import { sharedHouse } from './house/house.ts';
import { readOnly, transfer } from './house/questions.ts';
import { expectUsableEverywhere } from './house/usable.ts';

const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');
await applyPolicies(house.server.engine, [
  'policy: reports\nmatch: { tool: export_report }\nrequire:\n  stages:\n    - { name: Anyone, approvers: anyone }\n',
]);

test('requests of one tool are decided with one press, and others on pages of their own', async () => {
  const ids: ElicitationId[] = [];
  for (const quarter of ['2026-Q1', '2026-Q2', '2026-Q3']) {
    ids.push(await house.ask({ ...readOnly, arguments: { quarter, format: 'pdf' } }));
  }
  const high = await house.ask(transfer);
  const page = await house.openPageAs(ada, '/inbox');
  const boxes = page.getByRole('checkbox', { name: 'Select Quarterly report export' });
  for (const at of [0, 1, 2]) await boxes.nth(at).check();
  await expectUsableEverywhere(page, 'inbox-chosen');
  await page.getByRole('link', { name: 'Review together' }).click();
  await page.getByRole('heading', { name: '3 × Quarterly report export' }).waitFor();
  await expectUsableEverywhere(page, 'together');
  await page.setViewportSize({ width: 360, height: 740 });
  const value = page.locator('td', { hasText: '2026-Q1' }).first();
  expect((await value.boundingBox())?.width).toBeGreaterThan(300); // a column of its own would be a letter wide
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Decline all 3' }).click();
  await page.getByText('Say why you decline').waitFor();
  await house.decideAs(ada, ids[1] as ElicitationId, 'decline');
  await page.getByRole('button', { name: 'Approve all 3' }).click();
  await page.getByText('2 of 3 votes counted.').first().waitFor();
  const statuses = await Promise.all(ids.map(async (id) => (await house.server.engine.reader.elicitation(id))?.status));
  expect(statuses).toEqual(['accepted', 'declined', 'accepted']);
  await expectUsableEverywhere(page, 'together-done');

  await page.goto(`${house.server.url}/inbox/together?ids=${high}`);
  await page.getByText('None of these can be approved together.').waitFor();
  await page.getByText('It’s high risk.').waitFor();
  expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
  await page.getByRole('textbox', { name: 'Comment' }).fill('Not in bulk.');
  await page.getByRole('button', { name: 'Decline it' }).click();
  await page.getByText('Your vote is counted.').first().waitFor();
  expect((await house.server.engine.reader.elicitation(high))?.status).toBe('declined');
});

test('everything that a filter matches is declined with one reason, at every risk', async () => {
  const ids: ElicitationId[] = [];
  for (let at = 0; at < 60; at += 1)
    ids.push(
      await house.ask({ ...readOnly, arguments: { quarter: `Q${at}`, format: 'csv', note: 'As before. '.repeat(9) } }),
    );
  const high = await house.ask(transfer);
  const page = await house.openPageAs(ada, '/inbox', { viewport: { width: 360, height: 740 } });
  const format = page.locator('dd', { hasText: 'csv' }).first();
  expect(await format.evaluate(cutOff)).toBeLessThanOrEqual(0); // a long note gives way
  await page.getByRole('link', { name: 'Decline all…' }).click();
  await page.getByRole('button', { name: 'Decline all 61' }).waitFor();
  await expectUsableEverywhere(page, 'decline-all');
  await page.getByRole('button', { name: 'Decline all 61' }).click();
  await page.getByText('Say why you decline').waitFor();
  await page.getByRole('textbox', { name: 'Reason' }).fill('The agent runs wild.');
  await house.decideAs(ada, ids[3] as ElicitationId, 'accept');
  await page.getByRole('button', { name: 'Decline all 61' }).click();
  await page.getByText('60 of 61 declined by you.').waitFor();
  await page.getByRole('heading', { name: '1 request could not be declined' }).waitFor();
  await expectUsableEverywhere(page, 'decline-all-done');
  const rows = await Promise.all([...ids, high].map((id) => house.server.engine.reader.elicitation(id)));
  expect(rows.filter((row) => row?.status === 'declined')).toHaveLength(60);
});

/** Pixels of the text that have no room: the smallest part of one is enough for an ellipsis. */
const cutOff = (element: Element): number => {
  const text = document.createRange();
  text.selectNodeContents(element);
  return text.getBoundingClientRect().width - element.getBoundingClientRect().width;
};
