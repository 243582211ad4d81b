import type { UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { User } from '../../../directory/contract/user.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import type { TokenCaller } from '../../../directory/verbs/directory/change-directory.ts';

const prefix = 'admin-token ';

/** By what a request for a change names who asked: a person's id, or the id of a program's token. */
export const sessionOf = ({ kind, id }: User | TokenCaller): string => (kind === 'token' ? `${prefix}${id}` : id);

/** The token with which a program asked; null if a person did. Problem `forbidden` if it was revoked since. */
export async function tokenOfSession(
  { adminTokens }: Pick<Engine, 'adminTokens'>,
  session: string,
): Promise<{ id: string; name: string; makerId: UserId } | null> {
  if (!session.startsWith(prefix)) return null;
  const token = await adminTokens.byKid(session.slice(prefix.length));
  if (!token) throw new Problem('forbidden', { refusal: { code: 'change-outdated' } });
  return { id: token.kid, name: token.name, makerId: token.makerId };
}
