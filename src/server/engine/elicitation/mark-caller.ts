import { actorOfServer } from '../actor-of-server.ts';
import type { CallerState } from '#protocol/model/elicitation';
import type { ElicitationId } from '#protocol/model/id';
import type { KeyScope } from '#protocol/model/user';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { changeElicitation } from './change.ts';
import type { Engine } from '../engine.ts';
import { assertOwn } from '../key-scope.ts';

/** Records whether the caller still waits. It decides nothing, and leaves a closed elicitation unchanged. */
export const markCaller = (
  engine: Engine,
  server: KeyScope,
  id: ElicitationId,
  state: CallerState,
): Promise<ElicitationRow> =>
  changeElicitation(engine, id, (row, now) => {
    assertOwn(row, server);
    if (row.status !== 'open' || row.caller === state) return null;
    return {
      actor: actorOfServer(server),
      event: { type: 'caller', state, at: now },
      says: (fields) => ({ type: 'elicitation.caller', caller: state, ...fields }),
    };
  });
