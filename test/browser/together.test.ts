import { expect, test } from '@jest/globals';
import { applyPolicies } from '../../src/engine/policies/apply-policies.ts';
import type { ElicitationId } from '../../src/model/id.ts';
import type { User } from '../../src/model/user.ts';
import { houseWith, type House } from './house/house.ts';
import { readOnly, transfer } from './house/questions.ts';
import { expectUsableEverywhere } from './house/usable.ts';

let house: House;
let ada: User;

houseWith(async (opened) => {
  house = opened;
  ada = await house.addUser('Ada Lovelace', 'admin');
  await applyPolicies(house.server.engine, [
    'policy: reports\nmatch: { tool: export_report }\nrequire:\n  stages:\n    - { name: Anyone, approvers: anyone }\n',
  ]);
});

test('requests of one tool are decided with one press, and others on pages of their own', async () => {
  const ids: ElicitationId[] = [];
  for (const quarter of ['2026-Q1', '2026-Q2', '2026-Q3']) {
    ids.push(await house.ask({ ...readOnly, arguments: { quarter, format: 'pdf' } }));
  }
  const high = await house.ask(transfer);
  const page = await house.openPageAs(ada, '/inbox');
  const boxes = page.getByRole('checkbox', { name: 'Select Quarterly report export' });
  expect(await page.getByRole('checkbox', { name: /Select Transfer/ }).isDisabled()).toBe(true);
  for (const at of [0, 1, 2]) await boxes.nth(at).check();
  await expectUsableEverywhere(page, 'inbox-chosen');
  await page.getByRole('link', { name: 'Review together' }).click();
  await page.getByRole('heading', { name: '3 × Quarterly report export' }).waitFor();
  await expectUsableEverywhere(page, 'together');
  await page.getByRole('button', { name: 'Decline all 3' }).click();
  await page.getByText('Say why you decline').waitFor();
  await house.decideAs(ada, ids[1] as ElicitationId, 'decline');
  await page.getByRole('button', { name: 'Approve all 3' }).click();
  await page.getByText('2 of 3 votes counted.').first().waitFor();
  const statuses = await Promise.all(ids.map(async (id) => (await house.server.engine.reader.elicitation(id))?.status));
  expect(statuses).toEqual(['accepted', 'declined', 'accepted']);
  await expectUsableEverywhere(page, 'together-done');

  await page.goto(`${house.server.url}/inbox/together?ids=${high}`);
  await page.getByText('None of these can be decided together.').waitFor();
  await page.getByText('It’s high risk.').waitFor();
}, 60_000);
