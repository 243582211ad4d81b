import { actorOfServer } from '../actor-of-server.ts';
import type { CancelCause } from '#protocol/model/elicitation';
import type { ElicitationId } from '#protocol/model/id';
import type { KeyScope } from '#protocol/model/user';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { isInScope } from '#protocol/model/stop';
import { changeElicitation, type ChangingEngine } from './change.ts';
import type { Engine } from '../engine.ts';
import { assertOwn } from '../key-scope.ts';
import { sealDecision } from './sealed-question.ts';

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
