import { sha256Hex } from '#platform/crypto/digest';
import { closeAgain, closeBox, openBox, type KeyRing } from '#platform/crypto/key-ring';
import { faultOfIssuer } from '#platform/model/identity';
import { isLoopback, isPrivateAddress } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import { autoKey } from '../providers/auto.ts';
import { Provider, type ConnectProvider } from '../providers/provider.ts';
import { Scope } from '../providers/scopes.ts';

/** Servers that name their provider themselves, and the issuers to which people may be sent for them. */
export interface AutoSettings {
  servers: readonly string[];
  issuers: readonly string[];
  /** Scopes that servers may ask for themselves; those that they offer need no leave. */
  scopes?: readonly string[];
  /** Clients that the operator has registered, by issuer. */
  clients?: Readonly<Record<string, Pick<ConnectProvider, 'clientId' | 'clientSecret'>>>;
}

/** The providers of these settings, one for each issuer. */
export const autoProviders = ({ issuers, ...settings }: AutoSettings): ConnectProvider[] =>
  issuers.map((issuer) => autoProvider(issuer, settings));

function autoProvider(
  issuer: string,
  { servers, scopes = [], clients = {} }: Omit<AutoSettings, 'issuers'>,
): ConnectProvider {
  const { host } = new URL(issuer);
  const { clientId = null, clientSecret = null } = clients[issuer] ?? {};
  const description = Provider.parse({ label: host.slice(0, 64), pageHosts: [host], oauth: { issuer } });
  return { ...description, key: autoKeyOf(issuer), clientId, clientSecret, scopes, servers, isAuto: true };
}

/** The return address has it, so that what comes back from one issuer is never taken for the answer of another. */
export const autoKeyOf = (issuer: string): string => `${autoKey}-${sha256Hex(issuer).slice(0, 26)}`;

/** The provider that one issuer is for the one person of a trial, who allows it on the page that names it. */
export const chosenProvider = (issuer: string): ConnectProvider => autoProvider(issuer, { servers: [] });

/** May a server send the one person of a trial to this issuer? To one on this machine only if the server is here as well. */
export const mayChoose = (issuer: string, resource: string): boolean => !isLoopback(issuer) || isLoopback(resource);

/** The issuer of a provider that describes itself. */
export const issuerOf = ({ oauth }: Pick<ConnectProvider, 'oauth'>): string =>
  oauth && 'issuer' in oauth ? oauth.issuer : '';

/** The one spelling of a server's address, without the slash that stands for no path. */
export function resourceOf(address: string): string {
  const { href, pathname, search } = new URL(address);
  return pathname === '/' && search === '' ? href.slice(0, -1) : href;
}

/** Challenge of a server that refuses a request without a token (RFC 6750, RFC 9728). */
interface Challenge {
  /** Address of its metadata; null if it does not say. */
  metadata: string | null;
  scopes: string[] | null;
}

export function readChallenge(header: string | null): Challenge {
  const parameter = (name: string): string | null => {
    const [, quoted, plain] = new RegExp(`(?:^|[\\s,])${name}=(?:"([^"]*)"|([^\\s,"]+))`, 'i').exec(header ?? '') ?? [];
    return quoted ?? plain ?? null;
  };
  const scope = parameter('scope');
  return { metadata: parameter('resource_metadata'), scopes: scope === null ? null : scopesIn(scope.split(' ')) };
}

/** Addresses at which a server describes itself: at its own origin, as it says or by RFC 9728, section 3.1, and then for the whole origin. */
export function metadataAddresses(resource: string, { metadata }: Challenge): string[] {
  const { origin, pathname, search } = new URL(resource);
  const named = metadata !== null && URL.canParse(metadata, resource) ? new URL(metadata, resource) : null;
  if (named) {
    if (named.origin === origin) return [named.href];
    throw refused(resource, 'its metadata is said to be elsewhere');
  }
  const root = `${origin}/.well-known/oauth-protected-resource`;
  return [...new Set([`${root}${pathname === '/' ? '' : pathname}${search}`, root])];
}

/** The issuers that a server trusts, and what it offers. */
export interface ResourceMetadata {
  issuers: string[];
  scopes: string[];
}

