import type { z } from 'zod';
import { principalHash, principalHashes } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import type { CredentialId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { ServerCaller } from '#people/directory/contract/user';
import { openQuestion, sealDecision } from '#requests/asking/verbs/question';
import type { ElicitationRow } from '#requests/state/store/row';
import type { Intent } from '#requests/state/verbs/intent';
import { storedFor } from '../connections/verbs/tokens.ts';
import { isSecret } from '../credentials/rules.ts';
import type { StoredCredential } from '../credentials/store.ts';
import { credentialEntry, lasts, mark } from '../credentials/verbs.ts';
import type { ExpectedSecret } from '../providers/expects.ts';
import type { FindSecret, FoundSecret, SecretText, UseSecret } from './contract.ts';
import { callIn, openSecret, sealSecret, secretKey } from './rules.ts';

type SecretEngine = Parameters<typeof storedFor>[0] & Pick<Engine, 'toolCalls'>;
type Person = z.output<typeof UseSecret>;

/** The secret of this label that the person has entered for the server, and keeps until they remove it. */
export async function findSecret(
  engine: SecretEngine,
  server: ServerCaller,
  { label, ...person }: z.output<typeof FindSecret>,
): Promise<FoundSecret> {
  const stored = await storedFor(engine, server, person, [secretKey(label, null)]);
  if (!stored) return { state: 'missing' };
  return stored.refusedAt === null ? { state: 'stored', id: stored.id } : { state: 'refused' };
}

/**
 * The text of this secret. Problems: `not-found` if it is no longer this person's at this server or its call has ended,
 * `secret-declined` if the server has reported that it does not work.
 */
export async function useSecret(
  engine: SecretEngine,
  server: ServerCaller,
  id: CredentialId,
  person: Person,
): Promise<SecretText> {
  const stored = await ownSecret(engine, server, id, person);
  if (stored.refusedAt !== null) throw new Problem('secret-declined');
  if (stored.usedAt === null) await mark(engine, server, stored, 'used');
  return { secret: openSecret(engine.ring, stored, stored.sealed).secret, lasts };
}

/** Notes that it does not work: no one gets it any more. */
export async function refuseSecret(
  engine: SecretEngine,
  server: ServerCaller,
  id: CredentialId,
  person: Person,
): Promise<void> {
  await mark(engine, server, await ownSecret(engine, server, id, person), 'refused');
}

async function ownSecret(
  engine: SecretEngine,
  server: ServerCaller,
  id: CredentialId,
  person: Person,
): Promise<StoredCredential> {
  const named = await engine.credentials.byId(id);
  if (named?.serverId !== server.id || named.provider === null || !isSecret(named)) throw new Problem('not-found');
  const stored = await storedFor(engine, server, person, [named.provider]);
  const call = callIn(named.provider);
  const hasEnded = call !== null && (await engine.toolCalls.find(call))?.state === 'settled';
  if (stored?.id !== id || hasEnded) throw new Problem('not-found');
  return stored;
}

interface Entered {
  actor: Intent['actor'];
  expects: ExpectedSecret;
  secret: string;
  isReplacing: boolean;
  now: number;
}

/** Is there a secret that the one of this question replaces? */
export async function isReplacing(
  { credentials, ring }: Pick<Engine, 'credentials' | 'ring'>,
  { serverId, ...row }: ElicitationRow,
  { label, keep }: ExpectedSecret,
): Promise<boolean> {
  if (keep === 'call') return false;
  const hashes = principalHashes(ring, serverId, openQuestion(ring, row).requester);
  return (await credentials.find(serverId, hashes, [secretKey(label, null)])) !== null;
}

/** Ends a question for a secret with what its person has entered: the accept and the sealed secret are one commit. */
export function enteredIntent(
  { ring }: Pick<Engine, 'ring'>,
  row: ElicitationRow,
  { actor, expects, secret, isReplacing, now }: Entered,
): Intent {
  const { requester } = openQuestion(ring, row);
  const { serverId, serverName } = row;
  const { label, keep, byAccessToken } = expects;
  const hash = principalHash(ring, serverId, requester);
  const userId = actor.kind === 'user' ? actor.id : null;
  const provider = secretKey(label, keep === 'call' ? row.toolCallId : null);
  const place = { id: newId('credential'), serverId, userId, hash, provider };
  const says = { type: 'credential.stored', isReplacing } as const;
  return {
    actor,
    event: { type: 'callback', action: 'accept', at: now },
    answer: sealDecision(ring, row, { content: { secret: place.id }, comment: null }),
    says: (fields) => ({ type: 'elicitation.answered', channel: 'page', action: 'accept', ...fields }),
    connection: {
      row: {
        ...place,
        sealed: sealSecret(ring, place, { label, secret, byAccessToken }),
        storedAt: now,
        expiresAt: null,
      },
      otherHashes: principalHashes(ring, serverId, requester).filter((other) => !other.equals(hash)),
      entry: credentialEntry({ ...place, serverName }, now, actor, says),
    },
  };
}

/** Milliseconds for which a secret of a call is kept at most, if no one ends the call. */
const longestCall = 7 * 86_400_000;

/** Removes the secrets of calls that have ended. */
export const pruneSecrets = ({ credentials, now }: Pick<Engine, 'credentials' | 'now'>): Promise<number> =>
  credentials.pruneSecrets(now() - longestCall);
