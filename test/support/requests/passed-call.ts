import { auditEntry } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random';
import type { ServerId } from '#platform/model/id';
import { sealPassed } from '#requests/asking/verbs/passed-calls';
import type { TestServer } from '../nodes/server.ts';

/** A call that passed at this server, by the id of its entry. */
export async function addPassedCall(
  { engine }: Pick<TestServer, 'engine'>,
  { id: serverId, name: serverName }: { id: ServerId; name: string },
  text = '{"path":"/passed"}',
): Promise<string> {
  const id = newId('entry');
  const content = { arguments: text, length: text.length, requester: { subject: 'passer', verified: false } };
  const sealed = sealPassed(engine.ring, id, { server: serverId, session: 'passer' }, content);
  const [at, tool, policy, requesterHash] = [engine.now(), 'list', 'reading@1', Buffer.alloc(32)];
  const facts = { server: serverId, serverName, tool, policy, requester: requesterHash.toString('hex') };
  const event = { type: 'call.passed', ...facts, run: 'ab'.repeat(32), said: sealed.said } as const;
  const row = { id, serverId, tool, policy, requesterHash, at, ...sealed.row };
  await engine.passedCalls.add([row], [auditEntry(id, at, { kind: 'server', id: serverId }, event)]);
  return id;
}
