import { z } from 'zod';
import { Scope, Scopes } from './scopes.ts';
import { formatFault } from './fault.ts';
import { faultOfIssuer } from '#platform/model/identity';
import { Address, Host } from './address.ts';
import { Pointer } from './pointer.ts';
import { Events } from './signed-events.ts';

const separators = [' ', ','] as const;
/** What a refresh does to the refresh token: another one replaces it, it stays, or there is none. */
const refreshKinds = ['rotates', 'keeps', 'none'] as const;

/** Parameters that Assentry itself sets in the address. */
const ownParameters = [
  'client_id',
  'client_secret',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'redirect_uri',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
];
const Parameter = z
  .string()
  .regex(/^[\w.-]{1,64}$/, 'Name a parameter by letters, digits, dots, hyphens and underscores.')
  .refine(
    (name) => !ownParameters.includes(name),
    'Leave out what Assentry sets itself, such as redirect_uri or state.',
  );

const common = {
  /** Separates scopes in the address; a few providers use a comma. */
  separator: z.enum(separators).default(' '),
  refresh: z.enum(refreshKinds).default('rotates'),
  /** Scopes that Assentry adds to those that are asked for: to name the account and to renew the tokens. */
  ownScopes: Scopes.default([]),
  /** Scopes that a granted one stands for: a provider may shorten what was asked for, or write it in another way. */
  permits: z.record(Scope, Scopes).default({}),
  /** Parameters that the address of the provider needs, such as `access_type`. */
  parameters: z.record(Parameter, z.string().max(256)).default({}),
  /** Errors of the token endpoint, besides `invalid_grant`, by which it says that it no longer takes a refresh token. */
  withdrawn: z.array(z.string().min(1).max(64)).max(20).default([]),
  /** Errors of the token endpoint, besides `invalid_client`, by which it says that it does not know the client or its secret. */
  unknownClient: z.array(z.string().min(1).max(64)).max(20).default([]),
};

/** Place of the account's name and id in an answer of the provider. */
const Account = z.strictObject({ url: Address, id: Pointer, label: Pointer });

/** Revocation in another way than RFC 7009: one request for the access token. */
const OtherRevocation = z.strictObject({
  /** `{clientId}` stands for the client's id. */
  url: Address,
  method: z.enum(['POST', 'DELETE']),
  /** Proof of the request: client id and secret, or the token itself. */
  authentication: z.enum(['basic', 'bearer']),
  /** Member of the JSON body that holds the token; without it there is no body. */
  member: z.string().min(1).max(64).optional(),
});

/** An issuer that describes itself, by OpenID Connect or RFC 8414. */
const Discovered = z.strictObject({
  ...common,
  issuer: z.string().superRefine((text, { addIssue }) => {
    const fault = faultOfIssuer(text);
    if (fault !== null) addIssue({ code: 'custom', message: fault });
  }),
  /** Absent: the account is the `sub` of the ID token, and the scope `openid` is added. */
  account: Account.optional(),
});

/** A provider of plain OAuth, whose addresses are written down. */
const Described = z.strictObject({
  ...common,
  authorize: Address,
  token: Address,
  /** An address by RFC 7009, or another way; absent if tokens cannot be revoked. */
  revoke: z.union([Address, OtherRevocation], 'Give an address, or url, method and authentication.').optional(),
  /** Way of the client to prove itself when it redeems, refreshes and revokes. */
  authentication: z.enum(['post', 'basic']).default('post'),
  /**
   * The `iss` that comes back with the code (RFC 9207). Null for a provider that sends none; one that arrives all the same must
   * be of the origin of `authorize`.
   */
  iss: z.string().max(512).nullable().default(null),
  /** Place of the object that holds the tokens, if the token endpoint nests it; whatever their type, they are bearer tokens. */
  tokens: Pointer.optional(),
  account: Account,
});

type OAuthInput = z.input<typeof Discovered> | z.input<typeof Described>;
export type OAuth = z.output<typeof Discovered> | z.output<typeof Described>;

/** Either form. Each is judged alone, so that a fault is named at its place. */
export const OAuth = z
  .custom<OAuthInput>((value) => typeof value === 'object' && value !== null, 'Give an object.')
  .transform((value, context): OAuth => {
    const form = 'issuer' in value ? Discovered : Described;
    const { data, error } = form.safeParse(value, { error: formatFault });
    if (data) return data;
    for (const issue of error.issues) context.addIssue({ ...issue });
    return z.NEVER;
  });

