import { auditEntry } from '#core/audit/entry';
import { requestFacts } from '#core/audit/events/request-facts';
import { sha256Hex } from '#core/crypto/digest';
import { newId } from '#core/crypto/random';
import { userOfRequester } from '#core/policy/terms/directory';
import { may } from '#protocol/model/permission';
import { Problem } from '#protocol/model/problem';
import type { User } from '#protocol/model/user';
import type { PassedCallRow } from '../../store/keeping/passed-calls.ts';
import { mayIn } from '../assert-may.ts';
import { readable } from '../elicitation/readable.ts';
import { openPassed, sealPassedReason } from '../elicitation/sealed-passed-call.ts';
import type { Engine } from '../engine.ts';

/**
 * The arguments of a call that ran by a pass, for those who may read the content of a request that had no approvers: its
 * requester, the owner of the server, and, if they give a reason, those who watch over requests of that server. Each reading
 * is an entry. Problems: `not-found`, also for everyone else; `reason-needed`; `content-erased`; `sealed-unreadable`.
 */
export async function readPassedCall(engine: Engine, user: User, id: string, reason: string | null) {
  const row = await engine.passedCalls.find(id);
  const right = row && (await rightOf(engine, user, row));
  if (!row || !right) throw new Problem('not-found');
  const content = openPassed(engine.ring, row);
  if (right === 'watches' && reason === null) throw new Problem('reason-needed');
  const at = engine.now();
  const sealed = reason === null ? null : sealPassedReason(engine.ring, row, user.id, reason);
  const event = {
    type: 'call.read',
    call: id,
    ...(sealed && { said: sha256Hex(sealed) }),
    ...requestFacts(row),
  } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  await engine.passedCalls.addLook(sealed && { callId: id, userId: user.id, reason: sealed, at }, entry);
  const { serverName: server, tool, policy } = row;
  const { arguments: args, length } = content;
  return { id, server, tool, policy, at: row.at, arguments: args, length };
}

/** An unverified subject does not prove who called. */
async function rightOf(engine: Engine, user: User, row: PassedCallRow): Promise<'own' | 'watches' | null> {
  const users = await engine.rules.users();
  const requester = readable(() => openPassed(engine.ring, row))?.requester;
  const isRequester = requester?.verified === true && userOfRequester(users.directory, requester)?.id === user.id;
  if (isRequester || users.owners.get(row.serverId) === user.id) return 'own';
  const space = users.spaceOf.get(row.serverId);
  const watches = may(user, 'watch-requests') || (space !== undefined && mayIn(users, user, 'watch-requests', space));
  return watches ? 'watches' : null;
}
