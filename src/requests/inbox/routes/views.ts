import { routes } from '#platform/http/contract/openapi';
import { SavedView } from '../contract/history.ts';
import { changeView, listViews, removeView, saveView, type ShownView } from '../verbs/saved-views.ts';
import type { ApiParts } from '#platform/http/routes/parts';

/** The lists of requests that people have given a name. */
export function serveViewRoutes({ engine, serve }: ApiParts): void {
  serve(routes.listViews, async ({ caller }) => ({ views: (await listViews(engine, caller)).map(asKnown) }));

  serve(routes.saveView, async ({ caller, body }) => asKnown(await saveView(engine, caller, body)));

  serve(routes.changeView, async ({ caller, params, body }) =>
    asKnown(await changeView(engine, caller, params.id, body)),
  );

  serve(routes.removeView, async ({ caller, params }) => removeView(engine, caller, params.id));
}

/** A node of another version may have saved filters that this one does not have: such a view is shown as unreadable. */
function asKnown(view: ShownView): SavedView {
  const { data: filters } = SavedView.shape.filters.safeParse(view.filters);
  return filters === undefined ? { ...view, name: null, filters: null } : { ...view, filters };
}
