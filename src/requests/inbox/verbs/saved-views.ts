import { may } from '#people/directory/contract/permission';
import type { KeyRing } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import { openView, sealView, type ViewPlace } from '../rules.ts';
import type { SavedViewId, UserId } from '#platform/model/id';
import { invalidInput, Problem } from '#platform/model/problem';
import type { User } from '#people/directory/contract/user';
import type { StoredView } from '../store/saved-views.ts';
import { maySeeOwned, seenBy, type Owned } from '#people/directory/verbs/may';
import { readable } from '../../state/verbs/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { ChangeView, SavedView } from '../contract/history.ts';

type ViewEngine = Pick<Engine, 'savedViews' | 'ring' | 'now'>;

/** Name and filters of a list. Names of tools and people may stand in both, so both are sealed. */
interface ViewText {
  name: string;
  filters: ViewFilters;
}

/** Values of the filters of a list, by their names. */
type ViewFilters = Readonly<Record<string, string | number | undefined>>;

/** A view as its reader finds it. It is a query and no right: everyone sees of its list what they may see anyway. */
export interface ShownView extends Omit<SavedView, 'filters'> {
  filters: ViewFilters | null;
}

/** A person has so many views at most. */
const maxViews = 50;

/** A person's own views, and those that others share of what this person sees, the newest first. */
export async function listViews(engine: ViewEngine & HidingEngine, reader: User): Promise<ShownView[]> {
  const [stored, hidden] = await Promise.all([engine.savedViews.listFor(reader.id), hiddenFrom(engine, reader)]);
  const views = stored.map((view) => show(engine.ring, view, reader.id));
  return views.filter(({ isOwn, filters }) => isOwn || !hidden(filters ?? {}));
}

type HidingEngine = Pick<Engine, 'directory' | 'policies'>;

/** Do these filters name a server, a group or a policy of a space that the reader does not see? */
async function hiddenFrom({ directory, policies }: HidingEngine, reader: User) {
  const record = await directory.read();
  if (seenBy(record, reader) === null) return () => false;
  const namesOf = (items: readonly (Owned & { name: string })[]) =>
    new Set(items.filter((item) => !maySeeOwned(record, reader, item)).map(({ name }) => name));
  const hidden = {
    server: namesOf(record.servers),
    group: namesOf(record.groups),
    policy: namesOf(await policies.names()),
  };
  return (filters: ViewFilters): boolean =>
    Object.entries(hidden).some(([filter, names]) => names.has(String(filters[filter])));
}

/** Problem `INVALID_INPUT` if the person has as many as there may be. */
export async function saveView(
  { savedViews, ring, now }: ViewEngine,
  user: User,
  { isShared, ...text }: ViewText & { isShared: boolean },
): Promise<ShownView> {
  const id = newId('savedView');
  const owner = { id: user.id, name: user.name };
  const view = { id, isShared, owner, sealed: closeText(ring, { id, isShared, owner }, text), savedAt: now() };
  const outcome = await savedViews.add(view, maxViews);
  if (outcome === 'disabled') throw new Problem('unauthenticated');
  if (outcome === 'too-many') {
    const message = `Remove another view first: you have ${maxViews} already.`;
    throw invalidInput(['name'], message);
  }
  return show(ring, view, user.id);
}

/**
 * Changes what is named and keeps the rest. Problem `not-found` if it is not theirs, `sealed-unreadable` if this node
 * cannot open it, `write-conflict` if it changed meanwhile.
 */
export async function changeView(
  { savedViews, ring }: ViewEngine,
  user: User,
  id: SavedViewId,
  changes: ChangeView,
): Promise<ShownView> {
  const before = await savedViews.find(id);
  if (before?.owner.id !== user.id) throw new Problem('not-found');
  const text = openText(ring, before);
  const after = { ...before, isShared: changes.isShared ?? before.isShared };
  const { name = text.name, filters = text.filters } = changes;
  const sealed = closeText(ring, after, { name, filters });
  const isChanged = await savedViews.change(id, { was: before.sealed, now: sealed, isShared: after.isShared });
  if (!isChanged) throw new Problem('write-conflict');
  return show(ring, { ...after, sealed }, user.id);
}

/** Its owner removes it; a shared one can be removed by an administrator too. Problem `not-found` for anyone else. */
export async function removeView(
  { savedViews }: Pick<Engine, 'savedViews'>,
  user: User,
  id: SavedViewId,
): Promise<void> {
  const view = await savedViews.find(id);
  const mayRemove = view?.owner.id === user.id || (view?.isShared === true && may(user, 'tend-requests'));
  if (!mayRemove || !(await savedViews.remove(id))) throw new Problem('not-found');
}

const closeText = (ring: KeyRing, place: ViewPlace, { name, filters }: ViewText): Buffer =>
  sealView(ring, place, JSON.stringify({ name, filters }));

const openText = (ring: KeyRing, view: StoredView): ViewText =>
  JSON.parse(openView(ring, view, view.sealed)) as ViewText;

function show(ring: KeyRing, view: StoredView, reader: UserId): ShownView {
  const text = readable(() => openText(ring, view));
  const { id, isShared, owner, savedAt } = view;
  const { name, filters } = text ?? { name: null, filters: null };
  return { id, name, filters, isShared, isOwn: owner.id === reader, owner, savedAt };
}
