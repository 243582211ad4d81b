import type { Assurance } from '../../sign-in/contract/authentication.ts';
import type { BuiltInRole } from '#people/directory/contract/permission';

/** Random values that tie one sign-in to one browser. */
interface AttemptSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

interface AuthorizationRequest extends AttemptSecrets {
  redirectUri: string;
  /** Seconds since the person last proved who they are at the provider; 0 asks for a new proof. */
  maxAge: number;
  /** The authentication context class to ask for, instead of the one in the provider's settings. */
  acr?: string | undefined;
}

/** A person's identity as stated in the provider's signed ID token. */
export interface ProvenIdentity {
  issuer: string;
  subject: string;
  /** The provider's name of its own session with this browser; null if it names none. */
  sid: string | null;
  assurance: Assurance;
  /** The assurance that the provider vouches for; null if it does not say. */
  acr: string | null;
  /** When they last proved it there, in milliseconds since 1970; null if the provider does not say. */
  authenticatedAt: number | null;
  claims: Readonly<Record<string, unknown>>;
}

export interface IdentityProvider {
  settings: SignInProvider;
  /** Reads what the provider says of itself; problem `unavailable` if it does not answer. */
  discover(): Promise<void>;
  /** Address of the provider's sign-in. Problem `unavailable` if the provider does not answer. */
  authorizationUrl(request: AuthorizationRequest): Promise<string>;
  /**
   * The identity that came back with this address, checked by everything that was sent out; problem `token-invalid` if
   * it does not hold.
   */
  redeem(callback: URL, secrets: AttemptSecrets): Promise<ProvenIdentity>;
  /** Address to end the provider's session; null if there is none. */
  endSessionUrl(returnTo: string): Promise<string | null>;
  /** Reads a back-channel logout; problem `token-invalid` if it is not by this provider, for this client and new. */
  readLogoutToken(token: string): Promise<LogoutNotice>;
}

/** Sessions that the provider has ended: those of a person, or of one browser of theirs. */
export interface LogoutNotice {
  issuer: string;
  subject: string | null;
  sid: string | null;
  /**
   * Id by which it counts once, and the time until which it could be sent again, in milliseconds since 1970; null if it
   * has no id.
   */
  once: { id: string; until: number } | null;
}

/** A provider's key in addresses and settings. */
export const providerKeyPattern = /^[a-z\d][a-z\d-]{0,31}$/;

/** An identity provider of the company at which people of the console sign in, as the operator has set it up. */
export interface SignInProvider {
  /** Its key in addresses and settings. */
  key: string;
  /** Its name for people. */
  name: string;
  /** The `iss` of its tokens. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: readonly string[];
  /** Claims of a sign-in with more than one factor; `always` if it lets no one in with less. */
  multiFactor: { acr: readonly string[]; amr: readonly string[]; always?: boolean };
  /** The domains it may speak for, next to those of `newPeople`: an address of another one that it calls verified is a hint. */
  domains?: readonly string[] | undefined;
  /** Rule for people who are added at their first sign-in; null for no one. */
  newPeople: NewPeopleRule | null;
  /** Groups by value of a claim; null if groups are managed here alone. */
  groups: GroupClaim | null;
  /** Rule to find the people whom it provisions by SCIM; null if it may not. */
  scim: ScimRule | null;
}

export interface NewPeopleRule {
  role: Exclude<BuiltInRole, 'admin'>;
  /** The domains of their addresses. */
  domains: readonly string[];
  /** Required claims: for each name, the values of which one is there. */
  claims: Readonly<Record<string, readonly string[]>>;
  /** The claim by which the provider vouches for the address. */
  verifiedBy: string;
}

/** The claim by which a provider vouches for addresses, unless its rule for new people names another one. */
export const usualVerifiedBy = 'email_verified';

export const verifiedByOf = ({ newPeople }: Pick<SignInProvider, 'newPeople'>): string =>
  newPeople?.verifiedBy ?? usualVerifiedBy;

/** May this provider say whose mailbox it is? Anyone could have any address verified at a provider of their choice. */
export function mayVouchFor({ domains = [], newPeople }: SignInProvider, address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return [...domains, ...(newPeople?.domains ?? [])].includes(domain);
}

/** The attributes that may hold a claim of ID tokens. */
export const scimAttributes = ['externalId', 'userName'] as const;

/** Claims that may come to be someone else's: people or administrators of the provider change them. */
export const changeableClaims = [
  'email',
  'preferred_username',
  'upn',
  'unique_name',
  'name',
  'nickname',
  'phone_number',
];

export interface ScimRule {
  /** The attribute of a SCIM user that has the value of the claim. */
  attribute: (typeof scimAttributes)[number];
  /** The claim of ID tokens; `sub` connects people when they are added, another one at their first sign-in. */
  claim: string;
}

interface GroupClaim {
  claim: string;
  /** Group names by value of the claim. */
  map: Readonly<Record<string, string>>;
}

/** Use of passwords: by everyone who has one, or only by people without a provider. */
export const passwordRules = ['allowed', 'emergency-only'] as const;
export type PasswordRule = (typeof passwordRules)[number];
