import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { voteAndApply } from '#people/changes/verbs/changes';
import { castVote } from '#requests/voting/verbs';
import { showElicitation } from '#requests/inbox/verbs/request';
import { toolPolicyName, reportTools } from '#access/keys/verbs/tools';
import { wholeServer } from '#people/directory/verbs/scope';
import { changeUser } from '#people/users/verbs';
import { createServerKey } from '#access/keys/verbs/keys';
import { addSpace, moveToSpace, setSpaceRole } from '#people/spaces/verbs';
import { keepConfirmations, addGroup, changeMembers, setOwner } from '#people/groups/verbs';
import { changeDirectory } from '#people/directory/verbs/directory';
import type { ElicitationId, ServerId, GroupId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { mailedLink, mailsDown } from '../support/nodes/mailed-link.ts';
import { until } from '../support/poll.ts';
import { button, sharedHouse, password } from './house/house.ts';
import { expectUsable, expectUsableEverywhere, untilSettled } from './house/usable.ts';

const house = await sharedHouse({
  smtp: mailsDown,
  workloadIssuers: [{ issuer: 'https://issuer.example.com', longestLife: 3_600 }],
});
const ada = await house.addUser('Ada Lovelace', 'admin');
const bob = await house.addUser('Bob Noyce', 'approver');
const eve = await house.addUser('Eve Other', 'admin');
await house.addUser('Ruth Reviewer', 'reviewer');

/** The address in the mail to this person. */
async function linkTo(email: string): Promise<string> {
  const { users } = await house.server.engine.directory.read();
  return (await mailedLink(house.server, users.find((user) => user.email === email)?.id ?? '')).address;
}

/** What the page says next to a control that is off. */
async function reasonOf(page: Page, control: Locator): Promise<string> {
  const id = await control.getAttribute('aria-describedby');
  return page.locator(`[id="${id}"]`).innerText();
}

/** Approves the request at this address. */
async function approve(user: User, address: string, vote: typeof castVote = voteAndApply): Promise<void> {
  const { engine } = house.server;
  const id = new URL(address).pathname.split('/').at(-1) as ElicitationId;
  const { digest } = await showElicitation(engine, user, id);
  const authentication = { method: 'password', at: engine.now(), assurance: 'single-factor', by: null } as const;
  await vote(engine, { ...user, authentication }, id, { action: 'accept', digest });
}

/** The server that the house asks through, with tools as the gateway reports them. */
async function serverWithTools(): Promise<ServerId> {
  const { engine } = house.server;
  const { servers } = await engine.directory.read();
  const id = servers.find(({ name }) => name === 'billing-mcp')?.id as ServerId;
  const [definition, changed] = ['ab'.repeat(32), 'cd'.repeat(32)];
  await reportTools(engine, { ...wholeServer(id), kind: 'server', name: 'billing-mcp' }, [
    { name: 'list_invoices', annotations: { readOnlyHint: true }, definition, changed: null },
    { name: 'pay_invoice', annotations: {}, definition, changed },
    { name: 'drop_ledger', annotations: { destructiveHint: true }, definition, changed: null },
  ]);
  return id;
}

describe('users', () => {
  test('an administrator gives someone a manager, makes a group of them, and names an owner', async () => {
    const page = await house.openPageAs(ada, '/settings/people');
    await page.getByRole('link', { name: 'Bob Noyce' }).click();
    const herself = page.getByLabel('Manager').locator('option', { hasText: 'another administrator can choose you' });
    expect(await herself.isDisabled()).toBe(true);
    await page.getByLabel('Manager').selectOption({ label: 'Eve Other (eve@example.com)' });
    await page.getByLabel('Names at MCP clients').fill('bob\nbnoyce');
    await page.reload();
    await page.getByLabel('Names at MCP clients').waitFor();
    expect(await page.getByLabel('Names at MCP clients').inputValue()).toBe('bob\nbnoyce');
    await house.server.changeUser('bob@example.com', { name: 'Robert Noyce' }); // someone else, meanwhile
    await page.reload();
    await page.getByRole('heading', { name: 'Robert Noyce' }).waitFor();
    await button(page, 'Save').click();
    await page.getByText('Saved.').first().waitFor();
    await page.getByRole('heading', { name: 'Robert Noyce' }).waitFor();
    await house.server.changeUser('bob@example.com', { name: 'Bob Noyce' });

    await page.getByRole('link', { name: 'Groups', exact: true }).click();
    await page.getByText('No groups yet').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('finance');
    await button(page, 'Create group').click();
    await page.getByRole('heading', { name: 'finance' }).waitFor();
    await page.getByLabel('Add a person').selectOption({ label: 'Bob Noyce (bob@example.com)' });
    await button(page, 'Add').click();
    await page.getByRole('link', { name: 'Bob Noyce' }).waitFor();

    await page.getByRole('link', { name: 'Servers' }).click();
    await page.getByLabel('Owner of billing-mcp').selectOption({ label: 'Eve Other (eve@example.com)' });
    const readDirectory = () => house.server.engine.directory.read();
    await until(async () => (await readDirectory()).servers.some(({ ownerId }) => ownerId === eve.id));
    const { users, groups } = await readDirectory();
    expect(users.find(({ id }) => id === bob.id)).toMatchObject({ managerId: eve.id, subjects: ['bob', 'bnoyce'] });
    expect(groups).toMatchObject([{ name: 'finance', members: [bob.id] }]);
  });

  test('an administrator asks for the members of a group to be confirmed, is told when it is time, and confirms them', async () => {
    const { engine } = house.server;
    const group = (await engine.directory.read()).groups.find(({ name }) => name === 'finance')!;
    const page = await house.openPageAs(ada, `/settings/groups/${group.id}`);
    await page.getByText('No one needs to confirm the members.').waitFor();
    await page.getByLabel('Confirm members every').fill('90');
    await button(page, 'Save the rule').click();
    await page.getByText('Every 90 days, by administrators.').waitFor();
    await keepConfirmations({ ...engine, now: () => engine.now() + 80 * 86_400_000 });
    await page.reload();
    await page.getByText('1 member leaves unless someone confirms them').waitFor();
    await page.getByText('1 group to confirm').waitFor({ state: 'attached' });
    await expectUsableEverywhere(page, 'group-due');
    await button(page, 'Confirm this member').click();
    await page.getByText('1 member leaves unless').waitFor({ state: 'detached' });
    await page.getByText('1 group to confirm').waitFor({ state: 'detached' });
    const kept = (await engine.directory.read()).groups.find(({ id }) => id === group.id);
    expect(kept).toMatchObject({ members: [bob.id], confirmation: { days: 90, lapsesAt: null } });
  });

  test('an administrator adds someone, who sets a password with the link and is signed in', async () => {
    const page = await house.openPageAs(ada, '/settings/people');
    await page.getByRole('link', { name: 'Add a person' }).click();
    await button(page, 'Add and send link').click();
    await page.getByText('Give an email address').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
    await page.getByLabel('Email').fill('Grace@example.com');
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await page.getByLabel('Manager').selectOption({ label: 'Bob Noyce (bob@example.com)' });
    await page.getByLabel('finance').check();
    await page.reload();
    await page.getByLabel('finance').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe('Grace@example.com'); // what was typed stays
    expect(await page.getByLabel('finance').isChecked()).toBe(true);
    await expectUsableEverywhere(page, 'users-new');
    await button(page, 'Add and send link').click();
    await page.getByText('A link is on its way to grace@example.com').first().waitFor();
    await page.getByText('assentry user link grace@example.com').waitFor(); // how their vote becomes theirs alone
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('A link is on its way');
    const link = await linkTo('grace@example.com');
    expect(await page.content()).not.toContain(link.split('link=')[1]);
    await expectUsableEverywhere(page, 'users-link');

    const theirs = await house.openPage();
    await theirs.goto(link);
    await theirs.getByText('Only you will know it').waitFor();
    expect(theirs.url()).toBe(`${house.server.url}/password`);
    await button(theirs, 'Set password').click();
    await theirs.getByText('this has 0').waitFor();
    await expectUsableEverywhere(theirs, 'password');
    await theirs.getByRole('textbox', { name: 'Password' }).fill('one more horse of hers');
    await button(theirs, 'Set password').click();
    await theirs.waitForURL('**/inbox');
    const again = await house.openPage();
    await again.goto(link);
    await again.getByRole('textbox', { name: 'Password' }).fill('one more horse of mine');
    await button(again, 'Set password').click();
    await again.getByText('This link isn’t valid.').waitFor();
    await expectUsable(again, 'password-refused');

    const herPage = await page.getByRole('link', { name: 'Open Grace Hopper' }).getAttribute('href');
    await button(page, 'Add another person').click();
    expect(await page.getByLabel('Email').inputValue()).toBe(''); // what was saved is gone
    await page.goto(`${house.server.url}${herPage}`);
    await page.getByText(/^Since/).waitFor();
    await page.getByText('Has a password.').waitFor();
    await button(page, 'Send a password link').click();
    await page.getByText('A link is on its way to grace@example.com').first().waitFor();
    expect(await linkTo('grace@example.com')).not.toBe(link);
    await theirs.reload();
    await theirs.waitForURL(/signin/); // who lost the password is signed out everywhere
  });

  test('if no mails are sent, the console names the command that prints the link', async () => {
    const { engine } = house.server;
    const { environment } = engine;
    Object.assign(engine, { environment: 'production', sendsMails: false });
    try {
      const page = await house.openPageAs(ada, '/settings/people/new');
      await page.getByText('a link that the operator’s terminal prints').waitFor();
      await page.getByLabel('Email').fill('Kay@example.com');
      await page.getByLabel('Name', { exact: true }).fill('Kay');
      await button(page, 'Add').click();
      await page.getByText('Confirm that it’s you to continue').waitFor(); // a link signed them in, which proves nothing
      await expectUsableEverywhere(page, 'users-fresh-sign-in');
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.keyboard.press('Enter'); // and the form around it is not sent
      await page.getByText('Confirmed. Press the same button again.').first().waitFor();
      expect(await page.getByLabel('Email').inputValue()).toBe('Kay@example.com');
      await button(page, 'Add').click();
      await page.getByText('Waiting for a second administrator').first().waitFor();
      await expectUsableEverywhere(page, 'users-waiting');
      await page.getByRole('link', { name: 'Open the request' }).click();
      await page.getByText('You can’t decide this: you requested it.').first().waitFor();
      const other = await house.openPageAs(eve, '/settings/groups'); // also for those who did not ask, and on each page
      await other.getByRole('link', { name: /Add Kay/ }).waitFor();
      await expectUsableEverywhere(other, 'changes-waiting');
      await other.goto(`${house.server.url}/policies`);
      await untilSettled(other);
      expect(await other.getByText('Waiting for a second administrator').count()).toBe(0); // it is about people
      await approve(eve, page.url(), castVote); // the node that counted the vote dies, and another makes the change
      await page.getByText('The change was made').waitFor();
      await page.goto(new URL('/settings/people', page.url()).href);
      await untilSettled(page);
      expect(await page.getByText('Waiting for a second administrator').count()).toBe(0);
      await page.getByRole('link', { name: 'Kay' }).click();
      await page.getByText('assentry user link kay@example.com', { exact: true }).waitFor();
      await page.getByText('assentry user link kay@example.com --reset-factors').waitFor();
      await expectUsableEverywhere(page, 'users-terminal');
      expect(await button(page, 'Send a password link').count()).toBe(0);
    } finally {
      Object.assign(engine, { environment, sendsMails: true });
    }
  });

  test('no one gives power to themselves, and is told who can', async () => {
    const { engine } = house.server;
    const { groups, servers } = await engine.directory.read();
    const record = servers.find(({ name }) => name === 'billing-mcp');
    const [group, server] = [groups[0]?.id, record?.id] as [GroupId, ServerId];
    await changeMembers(engine, 'operator', group, { add: [ada.id] });
    await setOwner(engine, 'operator', server, ada.id);
    const page = await house.openPageAs(ada, `/settings/people/${ada.id}`);
    const reason = 'Ask another administrator or the operator';
    for (const name of ['Role', 'Manager', 'Names at MCP clients', 'Can use the emergency override', 'Disabled']) {
      expect([name, await page.getByLabel(name, { exact: true }).isDisabled()]).toEqual([name, true]);
    }
    await changeUser(engine, 'operator', ada.id, { mayBreakGlass: true });
    await page.reload();
    await page.getByLabel('Can use the emergency override').uncheck(); // what is one's own can be given up
    expect(await reasonOf(page, page.getByRole('group'))).toContain(reason);
    expect(await reasonOf(page, button(page, 'Send a password link'))).toContain(reason);
    await page.getByLabel('Name', { exact: true }).fill('Ada King');
    await button(page, 'Save').click();
    await page.getByText('Saved.').first().waitFor();
    await expectUsableEverywhere(page, 'users-own');

    await page.goto(`${house.server.url}/settings/groups/${group}`);
    const remove = button(page, 'Remove Ada King');
    await remove.waitFor();
    expect([await remove.getAttribute('aria-disabled'), await reasonOf(page, remove)]).toEqual([
      'true',
      expect.stringContaining(reason),
    ]);
    await page.goto(`${house.server.url}/settings/servers`);
    const owner = page.getByLabel('Owner of billing-mcp');
    await owner.waitFor();
    expect([await owner.isDisabled(), await reasonOf(page, owner)]).toEqual([true, expect.stringContaining(reason)]);
    await setOwner(engine, 'operator', server, eve.id);
    await changeUser(engine, 'operator', ada.id, { name: 'Ada Lovelace' });
  });

  test('a key works from other networks once someone has changed them', async () => {
    const { engine, url } = house.server;
    const { kid, key } = await createServerKey(engine, 'limited-mcp', { networks: ['127.0.0.0/8'] });
    const open = () => fetch(`${url}/v1/elicitations/eli_x`, { headers: { authorization: `Bearer ${key}` } });
    expect((await open()).status).not.toBe(401);
    const page = await house.openPageAs(ada, '/settings/servers');
    const row = page.getByRole('row', { name: kid });
    await button(page, `Networks ${kid}`).click();
    await page.getByLabel(`Networks from which ${kid} works`).fill('10.0.0.0/8, office');
    await button(page, `Save networks ${kid}`).click();
    await row.getByText('Give networks such as 10.0.0.0/8').waitFor();
    await expectUsableEverywhere(page, 'key-networks');
    await page.getByLabel(`Networks from which ${kid} works`).fill('10.0.0.0/8');
    await button(page, `Save networks ${kid}`).click();
    await row.getByText('Only from 10.0.0.0/8').waitFor();
    expect((await open()).status).toBe(401);
  });

  test('an administrator makes a role of their own, gives it to someone and changes what it permits', async () => {
    const kim = await house.addUser('Kim Keeper', 'reviewer');
    const page = await house.openPageAs(ada, '/settings/roles');
    await page.getByLabel('Name', { exact: true }).fill('key-keeper');
    await page.getByLabel('Create, rotate and revoke keys of servers').check();
    await button(page, 'Create the role').click();
    await page.getByRole('link', { name: 'key-keeper' }).waitFor();
    await expectUsableEverywhere(page, 'roles');
    await page.goto(`${house.server.url}/settings/people/${kim.id}`);
    await page.getByLabel('Role', { exact: true }).selectOption('key-keeper');
    await page.getByText('Permits: Create, rotate and revoke keys of servers.').waitFor();
    await button(page, 'Save').click();
    await page.getByText('Saved.').first().waitFor();
    await page.goto(`${house.server.url}/settings/roles`);
    await page.getByRole('link', { name: 'key-keeper' }).click();
    await page.getByText('One person has this role.').waitFor();
    await page.getByLabel('Stop tools and servers, and lift stops').check();
    await button(page, 'Save').click();
    await page.getByText('Saved.').first().waitFor();
    await expectUsableEverywhere(page, 'role');
    await button(page, 'Remove key-keeper').click();
    await page.getByText('Give these people another role first: Kim Keeper.').waitFor();
    const own = await house.openPageAs(kim, '/');
    await own.waitForURL('**/settings/servers');
    await own.getByText('key-keeper', { exact: true }).first().waitFor();
  });

  test('people of a space look after it, and an administrator gives it what belongs there', async () => {
    const { engine } = house.server;
    const server = await serverWithTools();
    const id = await addSpace(engine, 'operator', 'Billing');
    const lead = await house.addUser('Lea Lead', 'approver');
    await setSpaceRole(engine, 'operator', { space: id, user: lead.id, role: 'space-admin' });
    const page = await house.openPageAs(ada, '/settings/spaces');
    await page.getByLabel('Name', { exact: true }).fill('Care');
    await button(page, 'Create the space').click();
    await page.getByText('No one has a role here.').waitFor();
    await page.getByRole('link', { name: 'Spaces' }).first().click();
    await page.getByRole('link', { name: 'Care' }).waitFor();
    await expectUsableEverywhere(page, 'spaces');
    await page.getByRole('link', { name: 'Billing' }).click();
    await page.getByLabel('Move a server here').selectOption('billing-mcp');
    await button(page, 'Move Move a server here').click();
    await page.getByText('billing-mcp', { exact: true }).first().waitFor();
    await expectUsableEverywhere(page, 'space');

    const own = await house.openPageAs(lead, '/settings/spaces');
    await own.getByRole('link', { name: 'Billing' }).waitFor();
    expect(await own.getByRole('link', { name: 'Care' }).count()).toBe(0);
    expect(await button(own, 'Create the space').count()).toBe(0);
    await own.getByRole('link', { name: 'Billing' }).click();
    await own.getByLabel('Add a person').waitFor();
    expect(await own.getByLabel('Move a server here').count()).toBe(0);
    await own.getByLabel('Add a person').selectOption(eve.id);
    await own.getByLabel('Role', { exact: true }).selectOption('Reviewer');
    await button(own, 'Add').click();
    await own.getByLabel(`Role of ${eve.name}`).waitFor();
    await own.goto(`${house.server.url}/settings/servers`);
    await own.getByLabel('New key for server').fill('billing-mcp');
    await button(own, 'Create key').click();
    await own.getByText('billing-mcp').first().waitFor();
    await own.goto(`${house.server.url}/new-policy`);
    await own.getByLabel('Belongs to').waitFor();
    expect(await own.getByLabel('Belongs to').locator('option').allTextContents()).toEqual(['Billing']);
    await moveToSpace(engine, 'operator', { space: null, server });
  });

  test('an administrator makes a key, shown once, rotates it and revokes it', async () => {
    const page = await house.openPageAs(ada, '/settings/servers');
    await page.getByLabel('New key for server').fill('<b>');
    await button(page, 'Create key').click();
    await page.getByText('Use 1 to 128 letters').waitFor();
    await page.getByLabel('New key for server').fill('crm-mcp');
    await page.getByLabel('Expires').selectOption('In 30 days');
    await page.getByLabel('Only for these tools').fill('refund_*, !');
    await button(page, 'Create key').click();
    await page.getByText('and * for any characters').waitFor();
    await page.getByLabel('Only for these tools').fill('refund_*, lookup');
    await page.getByLabel('Only from these networks').fill('127.0.0.0/8, 10.0.0.0/33');
    await button(page, 'Create key').click();
    await page.getByText('Give networks such as 10.0.0.0/8').waitFor();
    await page.getByLabel('Only from these networks').fill('127.0.0.0/8');
    await button(page, 'Create key').click();
    await page.getByText('Give this key to crm-mcp').waitFor();
    const key = await page.getByLabel('New key', { exact: true }).inputValue();
    const [, kid = ''] = key.split('_');
    const open = () =>
      fetch(`${house.server.url}/v1/elicitations/eli_x`, { headers: { authorization: `Bearer ${key}` } });
    expect((await open()).status).not.toBe(401);
    const row = page.getByRole('row', { name: kid });
    await page.getByLabel('Find a server').fill('billing');
    await row.waitFor({ state: 'detached' });
    await page.getByLabel('Find a server').fill('CRM');
    await row.getByText('Never').waitFor();
    await row.getByText('refund_*, lookup').waitFor();
    await row.getByText('in 29 d').waitFor();
    await row.getByText('Only from 127.0.0.0/8').waitFor();
    await button(page, `Rotate ${kid}`).click();
    await row.getByText('This one works for 24 more hours').waitFor();
    await button(page, `Rotate key ${kid}`).click();
    await row.getByText('Replaced by').waitFor();
    const next = await page.getByLabel('New key', { exact: true }).first().inputValue();
    expect(next).not.toBe(key);
    await row.getByText('in 23 h').waitFor();
    expect(await row.getByRole('button', { name: 'Rotate' }).count()).toBe(0);
    await button(page, `Revoke ${kid}`).click();
    await row.getByText('It stops working immediately').waitFor();
    await expectUsableEverywhere(page, 'users-keys');
    await button(page, `Revoke key ${kid}`).click();
    await row.getByText('Revoked').waitFor();
    expect((await open()).status).toBe(401);
    await page.reload();
    await row.getByText('Revoked').waitFor();
    expect(await page.content()).not.toContain(key.slice(-20));
    const bobs = await house.openPageAs(bob, '/settings/servers');
    await bobs.getByText('Only administrators and operators can do this.').waitFor();
    expect(await bobs.getByLabel('New key for server').count()).toBe(0);
  });

  test('an administrator binds a workload to a server, reads who asks, and removes it', async () => {
    const page = await house.openPageAs(ada, '/settings/workloads');
    await page.getByText('No workload asks as a server yet.').waitFor();
    await page.getByLabel('Asks as server').selectOption({ label: 'billing-mcp' });
    await page.getByLabel('Audience').fill('assentry');
    await page.getByLabel('Subject of its tokens').fill('repo:a*b');
    await page.getByLabel('Other claims').fill('repository=acme/billing\nenvironment');
    await page.getByText('Write the line “environment” as name=text.').waitFor();
    await page.getByLabel('Other claims').fill('repository=acme/billing');
    await button(page, 'Add workload').click();
    await page.getByText('Give a subject, in which * may stand').waitFor();
    await page.getByLabel('Subject of its tokens').fill('repo:acme/billing:ref:refs/heads/*');
    await button(page, 'Add workload').click();
    const row = page.getByRole('row', { name: 'repo:acme/billing' });
    for (const text of [
      'billing-mcp',
      'https://issuer.example.com',
      'repository=acme/billing',
      'Ada Lovelace',
      'Never',
    ])
      await row.getByText(text, { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Remove' }).click();
    await row.getByText('Its tokens stop working immediately').waitFor();
    await expectUsableEverywhere(page, 'users-workloads');
    await row.getByRole('button', { name: 'Remove workload' }).click();
    await row.getByText('Removed').waitFor();
    const bobs = await house.openPageAs(bob, '/settings/workloads');
    await bobs.getByText('Only administrators and operators can do this.').waitFor();
    expect(await bobs.getByText('repo:acme/billing').count()).toBe(0);
  });

  test('an administrator makes a token for a program, shown once, and revokes it', async () => {
    const page = await house.openPageAs(ada, '/settings/servers');
    await page.getByLabel('Name', { exact: true }).fill('deploy-pipeline');
    await button(page, 'Create token').click();
    await page.getByLabel('Change people, groups and owners of servers').check();
    await page.getByLabel('Allowed networks').fill('127.0.0.0/8');
    await button(page, 'Create token').click();
    await page.getByText('Give this token to deploy-pipeline').waitFor();
    const token = await page.getByLabel('New token', { exact: true }).inputValue();
    const read = () => fetch(`${house.server.url}/api/groups`, { headers: { authorization: `Bearer ${token}` } });
    expect((await read()).status).toBe(200);
    const row = page.getByRole('row', { name: 'deploy-pipeline' });
    await row.getByText('Change people, groups and owners of servers').waitFor();
    await row.getByText('Only from 127.0.0.0/8').waitFor();
    await row.getByText('in 89 d').waitFor();
    await button(page, 'Revoke deploy-pipeline').click();
    await row.getByText('It stops working immediately').waitFor();
    await expectUsableEverywhere(page, 'users-tokens');
    await button(page, 'Revoke token deploy-pipeline').click();
    await row.getByText('Revoked').waitFor();
    expect((await read()).status).toBe(401);
    await page.reload();
    await row.getByText('Revoked').waitFor();
    expect(await page.content()).not.toContain(token.slice(-20));
    const bobs = await house.openPageAs(bob, '/settings/servers');
    await bobs.getByText('Only administrators and operators can do this.').waitFor();
    expect(await bobs.getByText('Administrative tokens').count()).toBe(0);
  });

  test('an administrator adds a webhook, tests it, sends again what was given up, and removes it', async () => {
    const page = await house.openPageAs(ada, '/settings/webhooks');
    await page.getByLabel('Address').fill('http://169.254.169.254/latest');
    await button(page, 'Add webhook').click();
    await page.getByText('Give an https address.').waitFor();
    await page.getByLabel('Address').fill('https://169.254.169.254/latest');
    await button(page, 'Add webhook').click();
    await page.getByText('Give this secret to the receiver').waitFor();
    const secret = await page.getByLabel('Secret').inputValue();
    expect(secret).toMatch(/^whsec_/);
    const hook = page.getByRole('table', { name: 'Webhooks' }).getByRole('row', { name: '169.254.169.254' });
    await hook.getByRole('button', { name: 'Send a test' }).click();
    const call = page.getByRole('table', { name: 'Deliveries' }).getByRole('row', { name: '169.254.169.254' });
    await call.getByText('Given up: address-not-allowed').waitFor();
    await call.getByText('If its network is yours, name it in ASSENTRY_WEBHOOK_NETWORKS at every node.').waitFor();
    await expectUsableEverywhere(page, 'users-webhooks');
    const [failed] = await house.server.notifications.list({ isFailed: true });
    await call.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sent again.').waitFor();
    await until(async () => {
      const [entry] = await house.server.notifications.list({ isFailed: true });
      return entry !== undefined && entry.id === failed?.id && entry.settledAt !== failed.settledAt;
    });
    await hook.getByRole('button', { name: 'Remove' }).click();
    await hook.getByRole('button', { name: 'Remove webhook' }).waitFor();
    await page.keyboard.press('Escape');
    await hook.getByRole('button', { name: 'Remove webhook' }).waitFor({ state: 'detached' });
    await hook.getByRole('button', { name: 'Remove' }).click();
    await hook.getByRole('button', { name: 'Remove webhook' }).click();
    await page.getByText('No webhooks').waitFor();
    await page.reload();
    await page.getByText('No webhooks').waitFor();
    expect(await page.content()).not.toContain(secret);
    const bobs = await house.openPageAs(bob, '/settings/webhooks');
    await bobs.getByText('Only administrators and operators can do this.').waitFor();
    expect(await bobs.getByLabel('Address').count()).toBe(0);
  });

  test('an administrator sees how each part of the system is, and what to do about it', async () => {
    const { health, notifications } = house.server.engine;
    const { mailFaults } = notifications;
    notifications.mailFaults = async () => ({ mails: 0, since: null, fault: null }); // the mails of other tests fail
    const { warn } = health;
    health.warn = () => false; // what the node itself sees of mails, and of the production that another test plays
    for (const { code } of health.warnings()) health.clear(code);
    const page = await house.openPageAs(ada, '/settings/system');
    await page.getByText('Nothing needs attention').waitFor();
    await page.getByRole('row', { name: /Nodes.*1 node runs.*Version \d/ }).waitFor();
    await page.getByRole('row', { name: /Email.*Set up/ }).waitFor();
    await page.getByRole('row', { name: /Backups.*assentry backup/ }).waitFor();
    await expectUsableEverywhere(page, 'system');
    const { clear } = health;
    health.clear = () => {}; // the node's own loops find nothing wrong, whenever they look
    health.warn = warn;
    health.warn({ code: 'keys-expire', keys: 2, at: Date.now() + 86_400_000 });
    health.warn({ code: 'witness-disagrees', witnesses: ['notary'] });
    health.warn({ code: 'mails-fail', mails: 3, since: Date.now() - 3_600_000, fault: 'ECONNREFUSED' });
    await page.reload();
    await page.getByText('2 keys of servers expire soon').waitFor();
    await page.getByText('Decisions may be missing, or others than were made.').waitFor();
    await page
      .getByRole('row', { name: /Email.*Fails \(ECONNREFUSED\), first 1 h ago.*See whether it runs/ })
      .waitFor();
    await expectUsableEverywhere(page, 'system-warns');
    await page.goto(`${house.server.url}/settings/people`);
    const banner = page.getByRole('status').filter({ hasText: 'A longer or different log was seen by notary.' });
    await banner.getByText(/^No email has arrived since .* \(ECONNREFUSED\)\.$/).waitFor();
    expect(await banner.getByText('expire soon').count()).toBe(0); // what can wait stands at System alone
    await banner.getByRole('link', { name: 'What to do' }).first().click();
    await page.getByRole('heading', { name: 'System' }).waitFor();
    await banner.waitFor({ state: 'detached' });
    health.clear = clear;
    health.clear('keys-expire');
    health.clear('witness-disagrees');
    health.clear('mails-fail');
    notifications.mailFaults = mailFaults;
    const bobs = await house.openPageAs(bob, '/settings/system');
    await bobs.getByText('Only administrators and operators can do this.').waitFor();
    expect(await bobs.getByText('Nodes').count()).toBe(0);
  });

  test('an administrator sees the tools of a server, and drafts a rule for one without publishing it', async () => {
    const id = await serverWithTools();
    const request = await house.ask({
      tool: { name: 'assentry.definition', annotations: { destructiveHint: true } },
      arguments: { server: 'billing-mcp', tool: 'pay_invoice', accepted: { name: 'pay_invoice' }, changed: {} },
      message: 'Accept the changed definition of pay_invoice on billing-mcp?',
      schema: { type: 'object', properties: {} },
      requester: { subject: 'local:ada' },
      audience: 'approvers',
    });
    const page = await house.openPageAs(ada, '/settings/servers');
    await page.getByRole('link', { name: 'billing-mcp' }).click();
    const paying = page.getByRole('row', { name: 'pay_invoice' });
    await paying.getByText('Changed, and blocked until someone accepts it.').waitFor();
    const difference = paying.getByRole('link', { name: 'Read the difference and decide' });
    expect(await difference.getAttribute('href')).toBe(`/requests/${request}`);
    const bars = page.getByLabel('Draft for drop_ledger').locator('option', { hasText: 'Free: not possible' });
    expect(await bars.isDisabled()).toBe(true);
    await page.getByLabel('Draft for list_invoices').selectOption({ label: 'Denied' });
    await page.getByRole('link', { name: /^Open the draft billing-mcp-list-invoices-[0-9a-f]{8}@1$/ }).click();
    await page.getByText('deny: { reason: An administrator has denied this tool. }').first().waitFor();
    const { policies } = house.server.engine;
    expect((await policies.find(toolPolicyName('billing-mcp', 'list_invoices')))?.publishedVersion).toBeNull();
    const bobs = await house.openPageAs(bob, `/settings/servers/${id}`);
    await bobs.getByText('Only administrators').first().waitFor();
    expect(await bobs.getByText('list_invoices').count()).toBe(0);
  });

  test('everyone else can read, and sees why nothing can be changed', async () => {
    const page = await house.openPageAs(bob, `/settings/people/${ada.id}`);
    const save = button(page, 'Save');
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    expect(await reasonOf(page, save)).toBe('Only administrators can do this.');
    expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
  });

  test('anyone who goes away hands over the votes, and takes them back', async () => {
    const page = await house.openPageAs(bob, '/settings/absences');
    await button(page, 'Delegate my votes').click();
    await page.getByText('Choose who votes for you.').waitFor();
    await page.getByLabel('Who votes for you').selectOption({ label: 'Ada Lovelace (ada@example.com)' });
    await page.getByLabel('Until').fill(`${new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)}T12:00`);
    await page.getByLabel('Note (optional)').fill('On holiday.');
    await page.getByRole('link', { name: 'Groups', exact: true }).click();
    await page.goBack();
    expect(await page.getByLabel('Note (optional)').inputValue()).toBe('On holiday.'); // what was typed stays
    await button(page, 'Delegate my votes').click();
    const row = page.getByRole('row', { name: 'Ada Lovelace votes for Bob Noyce' });
    await row.getByText('Active').waitFor();
    await button(page, 'End the delegation from Bob Noyce to Ada Lovelace').click();
    await row.getByText('Ended early').waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1'); // the button is gone
  });

  test('in production, who goes away confirms first who they are, and loses nothing that was typed', async () => {
    const { engine } = house.server;
    const { environment } = engine;
    Object.assign(engine, { environment: 'production' });
    try {
      const page = await house.openPageAs(bob, '/settings/absences');
      await page.getByLabel('Who votes for you').selectOption({ label: 'Ada Lovelace (ada@example.com)' });
      await page.getByLabel('Until').fill(`${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T12:00`);
      await page.getByLabel('Note (optional)').fill('At the dentist.');
      await button(page, 'Delegate my votes').click();
      await page.getByText('Confirm that it’s you to continue').waitFor();
      await expectUsableEverywhere(page, 'absences-fresh-sign-in');
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await button(page, 'Confirm').click();
      await page.getByText('Confirm that it’s you to continue').waitFor({ state: 'detached' });
      await button(page, 'Delegate my votes').click();
      await page.getByRole('row', { name: 'At the dentist.' }).getByText('Active').waitFor();
    } finally {
      Object.assign(engine, { environment });
    }
  });
});

test('every page about people has no barrier, at every size, by day and by night', async () => {
  const page = await house.openPageAs(ada, '/settings/people');
  const { groups } = await house.server.engine.directory.read();
  const paths = { list: '/settings/people', one: `/settings/people/${bob.id}`, groups: '/settings/groups' };
  const more = {
    group: `/settings/groups/${groups[0]?.id}`,
    absences: '/settings/absences',
    servers: '/settings/servers',
    tools: `/settings/servers/${await serverWithTools()}`,
  };
  for (const [name, path] of Object.entries({ ...paths, ...more })) {
    await page.goto(house.server.url + path);
    await page.locator('h1').waitFor();
    await until(async () => (await page.locator('[role=status][aria-label=Loading]').count()) === 0);
    await expectUsableEverywhere(page, `people-${name}`);
  }
});

test('an administrator says of accounts of one name that they are one person, takes it back, and names who else they are', async () => {
  const mary = await house.addUser('Mary Jackson', 'approver');
  await house.addUser('Jackson Mary', 'approver');
  const page = await house.openPageAs(ada, '/settings/people');
  await page.getByText('One name. They count separately until someone decides.').waitFor();
  await button(page, 'One person Mary Jackson and Jackson Mary')
    .or(button(page, 'One person Jackson Mary and Mary Jackson'))
    .click();
  await page.getByText('One person, who counts once.').waitFor();
  await expectUsable(page, 'account-pairs');

  const own = await house.openPageAs(ada, `/settings/people/${mary.id}`);
  await own.getByRole('button', { name: /^Take back/ }).click();
  await own.getByText('One name. They count separately until someone decides.').waitFor();
  await own.getByLabel('The same person as').selectOption({ label: 'Jackson Mary (jackson@example.com)' });
  await own.getByRole('button', { name: 'One person', exact: true }).click();
  await own.getByText('One person, who counts once.').waitFor();
});

test('a group that SCIM made says that it counts for nothing yet, until someone adopts it', async () => {
  const { engine } = house.server;
  const provider = { kind: 'provider', issuer: 'https://okta.example.com' } as const;
  const id = await addGroup(engine, 'operator', { name: 'Finance (EU)' });
  await changeDirectory(engine, provider, () => ({
    write: {
      type: 'provisioned-group',
      id,
      provisioned: { issuer: provider.issuer, externalId: null, unadoptedSince: engine.now() },
    },
    event: { type: 'group.provisioned', group: id },
  }));
  const page = await house.openPageAs(ada, '/settings/groups');
  const waiting = 'Made by SCIM, not adopted: counts for nothing yet';
  await page.getByText(waiting).waitFor();
  await page.getByRole('link', { name: 'Finance (EU)' }).click();
  await page.getByText(waiting).waitFor();
  await button(page, 'Adopt group').click();
  await button(page, 'No longer count it').waitFor();
  expect(await page.getByText(waiting).count()).toBe(0);
});
