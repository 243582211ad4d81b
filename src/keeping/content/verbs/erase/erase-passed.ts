import { auditEntry, type Actor, type AuditEvent } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random/random';
import type { StoredPassedCall } from '../../store/passed-calls.ts';

/** Calls that one entry names. */
const maxNamed = 100;

interface Reason {
  at: number;
  actor: Actor;
  ground: Extract<AuditEvent, { type: 'call.erased' }>['ground'];
}

/** Those of these calls that no hold keeps, with the entries that their content was erased: of each server its own. */
export function chooseErased(
  calls: StoredPassedCall[],
  isHeld: (call: StoredPassedCall) => boolean,
  { at, actor, ground }: Reason,
) {
  const free = calls.filter((call) => !isHeld(call));
  const servers = new Map(free.map(({ serverId, serverName }) => [serverId, serverName]));
  const entries = [...servers].flatMap(([server, serverName]) => {
    const ids = free.filter(({ serverId }) => serverId === server).map(({ id }) => id);
    return Array.from({ length: Math.ceil(ids.length / maxNamed) }, (_, part) => {
      const named = ids.slice(part * maxNamed, (part + 1) * maxNamed);
      return auditEntry(newId('entry'), at, actor, { type: 'call.erased', server, serverName, calls: named, ground });
    });
  });
  return { calls: free, entries };
}
