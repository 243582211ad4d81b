import { auditEntry } from '#audit/entries/rules/entry';
import { requestFacts } from '#audit/entries/rules/events';
import { sha256Hex } from '#platform/crypto/digest';
import { newId } from '#platform/crypto/random';
import { userOfRequester } from '#policies/document/rules/directory';
import { may } from '#people/directory/contract/permission';
import { Problem } from '#platform/model/problem';
import type { User } from '#people/directory/contract/user';
import type { PassedCallRow } from '#keeping/content/store';
import { mayIn } from '#policies/deciding/verbs/rules';
import { readable } from '../../../state/verbs/change/readable.ts';
import { openPassed, sealPassedReason } from '../../../asking/verbs/passed-calls/sealed-passed-call.ts';
import type { Engine } from '#platform/nodes/verbs/engine';

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
