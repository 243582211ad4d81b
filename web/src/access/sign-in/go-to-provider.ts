import { providerRoutes } from '#access/oidc/contract/sign-in-provider';
import { call } from '../../client/call.ts';

const routes = {
  'sign-in': providerRoutes.beginSignIn,
  confirm: providerRoutes.beginConfirmation,
  connect: providerRoutes.connectProvider,
};

interface ProviderVisit {
  key: string;
  way: keyof typeof routes;
  returnTo: string;
  /** Assurance requested from the provider. */
  acr?: string | undefined;
}

/** Sends this browser to the provider, and back to this path of the console. */
export async function goToProvider({ key, way, ...body }: ProviderVisit, onLeave = () => {}): Promise<void> {
  const { location: next } = await call(routes[way], { params: { provider: key }, body });
  onLeave();
  location.assign(next);
}
