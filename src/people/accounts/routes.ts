import { routes } from '#platform/http/contract/openapi';
import { requestChange } from '../changes/verbs/changes.ts';
import { listPairs } from './verbs/decide-pair.ts';
import { type ApiParts, answerChange } from '#platform/http/routes/parts';

/** Accounts of one natural person. */
export function serveAccountPairRoutes({ engine, serve }: ApiParts): void {
  const list = async () => ({ pairs: await listPairs(engine) });
  serve(routes.listPairs, list);

  serve(routes.decidePair, async ({ caller, body }) =>
    answerChange(await requestChange(engine, caller, 'decide-pair', body), 200, list),
  );
}
