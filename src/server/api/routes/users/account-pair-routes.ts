import { routes } from '#protocol/contract/routes';
import { requestChange } from '../../../engine/changes/request-change.ts';
import { listPairs } from '../../../engine/users/decide-pair.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { answerChange } from '../answer-change.ts';

/** Which accounts are of one natural person. */
export function serveAccountPairRoutes({ engine, serve }: ApiParts): void {
  const list = async () => ({ pairs: await listPairs(engine) });
  serve(routes.listPairs, list);

  serve(routes.decidePair, async ({ caller, body }) =>
    answerChange(await requestChange(engine, caller, 'decide-pair', body), 200, list),
  );
}
