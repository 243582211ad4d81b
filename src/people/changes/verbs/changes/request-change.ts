import type { ElicitationId } from '#platform/model/id';
import { ownServer } from '#platform/model/names';
import type { User } from '../../../directory/contract/user.ts';
import { openElicitation } from '#requests/asking/verbs/ask/open-elicitation';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { wholeServer } from '../../../directory/verbs/scope/key-scope.ts';
import { addBuiltInServer } from '../../../directory/verbs/directory/built-in-server.ts';
import { needsSecond, type TokenCaller } from '../../../directory/verbs/directory/change-directory.ts';
import { formatUser } from '../kinds/named.ts';
import { sessionOf } from './session-of.ts';
import { changeKinds, type ChangeName, type Done, type ChangeInput } from '../kinds/change-kinds.ts';
import type { ChangeKind } from '../kinds/change-kind.ts';

/** A change that was made, or the request that waits for a second administrator. */
export type Change<D> = { done: D; waits: null } | { done: null; waits: ElicitationId };

/**
 * Makes a change of who may decide if one administrator is enough for it. If not, asks a second one, and makes at once
 * what only takes power away, unless that is too much for one.
 */
export async function requestChange<N extends ChangeName>(
  engine: Engine,
  by: User | TokenCaller,
  name: N,
  change: ChangeInput<N>,
): Promise<Change<Done<N>>> {
  const kind = changeKinds[name] as unknown as ChangeKind<ChangeInput<N>, Done<N>>;
  try {
    return { done: await kind.act(engine, by, change), waits: null };
  } catch (error) {
    if (!needsSecond(error)) throw error;
  }
  const { taking, giving } = kind.split(await engine.directory.read(), change);
  const isTaken = taking !== null && (await isMade(() => kind.act(engine, by, taking)));
  const left = taking === null || isTaken ? giving : change;
  return { done: null, waits: await ask(engine, by, name, kind.describe(await engine.directory.read(), left)) };
}

/** False if it takes so much that a second administrator must accept that as well. */
async function isMade(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (needsSecond(error)) return false;
    throw error;
  }
}

/** The same request again joins the one that waits. */
async function ask(
  engine: Engine,
  by: User | TokenCaller,
  name: ChangeName,
  { title, message, facts }: ReturnType<ChangeKind<never, unknown>['describe']>,
): Promise<ElicitationId> {
  const person = by.kind === 'token' ? by.maker : by;
  await addBuiltInServer(engine, person, ownServer);
  // The person who issued their credential could be the requester.
  const server = {
    kind: 'server',
    ...wholeServer(ownServer.id),
    ...ownServer,
    maker: person.credentialIssuer ?? person.id,
  } as const;
  const { id } = await openElicitation(engine, server, {
    tool: { name, title, annotations: { destructiveHint: true } },
    arguments: facts as Record<string, unknown>,
    message: by.kind === 'token' ? `${message}\n\nA program asks for it with the ${formatToken(by)}.` : message,
    mode: 'form',
    audience: 'approvers',
    requester: {
      issuer: ownServer.name,
      subject: person.email,
      verified: true,
      verifiedBy: ownServer.name,
      ...(by.kind === 'token' && { client: { name: `token ${by.name} (${by.id})` } }),
    },
    session: sessionOf(by),
    step: '0',
  });
  return id;
}

const formatToken = ({ id, name, maker }: TokenCaller): string =>
  `token ${name} (${id}), which ${formatUser(maker)} made`;
