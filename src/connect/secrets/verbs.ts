import type { z } from 'zod';
import type { CredentialId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { ServerCaller } from '#people/directory/contract/user';
import { sealDecision } from '#requests/asking/verbs/question';
import type { ElicitationRow } from '#requests/state/store/row';
import type { Intent } from '#requests/state/verbs/intent';
import { storedFor } from '../connections/verbs/tokens.ts';
import { isSecret } from '../credentials/rules.ts';
import { credentialEntry, lasts, mark, storedByRequester, storedWithAccept } from '../credentials/verbs.ts';
import type { ExpectedSecret } from '../providers/expects.ts';
import type { FindSecret, FoundSecret, SecretText, UseSecret } from './contract.ts';
import { presets } from '../providers/providers.ts';
import { callIn, imitatedIn, openSecret, sealSecret, secretKey } from './rules.ts';

type SecretEngine = Parameters<typeof storedFor>[0] & Pick<Engine, 'toolCalls'>;
type Person = z.output<typeof UseSecret>;

/** The secret of this label that the person has entered for the server, and keeps until they remove it. */
export async function findSecret(
  engine: SecretEngine,
  server: ServerCaller,
  { label, ...person }: z.output<typeof FindSecret>,
): Promise<FoundSecret> {
  const stored = await storedFor(engine, server, person, [secretKey(label, null)], openSecret);
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
  const { secret } = stored.kept ?? openSecret(engine.ring, stored, stored.sealed);
  return { secret, lasts };
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

async function ownSecret(engine: SecretEngine, server: ServerCaller, id: CredentialId, person: Person) {
  const named = await engine.credentials.byId(id);
  if (named?.serverId !== server.id || named.provider === null || !isSecret(named)) throw new Problem('not-found');
  const stored = await storedFor(engine, server, person, [named.provider], openSecret);
  const call = callIn(named.provider);
  const hasEnded = call !== null && (await engine.toolCalls.find(call))?.state === 'settled';
  if (stored?.id !== id || hasEnded) throw new Problem('not-found');
  return stored;
}

/** Why a person should hesitate before they enter a secret of this label; the other servers are not named to them. */
export interface LabelWarning {
  /** The provider whose name it has; null if it has none. */
  provider: string | null;
  isAskedByOthers: boolean;
}

/** Any server may call a secret as it likes. */
export async function warningOf(
  { connect, outcomes, credentials }: Pick<Engine, 'connect' | 'outcomes' | 'credentials'>,
  { serverId }: Pick<ElicitationRow, 'serverId'>,
  { label }: Pick<ExpectedSecret, 'label'>,
): Promise<LabelWarning> {
  const described = [...presets].map(([key, preset]) => ({ key, label: preset.label }));
  const providers = [...connect.map(({ settings }) => settings), ...outcomes, ...described];
  const names = providers.flatMap((provider) => [provider.label, provider.key]);
  const isAskedByOthers = await credentials.isKeyOfOthers(serverId, secretKey(label, null));
  return { provider: imitatedIn(label, names), isAskedByOthers };
}

interface Entered {
  actor: Intent['actor'];
  expects: ExpectedSecret;
  secret: string;
  isReplacing: boolean;
  now: number;
}

/** Is there a secret that the one of this question replaces? */
export const isReplacing = async (
  engine: Pick<Engine, 'credentials' | 'ring'>,
  row: ElicitationRow,
  { label, keep }: ExpectedSecret,
): Promise<boolean> => keep !== 'call' && (await storedByRequester(engine, row, secretKey(label, null))) !== null;

/** Ends a question for a secret with what its person has entered: the accept and the sealed secret are one commit. */
export function enteredIntent(
  { ring }: Pick<Engine, 'ring'>,
  row: ElicitationRow,
  { expects: { label, keep, byAccessToken }, secret, ...entered }: Entered,
): Intent {
  const connection = storedWithAccept({ ring }, row, {
    ...entered,
    key: secretKey(label, keep === 'call' ? row.toolCallId : null),
    expiresAt: null,
    seal: (place) => sealSecret(ring, place, { label, secret, byAccessToken }),
  });
  return {
    actor: entered.actor,
    event: { type: 'callback', action: 'accept', at: entered.now },
    answer: sealDecision(ring, row, { content: { secret: connection.row.id }, comment: null }),
    says: (fields) => ({ type: 'elicitation.answered', channel: 'page', action: 'accept', ...fields }),
    connection,
  };
}

/** Milliseconds for which a secret of a call is kept at most, if no one ends the call. */
const longestCall = 7 * 86_400_000;

/** Removes the secrets of calls that have ended, each with its entry. Returns how many it has removed. */
export async function pruneSecrets({ credentials, now }: Pick<Engine, 'credentials' | 'now'>): Promise<number> {
  const before = now() - longestCall;
  let removed = 0;
  for (const secret of await credentials.endedSecrets(before)) {
    const entry = credentialEntry(secret, now(), { kind: 'timer' }, { type: 'credential.removed' });
    if (await credentials.removeEndedSecret(secret.id, before, entry)) removed += 1;
  }
  return removed;
}
