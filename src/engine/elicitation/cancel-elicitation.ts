import type { CancelCause } from '../../model/elicitation.ts';
import type { ElicitationId } from '../../model/id.ts';
import type { User, ServerCaller } from '../../model/user.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { changeElicitation } from './change.ts';
import type { Engine } from '../engine.ts';
import { refuseForeign } from './mark-caller.ts';
import { against, refuse } from './permissions.ts';
import { refuseUnseen } from './refuse-unseen.ts';
import { sealDecision } from './sealed-question.ts';

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

/** A person of the console ends a request without deciding it. */
export function withdrawElicitation(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { digest, comment }: { digest: string; comment?: string | undefined },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, (row, now) => {
    refuseUnseen(row, digest);
    refuse(against.cancel(user, row));
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'cancel', cause: 'admin', at: now },
      answer: sealDecision(engine.ring, row, { comment: comment ?? null }),
      says: (about) => ({ type: 'elicitation.cancelled', cause: 'admin', ...about }),
    };
  });
}
