import { openLink, sealLink } from '../../passwords/rules/recovery.ts';
import { assertMay } from '#people/directory/verbs/may';
import { newId } from '#platform/crypto/random';
import type { UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { LinkWay } from '#people/directory/contract/user';
import type { StoredLink } from '#people/users/store/access';
import { readable } from '#requests/state/verbs/change';
import type { Engine } from '#platform/nodes/verbs/engine';
import { type Administrator, type DirectoryEngine, userIn } from '#people/directory/verbs/directory';
import {
  assertPasswordAllowed,
  type PasswordRule,
  addressOf,
  newStoredLink,
  replaceLinks,
  type PasswordLink,
} from '../../passwords/verbs.ts';

export type MailingEngine = DirectoryEngine & Pick<Engine, 'ring' | 'sendsMails'>;

/**
 * Way of a link from an administrator to its person. The console shows it to no one: an administrator who read it could
 * be that person.
 */
export const linkWay = ({ sendsMails }: Pick<Engine, 'sendsMails'>): LinkWay => (sendsMails ? 'mail' : 'terminal');

/**
 * Mails someone a link that sets their password, and says until when it can be used. Earlier links become invalid, and
 * the person is signed out. One that resets the second factors removes them when it is used. Problem `forbidden` names the operator's command if this installation sends no mails.
 */
export async function mailPasswordLink(
  engine: MailingEngine & PasswordRule,
  by: Administrator,
  id: UserId,
  { resetsFactors = false } = {},
): Promise<number> {
  assertMay(by, 'change-directory');
  await assertPasswordAllowed(engine, id);
  const link = newMailedLink(engine, by);
  if (!link) throw await fromOperator(engine, id, resetsFactors);
  await replaceLinks(engine, by, id, { ...link, resetsFactors });
  return link.expiresAt;
}

/** A link whose secret is sealed until it is mailed; null if this installation sends no mails. */
export function newMailedLink(engine: MailingEngine, by: Administrator): StoredLink | null {
  if (!engine.sendsMails) return null;
  const { secret, stored } = newStoredLink(engine, by);
  const sealed = sealLink(engine.ring, stored.hash, secret);
  return { ...stored, mail: { id: newId('notification'), sealed, at: engine.now() } };
}

/** The link to mail to this person now; null if it was used or replaced, or has expired. */
export async function mailedPasswordLink(
  engine: Pick<Engine, 'users' | 'ring' | 'now' | 'publicUrl'>,
  user: UserId,
): Promise<PasswordLink | null> {
  const link = await engine.users.mailedLink(user, engine.now());
  const secret = link && readable(() => openLink(engine.ring, link.hash, link.sealed));
  if (!secret) return null;
  const { expiresAt, resetsFactors } = link;
  return { address: addressOf(engine, secret), expiresAt, resetsFactors };
}

async function fromOperator({ directory }: DirectoryEngine, id: UserId, resetsFactors: boolean): Promise<Problem> {
  const { email } = userIn(await directory.read(), id);
  const command = `user link ${email}${resetsFactors ? ' --reset-factors' : ''}`;
  return new Problem('forbidden', {
    refusal: { code: 'link-from-operator', values: { command } },
  });
}
