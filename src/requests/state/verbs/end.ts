import { actorOfServer, assertOwn } from '#people/directory/verbs/scope';
import type { RelayChannel, CancelCause } from '../../asking/contract/elicitation.ts';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { KeyScope } from '#people/directory/contract/user';
import type { ElicitationRow } from '../store/row.ts';
import { acceptedContent, type Answer, openQuestion, sealDecision } from '../../asking/verbs/question.ts';
import { changeElicitation, type ChangingEngine } from './change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { noneIfUnproven } from './proven-row.ts';
import { isInScope } from '../../stops/contract/stop.ts';

/**
 * Takes the requester's own answer, passed on by the server that asked, and records it as that. It never counts as an
 * approver's vote: problem `forbidden` if approvers must answer.
 */
export const answerElicitation = (
  engine: Engine,
  server: KeyScope,
  id: ElicitationId,
  { channel, ...answer }: Answer & { channel: RelayChannel },
): Promise<ElicitationRow> =>
  changeElicitation(engine, id, (row, now) => {
    assertOwn(row, server);
    if (row.status !== 'open') throw new Problem('already-closed');
    if (row.audience !== 'requester')
      throw new Problem('forbidden', { detail: 'Wait for approvers: they answer this request in the console.' });
    // In URL mode the client's accept is consent to go there; the result comes back another way.
    const schema = row.mode === 'url' ? null : openQuestion(engine.ring, row).schema;
    const content = acceptedContent(schema, answer);
    return {
      actor: actorOfServer(server),
      event: { type: 'answer', action: answer.action, at: now },
      answer: sealDecision(engine.ring, row, { ...(content && { content }), comment: null }),
      says: (fields) => ({ type: 'elicitation.answered', channel, action: answer.action, ...fields }),
    };
  });

/** Milliseconds for which a node keeps the elicitations it took; after that others may take them. */
const lease = 30_000;

/**
 * Takes due timers: expiries, reminders, escalations, and the end of stopped requests. Safe on any number of nodes at
 * once; nothing is lost if a node dies in between. Returns how many were taken, and when the
 * next one is due.
 */
export async function takeDueTimers(engine: Engine, limit = 100): Promise<{ taken: number; nextAt: number | null }> {
  const now = engine.now();
  const { ids, nextAt } = await engine.dueTimers.take(now, now + lease, limit);
  await Promise.all(ids.map((id) => endStopped(engine, id).catch(noneIfUnproven)));
  return { taken: ids.length, nextAt };
}

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
