import type { CancelCause } from '../../model/elicitation.ts';
import type { ElicitationId } from '../../model/id.ts';
import type { ServerCaller } from '../../model/user.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { changeElicitation } from './change.ts';
import type { Engine } from '../engine.ts';
import { refuseForeign } from './mark-caller.ts';

/** The server that asked withdraws its question. */
export const cancelElicitation = (
  engine: Engine,
  server: Pick<ServerCaller, 'id'>,
  id: ElicitationId,
  cause: Exclude<CancelCause, 'admin'>,
): Promise<ElicitationRow> =>
  changeElicitation(engine, id, (row, now) => {
    refuseForeign(row, server.id);
    return {
      actor: { kind: 'server', id: server.id },
      event: { type: 'cancel', cause, at: now },
      says: (about) => ({ type: 'elicitation.cancelled', cause, ...about }),
    };
  });
