import type { Assurance } from '../../../sign-in/contract/authentication/authentication.ts';
import type { SignInProvider } from './sign-in-provider.ts';

/** What ties a sign-in to one browser, once. */
interface AttemptSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

interface AuthorizationRequest extends AttemptSecrets {
  redirectUri: string;
  /** Seconds since the person last proved who they are at the provider; 0 asks for a new proof. */
  maxAge: number;
  /** What it is asked to vouch for, instead of what its settings name. */
  acr?: string | undefined;
}

/** Who someone is at the provider, as its signed answer says. */
export interface ProvenIdentity {
  issuer: string;
  subject: string;
  /** The provider's name of its own session with this browser; null if it names none. */
  sid: string | null;
  assurance: Assurance;
  /** What the provider vouches for; null if it does not say. */
  acr: string | null;
  /** When they last proved it there, in milliseconds since 1970; null if the provider does not say. */
  authenticatedAt: number | null;
  claims: Readonly<Record<string, unknown>>;
}

export interface IdentityProvider {
  settings: SignInProvider;
  /** Reads what the provider says of itself; problem `unavailable` if it does not answer. */
  discover(): Promise<void>;
  /** Where the browser goes. Problem `unavailable` if the provider does not answer. */
  authorizationUrl(request: AuthorizationRequest): Promise<string>;
  /** Who came back with this address, checked by everything that was sent out; problem `token-invalid` if it does not hold. */
  redeem(callback: URL, secrets: AttemptSecrets): Promise<ProvenIdentity>;
  /** Where the browser goes to end the provider's session; null if there is no such place. */
  endSessionUrl(returnTo: string): Promise<string | null>;
  /** What a back-channel logout says; problem `token-invalid` if it is not by this provider, for this client and new. */
  readLogoutToken(token: string): Promise<LogoutNotice>;
}

/** Whose sessions the provider has ended: those of a person, or of one browser of theirs. */
export interface LogoutNotice {
  issuer: string;
  subject: string | null;
  sid: string | null;
  /** By what it counts once, and until when it could be sent again, in milliseconds since 1970; null if it has no name. */
  once: { id: string; until: number } | null;
}
