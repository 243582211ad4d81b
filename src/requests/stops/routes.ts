import { routes } from '#platform/http/contract/openapi';
import { requestChange } from '#people/changes/verbs/changes';
import { liftOf } from '#people/changes/verbs/kinds';
import { stopCalls, listStops } from './verbs.ts';
import { type ApiParts, answerChange } from '#platform/http/routes/parts';

/** The kill switch. */
export function serveStopRoutes({ engine, serve }: ApiParts): void {
  serve(routes.listStops, async ({ caller }) => ({ stops: await listStops(engine, caller) }));

  serve(routes.makeStop, async ({ caller, body: request }) => stopCalls(engine, caller, request));

  serve(routes.liftStop, async ({ caller, params }) => {
    const lift = await liftOf(engine, caller, params.id);
    return answerChange(await requestChange(engine, caller, 'lift-stop', lift), 200, (lifted) => lifted);
  });
}