/** Metadata of this server and no other one (RFC 9728, section 3.3). */
export function readResourceMetadata(body: unknown, resource: string, { scopes }: Challenge): ResourceMetadata {
  const metadata = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const { resource: of, authorization_servers: servers, scopes_supported: offered } = metadata;
  if (typeof of !== 'string' || !URL.canParse(of)) throw refused(resource, 'its metadata is not that of a server');
  if (resourceOf(of) !== resource) throw refused(resource, 'its metadata is that of another server');
  const issuers = textsIn(servers).filter((issuer) => faultOfIssuer(issuer) === null);
  if (issuers.length === 0) throw refused(resource, 'its metadata names no issuer');
  return { issuers: issuers.slice(0, 20), scopes: scopes ?? scopesIn(textsIn(offered)) };
}

export const refused = (resource: string, finding: string): Problem =>
  new Problem('provider-not-configured', {
    detail: `Ask an operator to give ${new URL(resource).host} its credentials in another way: ${finding}.`,
  });

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];

const scopesIn = (texts: string[]): string[] =>
  [...new Set(texts)].filter((scope) => Scope.safeParse(scope).success).slice(0, 50);

/** Do both name one issuer? Only the slash that stands for no path may differ: the issuer's own metadata decides. */
export const isSameIssuer = (first: string, other: string): boolean => new URL(first).href === new URL(other).href;

/** The parts of an issuer's metadata on which the safety of a connection rests. */
interface IssuerMetadata {
  issuer: string;
  authorization_endpoint?: string | undefined;
  token_endpoint?: string | undefined;
  code_challenge_methods_supported?: string[] | undefined;
}

/** Why no one may be sent to an issuer with this metadata; null if people may be. */
export function faultOfMetadata(metadata: IssuerMetadata | null, issuer: string): string | null {
  if (metadata === null) return 'its metadata is missing, or that of another issuer';
  if (metadata.issuer !== issuer) return `write it as it calls itself, ${shownIssuer(metadata.issuer)}`;
  if (!metadata.code_challenge_methods_supported?.includes('S256'))
    return 'remove it, for it does not know PKCE with S256';
  const addresses = [metadata.authorization_endpoint, metadata.token_endpoint];
  const isSafe = (address = ''): boolean =>
    isPrivateAddress(address) && (isLoopback(issuer) || !isLoopback(address)) && !new URL(address).username;
  return addresses.every(isSafe) ? null : 'remove it, for its addresses are not those of a public issuer';
}

const shownIssuer = (issuer: string): string => (faultOfIssuer(issuer) === null ? issuer : 'which is no issuer');

/** A client as an issuer has registered it. */
export interface RegisteredClient {
  clientId: string;
  /** Null: the client is public. */
  clientSecret: string | null;
  /** The way in which it proves itself; absent if it may choose. */
  method?: string | undefined;
}

/** The one client of this installation at an issuer. */
export interface ClientPlace {
  issuer: string;
  redirectUri: string;
}

/** An issuer registers no client, or not this one. */
export const unregistered = (issuer: string, cause?: unknown): Problem =>
  new Problem('provider-not-configured', {
    detail: `Ask an operator to register a client at ${issuer}, and to add it to the "clients" of "${autoKey}" in ASSENTRY_PROVIDERS.`,
    cause,
  });

/** Description of Assentry for an issuer (RFC 7591). */
export const describeClient = (redirectUri: string, method: string) => ({
  client_name: 'Assentry',
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: method,
});

export const sealClient = (ring: KeyRing, place: ClientPlace, client: RegisteredClient): Buffer =>
  closeBox(ring, 'registeredClient', partsOf(place), JSON.stringify(client));

/** Anything but the result of `sealClient` for this place is `sealed-unreadable`. */
export const openClient = (ring: KeyRing, place: ClientPlace, box: Uint8Array): RegisteredClient =>
  JSON.parse(openBox(ring, 'registeredClient', partsOf(place), box).toString('utf8')) as RegisteredClient;

/** The client sealed again under the active secret; null if that one already seals it. */
export const sealClientAgain = (ring: KeyRing, place: ClientPlace, box: Uint8Array): Buffer | null =>
  closeAgain(ring, 'registeredClient', partsOf(place), box);

const partsOf = ({ issuer, redirectUri }: ClientPlace): string[] => [issuer, redirectUri];
