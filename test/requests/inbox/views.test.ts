import { afterAll, describe, expect, test } from '@jest/globals';
import type { SavedView, SavedViewList } from '#requests/inbox/contract/history';
import { saveView } from '#requests/inbox/verbs/saved-views';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { json } from '../../support/json.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';

const house = await startTwoNodes();
afterAll(() => house.stop());
const [node] = house.nodes;
const [ada, bob, admin] = await Promise.all([openBrowser(node), openBrowser(node), openBrowser(node, 'admin')]);

const filters = { view: 'all', tool: 'transfer_funds', q: 'acme' };
const save = (by: Browser, parts: object = {}) => by.call('POST', '/api/views', { name: 'Acme', filters, ...parts });
const viewsOf = async (by: Browser) => (await json<SavedViewList>(by.call('GET', '/api/views'))).views;
const change = (by: Browser, id: string, body: object) => by.call('PATCH', `/api/views/${id}`, body);
const remove = async (by: Browser, id: string) => (await by.call('DELETE', `/api/views/${id}`)).status;
const saved = async (by: Browser, parts?: object) => json<SavedView>(save(by, parts));
const foundBy = async (by: Browser, id: string) => (await viewsOf(by)).find((view) => view.id === id);

describe('a view', () => {
  test('is kept with its name and filters, and found at every node', async () => {
    const view = await saved(ada);
    expect(view).toMatchObject({ name: 'Acme', filters, isShared: false, isOwn: true, owner: { id: ada.user.id } });
    expect(await foundBy(ada.at(house.nodes[1].url), view.id)).toEqual(view);
  });

  test('is changed in what is named, and removed', async () => {
    const { id } = await saved(ada);
    expect(await json(change(ada, id, { name: 'Globex' }))).toMatchObject({ name: 'Globex', filters });
    expect(await json(change(ada, id, { filters: { view: 'done' } }))).toMatchObject({ filters: { view: 'done' } });
    expect(await foundBy(ada, id)).toMatchObject({ name: 'Globex', filters: { view: 'done' }, isShared: false });
    expect(await remove(ada, id)).toBe(204);
    expect([await foundBy(ada, id), await remove(ada, id)]).toEqual([undefined, 404]);
  });

  test('is not found by others before it is shared, nor by an administrator', async () => {
    const { id } = await saved(ada);
    for (const other of [bob, admin]) {
      expect(await foundBy(other, id)).toBeUndefined();
      expect([(await change(other, id, { name: 'Mine' })).status, await remove(other, id)]).toEqual([404, 404]);
    }
    expect(await foundBy(ada, id)).toMatchObject({ name: 'Acme' });
  });

  test('that is shared is found by everyone, changed by its owner alone, and removed by an administrator', async () => {
    const { id } = await saved(ada, { isShared: true });
    expect(await foundBy(bob, id)).toMatchObject({
      name: 'Acme',
      filters,
      isOwn: false,
      owner: { name: ada.user.name },
    });
    for (const other of [bob, admin]) expect((await change(other, id, { isShared: false })).status).toBe(404);
    expect(await remove(bob, id)).toBe(404);
    expect(await remove(admin, id)).toBe(204);
    expect(await foundBy(ada, id)).toBeUndefined();
  });

  test('gives no right: its reader finds what they would find without it', async () => {
    const subject = 'asked-by-one';
    await house.asking.open({ requester: { subject } });
    const view = await saved(ada, { filters: { view: 'all', requester: subject }, isShared: true });
    const listed = await foundBy(bob, view.id);
    expect(Object.keys(listed ?? {})).toEqual(['id', 'name', 'filters', 'isShared', 'isOwn', 'owner', 'savedAt']);
    const reviewer = await openBrowser(house.nodes[0], 'reviewer');
    const search = new URLSearchParams({ view: 'all', requester: subject });
    const rows = async (by: Browser) =>
      (await json<{ items: unknown[] }>(by.call('GET', `/api/elicitations?${search}`))).items.length;
    expect([await rows(ada), await rows(reviewer)]).toEqual([1, 0]);
  });

  test('says nothing in the database', async () => {
    const { id } = await saved(ada, { name: 'Project Nightingale', filters: { view: 'all', q: 'Nightingale' } });
    const texts = await house.query(
      `SELECT v::text || encode(v.sealed, 'escape') FROM saved_view v WHERE id = '${id}'`,
    );
    expect(texts).toEqual([expect.not.stringMatching(/nightingale/i)]);
    const [moved] = await house.query(`SELECT id FROM saved_view WHERE id <> '${id}' LIMIT 1`);
    await house.query(`UPDATE saved_view SET sealed = (SELECT sealed FROM saved_view WHERE id = '${id}')
      WHERE id = '${String(moved)}'`);
    expect(await foundBy(ada, String(moved))).toMatchObject({ name: null, filters: null });
    expect((await change(ada, String(moved), { isShared: true })).status).toBe(500);
    expect(await remove(ada, String(moved))).toBe(204);
  });
});

