import { expect, test } from '@jest/globals';
import { disguises, stillHidden, untold } from '../support/disguises.ts';
import { sharedHouse, scrollThrough } from './house/house.ts';
import { disguised, longArgument, tail, transfer } from './house/questions.ts';
import { drawn } from '../support/runs.ts';

const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');

test('AI-02 what will run is separate from what the agent says about it', async () => {
  const lie = { ...transfer, tool: { name: 'delete_everything' }, reason: 'This only reads a file.' };
  const page = await house.openPageAs(ada, `/requests/${await house.ask(lie)}`);
  const run = page.getByRole('region', { name: 'What will run' });
  await run.getByText('delete_everything').waitFor();
  expect(await run.innerText()).not.toContain('only reads');
  const agent = page.locator('figure', { hasText: 'This only reads a file.' });
  expect(await agent.innerText()).toContain('Agent’s reason (unverified)');
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  const headings = await page.locator('h2').allInnerTexts();
  expect(headings).toEqual([
    'What will run',
    'Requested by',
    'Why',
    'Approval rule',
    'Votes',
    'Discussion',
    'Your decision',
    'Always for calls like this',
    'Timeline',
  ]);
});

test('AI-03 a 200 KB argument must be opened before Approve, and is shown to its tail', async () => {
  const id = await house.ask(longArgument);
  const page = await house.openPageAs(ada, `/requests/${id}`);
  const approve = page.getByRole('button', { name: /^Approve/ });
  await page.getByText('Read the rest first').waitFor();
  await page.getByRole('button', { name: /^Show all 200,0/ }).waitFor();
  await approve.click({ delay: 1_100 });
  await page.getByRole('button', { name: 'Show less' }).waitFor();
  await page.keyboard.press('a');
  expect((await house.server.engine.reader.elicitation(id))?.status).toBe('open');

  const shown = await page.getByText(tail).last().innerText();
  expect(shown).toHaveLength((longArgument.arguments['script'] as string).length);
  expect(shown.endsWith(tail)).toBe(true);
  await scrollThrough(page, 2);
  await page.getByText('Read the rest first').waitFor({ state: 'detached' });
  await approve.click({ delay: 1_100 });
  await page.getByText('Approved. The call can run.').first().waitFor();
});

test('AI-04 hidden and imitating characters are spelled out', async () => {
  const page = await house.openPageAs(ada, `/requests/${await house.ask(disguised)}`);
  const run = await page.getByRole('region', { name: 'What will run' }).innerText();
  for (const code of ['⟨U+202E⟩', '⟨U+200B⟩', '⟨U+0020⟩', '⟨U+00A0⟩', 'Cyrillic а U+0430']) expect(run).toContain(code);
  expect(run).not.toMatch(/[\u202E\u200B\u00A0]/);
  expect(await page.getByText('Only reads').innerText()).toContain('⟨U+2066⟩');
});

test('AI-04 every character that hides or imitates is spelled out', async () => {
  const args = Object.fromEntries(disguises.map(({ what, text }) => [what, text]));
  const message = disguises.map(({ text }) => text).join('\n');
  const page = await house.openPageAs(ada, `/requests/${await house.ask({ ...transfer, arguments: args, message })}`);
  await page.getByRole('region', { name: 'What will run' }).waitFor();
  for (const name of ['What will run', 'Why']) {
    const shown = await page.getByRole('region', { name }).innerText();
    expect([untold(shown), stillHidden(shown)]).toEqual([[], []]);
  }
});

const attacks = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '"><svg/onload=alert(1)>',
  "';alert(1)//",
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '<a href="https://evil.example">click</a>',
  '[click](javascript:alert(1))',
  '<style>*{display:none}</style>',
  '<iframe srcdoc="<script>alert(1)</script>">',
];

test.each(drawn('attacks', attacks, { least: 3 }))('WB-06 %s stays text in every place', async (attack) => {
  const id = await house.ask({
    tool: { name: 'attack', title: attack, description: attack, annotations: { title: attack } },
    arguments: { [attack]: attack, list: [attack], nested: { [attack]: attack } },
    message: attack,
    reason: attack,
    audience: 'approvers',
    requester: { subject: 'mallory', verified: false, client: { name: attack, version: attack } },
    schema: {
      type: 'object',
      title: attack,
      description: attack,
      properties: {
        text: { type: 'string', title: attack, description: attack, default: attack },
        one: { type: 'string', title: attack, oneOf: [{ const: attack, title: attack }] },
        many: { type: 'array', title: attack, items: { anyOf: [{ const: attack, title: attack }] }, default: [attack] },
      },
    },
  });
  const page = await house.openPageAs(ada, `/requests/${id}`);
  await page.getByRole('heading', { level: 1 }).getByText(attack, { exact: true }).waitFor();
  expect(await page.getByText(attack, { exact: true }).count()).toBeGreaterThan(10);
  expect(
    await page.locator('img, iframe, body script, main style, a[href*="evil"], a[href^="javascript"]').count(),
  ).toBe(await page.locator('body > script').count());
  await page.getByLabel('Comment', { exact: true }).fill(attack);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('Declined. The tool doesn’t run.').first().waitFor();
  await page.goto(`${house.server.url}/history`);
  await page.getByRole('list').getByText(attack, { exact: true }).first().waitFor();
});

test('nothing is kept in the browser', async () => {
  const page = await house.openPageAs(ada, '/inbox');
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
});

test('WB-03 each answer has a nonce of its own, and what comes without it does not run', async () => {
  const policyOf = async () => (await fetch(`${house.server.url}/inbox`)).headers.get('content-security-policy') ?? '';
  const policies = [await policyOf(), await policyOf()];
  const nonces = policies.map((policy) => /script-src 'nonce-([^']+)' 'strict-dynamic';/.exec(policy)?.[1]);
  expect(nonces).toEqual([expect.any(String), expect.any(String)]);
  expect(nonces[0]).not.toBe(nonces[1]);
  const page = await house.openPageAs(ada, '/inbox');
  await page.route('**/inbox', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('</body>', '<script>document.title = "ran"</script></body>');
    await route.fulfill({ response, body });
  });
  const reported = page.waitForRequest((request) => request.url().endsWith('/csp-reports'));
  await page.reload();
  await page.locator('h1').waitFor();
  expect(await page.title()).not.toBe('ran');
  await reported;
  expect(house.complaints.splice(0).join()).toMatch(/content security policy/i);
});

test('WB-04 text becomes no element: the browser refuses it', async () => {
  const page = await house.openPageAs(ada, '/inbox');
  const refusal = await page.evaluate(() => {
    try {
      document.body.innerHTML = '<b>anything</b>';
      return 'taken';
    } catch (error) {
      return String(error);
    }
  });
  expect(refusal).toMatch(/TrustedHTML/);
  expect(house.complaints.splice(0).join()).toMatch(/TrustedHTML/);
});
