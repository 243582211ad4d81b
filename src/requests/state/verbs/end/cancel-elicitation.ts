import { actorOfServer } from '#people/directory/verbs/scope';
import type { CancelCause } from '../../../asking/contract/elicitation.ts';
import type { ElicitationId } from '#platform/model/id';
import type { KeyScope } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../store/row/row.ts';
import { isInScope } from '../../../stops/contract/stop.ts';
import { changeElicitation, type ChangingEngine } from '../change/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { assertOwn } from '#people/directory/verbs/scope';
import { sealDecision } from '../../../asking/verbs/question/sealed-question.ts';

/** The server that asked withdraws its question. */
export const cancelElicitation = (
  engine: Engine,
  server: KeyScope,
  id: ElicitationId,
  cause: Exclude<CancelCause, 'admin'>,
): Promise<ElicitationRow> =>
  changeElicitation(engine, id, (row, now) => {
    assertOwn(row, server);
    return {
      actor: actorOfServer(server),
      event: { type: 'cancel', cause, at: now },
      says: (fields) => ({ type: 'elicitation.cancelled', cause, ...fields }),
    };
  });

/** Ends the request if an administrator has stopped it by now; the server gets their reason. */
export const endStopped = (engine: ChangingEngine, id: ElicitationId): Promise<ElicitationRow> =>
  changeElicitation(engine, id, async (row, now, basis) => {
    const stop = row.status === 'open' && (await basis.stops()).find((candidate) => isInScope(candidate, row));
    if (!stop) return null;
    return {
      actor: stop.stoppedBy === null ? { kind: 'operator' } : { kind: 'user', id: stop.stoppedBy },
      event: { type: 'cancel', cause: 'admin', at: now },
      ...(row.dataKey && { answer: sealDecision(engine.ring, row, { comment: `Stopped: ${stop.reason}` }) }),
      says: (fields) => ({ type: 'elicitation.cancelled', cause: 'admin', stop: stop.id, ...fields }),
    };
  });
