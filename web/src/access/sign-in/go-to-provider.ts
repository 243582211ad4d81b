import { SignInLocation } from '#access/oidc/contract/sign-in-provider';
import { callApi } from '../../client/call-api.ts';

interface ProviderVisit {
  key: string;
  way: 'sign-in' | 'confirm' | 'connect';
  returnTo: string;
  /** What the provider is asked to vouch for. */
  acr?: string | undefined;
}

/** Sends this browser to the provider, and back to this path of the console. */
export async function goToProvider({ key, way, ...body }: ProviderVisit, onLeave = () => {}): Promise<void> {
  const path = `/api/sign-in/${encodeURIComponent(key)}${way === 'sign-in' ? '' : `/${way}`}`;
  const { location: next } = await callApi(path, { method: 'POST', body, answer: SignInLocation });
  onLeave();
  location.assign(next);
}
