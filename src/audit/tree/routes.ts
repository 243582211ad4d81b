import type { Response } from 'express';
import { routes } from '#platform/http/contract/openapi';
import { issueOwnReceipt, issueReceipt } from '../receipts/verbs.ts';
import { readCheckpointNote, readTile } from '../search/verbs.ts';
import type { User } from '#people/directory/contract/user';
import type { ApiParts } from '#platform/http/routes/parts';

/** The log in the formats of public tools, and receipts. */
export function serveLogRoutes({ engine, serve }: ApiParts): void {
  serve(routes.getReceipt, async ({ caller, params, response }) => {
    const receipt = await issueReceipt(engine, caller, params.id);
    await engine.access.recordAccess({ ...exported(caller), what: 'receipt', about: [params.id] });
    sendReceipt(response, params.id, receipt);
  });

  serve(routes.getOwnReceipt, async ({ caller, params, response }) => {
    sendReceipt(response, params.id, await issueOwnReceipt(engine, caller, params.id));
  });

  serve(routes.getCheckpoint, async ({ caller, response }) => {
    const note = await readCheckpointNote(engine, caller);
    await engine.access.recordAccess({ ...exported(caller), what: 'log', about: [] });
    response.set('cache-control', 'no-store').type(routes.getCheckpoint.file).send(note);
  });

  serve(routes.getTile, async ({ caller, params, response }) => {
    const bytes = await readTile(engine, caller, params);
    await engine.access.recordAccess({ ...exported(caller), what: 'log', about: [] });
    // A tile of a width never changes; only browsers of those who may see it keep it.
    response.set('cache-control', 'private, max-age=31536000, immutable').type(routes.getTile.file).send(bytes);
  });
}

const exported = ({ id }: User) => ({ type: 'access.exported', by: { kind: 'user', id } }) as const;

/** The receipt as a file to keep. */
export function sendReceipt(response: Response, id: string, receipt: string): void {
  response.set('cache-control', 'no-store').attachment(`${id}.tlog-proof`).type(routes.getReceipt.file);
  response.send(receipt);
}
