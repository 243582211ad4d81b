import type { AppliedDirectory } from '#protocol/contract/users/apply';
import { routes } from '#protocol/contract/routes';
import { requestChange } from '../../../engine/changes/request-change.ts';
import { showChange } from '../../../engine/changes/show-change.ts';
import { dryRunDirectory } from '../../../engine/users/declared/apply-directory.ts';
import { planDirectory } from '../../../engine/users/declared/plan-directory.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { answerChange } from '../answer-change.ts';

/** The directory as a file declares it, and how far a change is that was asked for. */
export function serveApplyRoutes({ engine, serve }: ApiParts): void {
  serve(routes.applyDirectory, async ({ caller, body: { prune, dryRun, ...declared } }) => {
    const changes = planDirectory(await engine.directory.read(), declared, { isPruning: prune });
    const body: AppliedDirectory = { changes };
    if (dryRun) await dryRunDirectory(engine, caller, { changes });
    if (dryRun || changes.length === 0) return { status: 200, body };
    return answerChange(await requestChange(engine, caller, 'apply-directory', { changes }), 200, () => body, body);
  });

  serve(routes.showChange, async ({ caller, params }) => showChange(engine, caller, params.id));
}
