import { auditEntry } from '../audit/entry.ts';
import { newApiKey, readApiKey } from '../crypto/api-key.ts';
import { equalBytes } from '../crypto/compare.ts';
import { newId } from '../crypto/random.ts';
import type { ServerCaller } from '../model/person.ts';
import type { Engine } from './engine.ts';

/** A new key for the MCP server of this name, which is made where there is none. Shown once; only its hash is kept. */
export async function createServerKey(
  { servers, now }: Pick<Engine, 'servers' | 'now'>,
  name: string,
): Promise<string> {
  const { key, kid, hash } = newApiKey();
  const event = { type: 'key.created', server: name, kid } as const;
  const entry = auditEntry(newId('entry'), now(), { kind: 'operator' }, event);
  await servers.addKey({ id: newId('server'), name }, { kid, hash }, entry);
  return key;
}

/** The server this key belongs to, or null. */
export async function findServer({ servers }: Pick<Engine, 'servers'>, key: string): Promise<ServerCaller | null> {
  const read = readApiKey(key);
  const found = read && (await servers.byKey(read.kid));
  return found && equalBytes(found.hash, read.hash) ? found.server : null;
}
