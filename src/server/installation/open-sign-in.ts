import type { Engine } from '../engine/engine.ts';
import { createIdentityProvider } from '../oidc/identity-provider.ts';
import type { ServerOptions } from './server-options.ts';

/** Where people sign in; no provider is called before someone does. */
export const openSignIn = (
  { signInProviders = [], passwords = 'allowed' }: Pick<ServerOptions, 'signInProviders' | 'passwords'>,
  now: () => number,
): Pick<Engine, 'providers' | 'passwords'> => ({
  providers: signInProviders.map((settings) => createIdentityProvider(settings, now)),
  passwords,
});
