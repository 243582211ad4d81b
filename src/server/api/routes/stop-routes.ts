import { routes } from '#protocol/contract/routes';
import { requestChange } from '../../engine/changes/request-change.ts';
import { liftOf } from '../../engine/changes/server-changes.ts';
import { stopCalls } from '../../engine/stops/make-stop.ts';
import { listStops } from '../../engine/stops/show-stops.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { answerChange } from './answer-change.ts';

/** The kill switch. */
export function serveStopRoutes({ engine, serve }: ApiParts): void {
  serve(routes.listStops, async ({ caller }) => ({ stops: await listStops(engine, caller) }));

  serve(routes.makeStop, async ({ caller, body: request }) => stopCalls(engine, caller, request));

  serve(routes.liftStop, async ({ caller, params }) => {
    const lift = await liftOf(engine, caller, params.id);
    return answerChange(await requestChange(engine, caller, 'lift-stop', lift), 200, (lifted) => lifted);
  });
}
