import type { UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

/** Whether people may use a password, and who has a provider. */
export type PasswordRule = Pick<Engine, 'passwords' | 'providers' | 'federation'>;

/** Problem `forbidden` for people who have an identity provider, where passwords are for emergency accounts. */
export async function assertPasswordAllowed(
  { passwords, providers, federation }: PasswordRule,
  user: UserId,
): Promise<void> {
  if (passwords === 'allowed') return;
  const issuers = new Set((await federation.identitiesOf(user)).map(({ issuer }) => issuer));
  const provider = providers.find(({ settings }) => issuers.has(settings.issuer))?.settings.name;
  if (provider !== undefined)
    throw new Problem('forbidden', {
      detail: `Sign in with ${provider}: passwords are for people without a provider.`,
    });
}
