import type { ContentScope, ErasureGround } from '#requests/asking/contract/elicitation';
import type { ElicitationId } from '#platform/model/id';
import type { Alone } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem/problem';
import type { StoredCredential } from '#connect/credentials/store';
import { credentialEntry } from '#connect/credentials/verbs';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import {
  actorOf,
  guardPower,
  type Administrator,
  type DirectoryEngine,
} from '#people/directory/verbs/directory/change-directory';
import { destroyKeys, type Erased } from './destroy-keys.ts';
import { chooseErased } from './erase-passed.ts';
import { requesterHashes } from '../holds/kept-by-holds.ts';

export type KeepingEngine = DirectoryEngine &
  Pick<Engine, 'contents' | 'passedCalls' | 'credentials' | 'holds' | 'reader' | 'ring' | 'users'>;

export interface Erasure {
  /** The request or, for everything of its requester, any request of theirs that can still be read. */
  request: ElicitationId;
  of: ContentScope;
  ground: ErasureGround;
}

/**
 * Erases content by destroying its key, in one commit with an entry for each request; its other entries and its receipt
 * stay valid. With everything of a requester go the arguments of their calls that passed and their credentials for servers. Problem `not-now` if nothing can be erased, and the problems of `guardPower`.
 */
export async function eraseContent(
  engine: KeepingEngine,
  by: Administrator,
  { request, of, ground }: Erasure,
): Promise<Erased & { alone: Alone | null }> {
  const { also, alone } = guardPower(engine, by, 'hold-content');
  const hashes = of === 'request' ? [] : await hashesOf(engine, request);
  const ids = of === 'request' ? [request] : await engine.contents.ofRequester(hashes);
  const entryOf = (credential: StoredCredential) =>
    credentialEntry(credential, engine.now(), actorOf(by), { type: 'credential.removed' });
  const reason = { actor: actorOf(by), ground, at: engine.now() };
  const erased = await destroyKeys(engine, ids, reason, async (tx, count, isHeld) => {
    assertSomethingErased(count);
    await also(tx);
    await engine.passedCalls.eraseOf(tx, hashes, (calls) => chooseErased(calls, isHeld, reason));
    await engine.credentials.removeAll(hashes, entryOf)(tx);
  });
  return { ...erased, alone: alone() };
}

/** By which the requester of this request is found, at every server. */
async function hashesOf(engine: KeepingEngine, request: ElicitationId): Promise<Uint8Array[]> {
  const hashes = await requesterHashes(engine, request);
  if (!hashes) throw nothing();
  const { servers } = await engine.directory.read();
  return servers.flatMap(({ id }) => hashes(id));
}

const nothing = (): Problem => new Problem('not-now', { refusal: { code: 'nothing-to-erase' } });

function assertSomethingErased({ erased, held, needed }: Erased): void {
  if (erased > 0) return;
  if (held + needed === 0) throw nothing();
  throw new Problem('not-now', { refusal: { code: held > 0 ? 'content-held' : 'content-needed' } });
}