/** A description of a provider: all that Assentry knows about it. No other file names one. */
export const Provider = z
  .strictObject({
    /** Name for people. */
    label: z.string().min(1).max(64),
    /** Hosts of the pages to which people are sent; the settings may add others where an operator has their own. */
    pageHosts: z.array(Host).max(40),
    /** Hosts to which a token may be sent. */
    apiHosts: z.array(Host).max(50).default([]),
    /** How people connect accounts to it. */
    oauth: OAuth.optional(),
    /** How it reports payments and signatures. */
    events: Events.optional(),
  })
  .superRefine(({ pageHosts, oauth }, { addIssue }) => {
    if (oauth === undefined) return;
    const isNamed = 'issuer' in oauth ? pageHosts.length > 0 : pageHosts.includes(new URL(oauth.authorize).host);
    if (isNamed) return;
    addIssue({
      code: 'custom',
      path: ['pageHosts'],
      message: 'Name the host of "authorize", to which people are sent.',
    });
  });
export type Provider = z.output<typeof Provider>;
export type ProviderInput = z.input<typeof Provider>;

/** Do the granted scopes permit all that is needed, as this provider writes them? What a server merely offers is no need. */
export function covers(
  {
    oauth,
    isAuto,
    scopes: allowed = [],
  }: Pick<Provider, 'oauth'> & Partial<Pick<ConnectProvider, 'isAuto' | 'scopes'>>,
  granted: readonly string[],
  scopes: readonly string[],
): boolean {
  const permitted = new Set(granted.flatMap((scope) => [scope, ...(oauth?.permits[scope] ?? [])]));
  return scopes.every((scope) => permitted.has(scope) || (isAuto === true && !allowed.includes(scope)));
}

/** A provider of connections as an operator has set it up. */
export interface ConnectProvider extends Provider {
  key: string;
  /** Null: Assentry makes itself known to the issuer. */
  clientId: string | null;
  /** Null: the client is public. */
  clientSecret: string | null;
  /** The most that servers may ask for. */
  scopes: readonly string[];
  /** Names of the servers that may use it. */
  servers: readonly string[];
  /** Servers name it themselves: a token is for one of them alone, and may want what that one offers. */
  isAuto?: true;
}

/** A provider of payments or signatures as an operator has set it up. */
export interface OutcomeProvider extends Provider {
  events: Events;
  key: string;
  /** Names of the servers that may use it. */
  servers: readonly string[];
  /** Secrets by one of which its events are signed: a new and an old one while they change. */
  signingSecrets: readonly string[];
  /** The operator's own at the provider, the usual one first: who may get money, or whose envelopes they are. */
  accounts: readonly string[];
  /** Null where its reports do not say whether they are live. */
  live: boolean | null;
  /** Access to its API; null without: then Assentry hears what happens, and can neither make nor look up anything. */
  api: ApiAccess | null;
}

export interface ApiAccess {
  url: string;
  /** The secret key: for Stripe the API key, for DocuSign the private key of the app in PEM. */
  key: string;
  /** The app, and the person in whose name it acts, where the API wants them. */
  clientId?: string | undefined;
  actsAs?: string | undefined;
}

/** Tokens of an account, as a provider has given them. */
export interface TokenSet {
  accessToken: string;
  /** Null: nothing renews it. */
  refreshToken: string | null;
  /** Milliseconds since 1970; null if the provider has not said. */
  expiresAt: number | null;
  /** The scopes that were granted. */
  scopes: string[];
  /** The one server that they are for (RFC 8707), where they are for one. */
  resource?: string | undefined;
}

/** The account that a person has connected, as its provider names it. */
export interface Account {
  id: string;
  /** Name for people. */
  label: string;
}

/** A person's way to a provider and back. */
export interface Journey {
  redirectUri: string;
  state: string;
  /** Sealed between the way there and back; never in an address. */
  codeVerifier: string;
  nonce: string;
  /** The one server that the tokens are to be for. */
  resource?: string | undefined;
}

/** The tokens that a code was worth; the account is null where the provider does not name it. */
export interface Redeemed {
  tokens: TokenSet;
  account: Account | null;
}

/**
 * The provider's side of connections. Each call is bounded in time and size, follows no redirect and reaches no private
 * address, but this machine if the description names it. Problem `provider-unavailable` if the provider does not answer;
 * `connection-declined` if the person or the provider refused; `token-invalid` if an answer does not hold. No problem holds a code,
 * a token or a secret, not even for the log.
 */
export interface ConnectClient {
  settings: ConnectProvider;
  /** Rejects if no one could be sent there now. */
  ready(): Promise<void>;
  /** The address to which the person goes. */
  authorizationUrl(journey: Journey, scopes: readonly string[]): Promise<string>;
  /** Redeems the code in the address with which the person came back; checks `state`, `iss` and `nonce` first. */
  redeem(returned: URL, journey: Journey, scopes: readonly string[]): Promise<Redeemed>;
  /** Renews the tokens; `connection-declined` if the provider has withdrawn them. */
  refresh(tokens: TokenSet): Promise<TokenSet>;
  /** Has the provider refuse a code that no one has, so that it is seen whether it answers and knows the client. */
  check(redirectUri: string): Promise<void>;
  /** Withdraws the tokens at the provider; false if it knows no way to. */
  revoke(tokens: TokenSet): Promise<boolean>;
}
