import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { createIdentityProvider } from './identity-provider.ts';
import type { ServerOptions } from '#server/options';

/** Where people sign in; no provider is called before someone does. */
export const openSignIn = (
  { signInProviders = [], passwords = 'allowed' }: Pick<ServerOptions, 'signInProviders' | 'passwords'>,
  now: () => number,
): Pick<Engine, 'providers' | 'passwords'> => ({
  providers: signInProviders.map((settings) => createIdentityProvider(settings, now)),
  passwords,
});
