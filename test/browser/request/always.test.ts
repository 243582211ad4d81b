import { expect, test } from '@jest/globals';
import type { OpenElicitation } from '#requests/asking/contract/open';
import { takeScreenshot } from '../../support/browser/browser.ts';
import { button, sharedHouse } from '../house/house.ts';
import { expectUsableEverywhere, views } from '../house/usable.ts';

const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');
const ben = await house.addUser('Ben Bitdiddle', 'approver');

const folder = '/home/ada/project';
const writing = (path: string): OpenElicitation => ({
  tool: { name: 'write_file', title: 'Write File', annotations: { readOnlyHint: false, destructiveHint: true } },
  arguments: { path, content: 'export const answer = 42;\n' },
  message: `Run write_file on billing-mcp?\n\nPath: ${path}`,
  audience: 'approvers',
  requester: { subject: 'local:ada' },
});

test('an administrator writes a rule for a folder on the page, sees what it lets run, and the next call runs', async () => {
  const id = await house.ask(writing(`${folder}/src/pages/orders/a.ts`));
  await house.ask(writing(`${folder}/src/b.ts`));
  await house.ask(writing('/home/ada/.bashrc'));
  const page = await house.openPageAs(ada, `/requests/${id}`);
  await button(page, 'Always for …').click();
  await page.getByText('It would have let 1 of the last 3 calls').waitFor();
  await page.getByLabel('Limited to').selectOption({ label: `In the folder ${folder}/src` });
  await page.getByText('It would have let 2 of the last 3 calls').waitFor();
  await page.getByText(`inFolder(request.args.path, "${folder}/src")`).waitFor();
  for (const { width, colorScheme, options } of views) {
    await page.setViewportSize(options.viewport);
    await page.emulateMedia({ colorScheme });
    await page.locator('#always').evaluate((section) => section.scrollIntoView({ block: 'start' }));
    await takeScreenshot(page, `console-always-${width}-${colorScheme}`);
  }
  await expectUsableEverywhere(page, 'request-always');
  await button(page, 'Allow these calls').click();
  await page.getByText('It holds from now on. Runs').waitFor();
  await takeScreenshot(page, 'console-request-always-made');
  await house.ask(writing(`${folder}/src/c.ts`), 'accepted');
  await house.ask(writing(`${folder}/c.ts`));
});

test('an approver is not offered it, and has the link with which an administrator begins', async () => {
  const id = await house.ask(writing('/srv/work/other/a.ts'));
  const page = await house.openPageAs(ben, `/requests/${id}`);
  await page.getByText(`/requests/${id}#always`).waitFor();
  expect(await button(page, 'Always for …').count()).toBe(0);
  const theirs = await house.openPageAs(ada, `/requests/${id}`);
  await theirs.goto(`${house.server.url}/requests/${id}#always`);
  await theirs.reload();
  await theirs.getByLabel('Limited to').waitFor();
});

test('where nothing limits a rule, the page says so', async () => {
  const id = await house.ask({ ...writing(''), tool: { name: 'delete_file' }, arguments: { path: '/srv/work/a.ts' } });
  const page = await house.openPageAs(ada, `/requests/${id}`);
  await button(page, 'Always for …').click();
  await page.getByText('No rule can be written from this call.').waitFor();
});

test('of a rule for a command the page says that what it runs may change', async () => {
  const id = await house.ask({
    ...writing(''),
    tool: { name: 'Bash' },
    arguments: { command: 'npm test', cwd: folder },
  });
  const page = await house.openPageAs(ada, `/requests/${id}`);
  await button(page, 'Always for …').click();
  await page.getByLabel('Limited to').selectOption({ label: 'Exactly the command npm test' });
  await page.getByText('what it runs may change').waitFor();
});
