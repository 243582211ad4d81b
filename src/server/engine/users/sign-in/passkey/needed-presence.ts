import { mayNeedPasskey, presenceFor, type Presence, type PresenceTerm } from '#protocol/model/presence';
import type { User } from '#protocol/model/user';
import type { ElicitationRow } from '../../../../store/elicitation/row.ts';
import type { Engine } from '../../../engine.ts';
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
