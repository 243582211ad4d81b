import type { AppliedDirectory } from './contract.ts';
import { routes } from '#platform/http/contract/openapi';
import { requestChange, showChange } from '../changes/verbs/changes.ts';
import { dryRunDirectory } from './verbs/apply.ts';
import { planDirectory } from './verbs/plan.ts';
import { type ApiParts, answerChange } from '#platform/http/routes/parts';

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
