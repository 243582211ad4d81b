import { mayNeedPasskey, presenceFor, type Presence, type PresenceTerm } from '#people/directory/contract/presence';
import type { User } from '#people/directory/contract/user';
import type { ElicitationRow } from '#requests/state/store/row/row';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { signingPasskeys } from './signing-passkeys.ts';

/** What an approval of this request needs of this person. */
export async function neededPresence(
  engine: Pick<Engine, 'passkeys' | 'environment'>,
  user: Pick<User, 'id' | 'credentialIssuer'>,
  { risk }: Pick<ElicitationRow, 'risk'>,
  term: PresenceTerm,
): Promise<Presence> {
  const approval = { risk, environment: engine.environment };
  const hasPasskey = mayNeedPasskey(term, approval) && (await signingPasskeys(engine, user)).length > 0;
  return presenceFor(term, { ...approval, hasPasskey });
}