describe('a row that another program has written', () => {
  const unreadable = { name: null, filters: null };

  test.each([
    ['is_shared', 'true', 'shares what its owner keeps'],
    ['user_id', `(SELECT id FROM app_user WHERE email = '%s')`, 'gives it to someone else'],
  ])('by its %s says nothing', async (column, value) => {
    const { id } = await saved(ada, { name: 'Project Nightingale' });
    const set = value.replace('%s', bob.user.email);
    await house.query(`UPDATE saved_view SET ${column} = ${set} WHERE id = '${id}'`);
    expect(await foundBy(bob, id)).toMatchObject(unreadable);
    expect(await remove(column === 'user_id' ? bob : ada, id)).toBe(204);
  });

  test('with a filter of another version hides no other view', async () => {
    const { engine } = house.nodes[0];
    const own = await saved(ada);
    const filters = { view: 'all', mood: 'good' };
    const { id } = await saveView(engine, ada.user, { name: 'Newer', filters, isShared: true });
    expect(await foundBy(bob, id)).toMatchObject(unreadable);
    expect(await foundBy(ada, own.id)).toEqual(own);
    expect(await remove(ada, id)).toBe(204);
  });
});

test('no one’s own views are pushed out of the list by what others share', async () => {
  const { id } = await saved(ada);
  await house.query(`INSERT INTO saved_view (id, user_id, is_shared, sealed, saved_at)
    SELECT 'svw_' || lpad(n::text, 22, '0'), '${bob.user.id}', true, '\\x00', now() + interval '1 hour'
      FROM generate_series(1, 600) n`);
  const views = await viewsOf(ada);
  await house.query(`DELETE FROM saved_view WHERE user_id = '${bob.user.id}'`);
  expect(views.map((view) => view.id)).toContain(id);
  expect(views.length).toBeLessThan(600);
});

describe('what is refused', () => {
  test.each([
    ['an empty name', { name: ' ' }, 'name'],
    ['a long name', { name: 'x'.repeat(61) }, 'name'],
    ['a name that turns its reading', { name: 'Payments\u202Eevil' }, 'name'],
    ['an unknown filter', { filters: { view: 'all', sql: '1' } }, 'filters.sql'],
    ['a page of a list', { filters: { view: 'all', cursor: 'x' } }, 'filters.cursor'],
    ['no list at all', { filters: { view: 'others' } }, 'filters.view'],
  ])('%s', async (_what, parts, path) => {
    const before = (await viewsOf(ada)).length;
    const response = await save(ada, parts);
    const problem = await json<{ errors: { path: string[] }[] }>(response);
    expect([response.status, problem.errors.map((error) => error.path.join('.'))]).toEqual([400, [path]]);
    expect((await viewsOf(ada)).length).toBe(before);
  });

  test('one more than a person may have, though two nodes save at once', async () => {
    const carol = await openBrowser(house.nodes[0]);
    for (let at = 0; at < 49; at += 1) expect((await save(carol)).status).toBe(201);
    const both = [carol, carol.at(house.nodes[1].url)].map(async (by) => (await save(by)).status);
    expect((await Promise.all(both)).toSorted()).toEqual([201, 400]);
  });
});

test('of two changes at two nodes none is half lost', async () => {
  const { id } = await saved(ada);
  for (let at = 0; at < 10; at += 1) {
    const name = `Acme ${at}`;
    const tool = `tool_${at}`;
    const answers = await Promise.all([
      change(ada, id, { name }),
      change(ada.at(house.nodes[1].url), id, { filters: { view: 'all', tool } }),
    ]);
    const stored = await foundBy(ada, id);
    const statuses = answers.map(({ status }) => status);
    expect([
      [200, 200],
      [200, 503],
      [503, 200],
    ]).toContainEqual(statuses);
    expect([stored?.name === name, stored?.filters?.tool === tool]).toEqual(statuses.map((status) => status === 200));
  }
});

test('a person who is disabled leaves what they shared, and nothing else', async () => {
  const dora = await openBrowser(house.nodes[0]);
  const [own, shared] = [await saved(dora), await saved(dora, { isShared: true })];
  expect((await admin.call('PATCH', `/api/users/${dora.user.id}`, { disabled: true })).status).toBe(200);
  expect(await house.query(`SELECT id FROM saved_view WHERE user_id = '${dora.user.id}'`)).toEqual([shared.id]);
  expect(await foundBy(bob, shared.id)).toMatchObject({ owner: { name: dora.user.name } });
  expect(own.id).not.toBe(shared.id);
});
