import { actorOfServer } from '#people/directory/verbs/scope';
import type { CallerState } from '../../contract/elicitation.ts';
import type { ElicitationId } from '#platform/model/id';
import type { KeyScope } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { changeElicitation } from '../../../state/verbs/change/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { assertOwn } from '#people/directory/verbs/scope';

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
