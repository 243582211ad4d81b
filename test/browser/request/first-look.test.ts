import { expect, test } from '@jest/globals';
import { digestTool } from '#gateway/tools/definition';
import { lookedAt, lookForm } from '#gateway/tools/look';
import type { OpenElicitation } from '#requests/asking/contract/open';
import { takeScreenshot } from '../../support/browser/browser.ts';
import { approve, sharedHouse } from '../house/house.ts';
import { expectUsableEverywhere, views } from '../house/usable.ts';

const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');
const ben = await house.addUser('Ben Bitdiddle', 'approver');

const tool = (name: string, description: string, args: string, annotations = {}) => ({
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(args.split(' ').map((arg) => [arg, { type: 'string' }])),
  },
  annotations,
});
const claim = { readOnlyHint: true };

/** As the gateway asks about a server of eight tools. */
async function lookAt(): Promise<OpenElicitation> {
  const definitions = [
    tool('list-collections', 'List all collections of a database', 'database', claim),
    tool('collection-schema', 'Describe the schema of a collection', 'database collection', claim),
    tool('list-databases', 'List all databases', 'connection_id', claim),
    tool('aggregate', 'Run an aggregation against a collection', 'database collection pipeline', claim),
    tool('connect', 'Connect to a MongoDB instance', 'connectionString', claim),
    tool('insert-many', 'Insert documents', 'database collection documents'),
    tool('drop-database', 'Removes the database', 'database', { destructiveHint: true }),
    tool('export', 'Export a collection', 'database collection', claim),
  ];
  const tools = await Promise.all(definitions.map(async (each) => lookedAt(each, await digestTool(each))));
  return {
    tool: {
      name: 'assentry.definition',
      title: 'Look at the tools of a new server',
      annotations: { destructiveHint: true },
      reaches: 'npx -y mongodb-mcp-server',
    },
    arguments: { server: 'mongodb', tools },
    message: 'New server: mongodb, 8 tools',
    schema: lookForm(tools),
    audience: 'approvers',
    requester: { subject: 'local:ada' },
  };
}

test('an administrator answers for each group with one tap and for one tool, after each definition was opened', async () => {
  const id = await house.ask(await lookAt());
  const page = await house.openPageAs(ada, `/requests/${id}`);
  const answer = (name: string) => page.getByLabel(`Answer for ${name}`, { exact: true });
  await answer('list-collections').waitFor();
  expect(await answer('list-collections').inputValue()).toBe('believe');
  for (const name of ['aggregate', 'connect', 'export', 'drop-database'])
    expect([name, await answer(name).inputValue()]).toEqual([name, 'hold']);
  expect(await answer('drop-database').locator('option').allTextContents()).toEqual(['Ask each time', 'Block']);
  for (const { width, colorScheme, options } of views) {
    await page.setViewportSize(options.viewport);
    await page.emulateMedia({ colorScheme });
    await answer('list-collections').evaluate((control) =>
      control.closest('section')?.parentElement?.scrollIntoView({ block: 'start' }),
    );
    await takeScreenshot(page, `console-first-look-${width}-${colorScheme}`);
  }
  await expectUsableEverywhere(page, 'request-first-look');
  const writes = page.getByRole('region', { name: 'Write or remove' });
  await writes.getByRole('button', { name: 'All: Block' }).click();
  await answer('aggregate').selectOption('believe');
  expect(await answer('insert-many').inputValue()).toBe('block');
  await answer('insert-many').selectOption('hold');
  expect(await writes.getByRole('button', { name: 'All: Believe' }).count()).toBe(0);
  await approve(page);
  await page.getByText('Approved', { exact: false }).first().waitFor();
  const [policy] = (await house.server.engine.policies.inForce()).filter(({ name }) => name.startsWith('tools-of-'));
  expect(policy?.document).toMatch(/# list-collections, aggregate\n[^#]*allow: \{ ceiling: medium \}/);
  expect(policy?.document).toMatch(/# drop-database\n[^#]*deny:/);
});

test('an approver who may not publish policies is told what they can answer', async () => {
  const id = await house.ask({ ...(await lookAt()), message: 'New server: mongodb, 8 tools again' });
  const page = await house.openPageAs(ben, `/requests/${id}`);
  await page.getByText('Only people who may publish policies can believe or block tools.').waitFor();
});
