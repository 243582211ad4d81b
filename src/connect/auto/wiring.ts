import * as oidc from 'openid-client';
import { sendGuarded } from '#platform/http/client/guarded-request';
import { traceHeaders } from '#platform/http/client/current-request';
import { timeoutSeconds, type OAuthClient } from '#platform/http/client/oauth-client';
import { createReach, loopbackNetworks } from '#platform/http/client/reachable-addresses';
import { isLoopback } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { ConnectProvider } from '../providers/provider.ts';
import { returnAddress } from '../connections/verbs/leave.ts';
import {
  describeClient,
  issuerOf,
  metadataAddresses,
  readChallenge,
  readResourceMetadata,
  refused,
  unregistered,
  type RegisteredClient,
  type ResourceMetadata,
} from './rules.ts';
import { documentAddress, forgetClient, registeredClient, type Registered } from './verbs/registration.ts';

/** Milliseconds for which what a server says of itself is kept, and of how many servers. */
const kept = 300_000;
const mostKept = 1_000;

/** Reads what servers say of themselves: each is asked once for all that wait, and at most every five minutes. */
export function openResources(
  providers: readonly ConnectProvider[],
  now: () => number,
  timeoutMs = timeoutSeconds * 1000,
): Engine['readResource'] {
  const hasLocalIssuer = providers.some((provider) => provider.isAuto && isLoopback(issuerOf(provider)));
  const readings = new Map<string, { reading: Promise<ResourceMetadata>; until: number }>();
  return (resource, isChoosing = false) => {
    const current = readings.get(resource);
    if (current && now() < current.until) return current.reading;
    // A server on this machine is for a trial, as is its issuer.
    const mayReach = createReach((hasLocalIssuer || isChoosing) && isLoopback(resource) ? loopbackNetworks : []);
    const send: Send = (url, request) =>
      sendGuarded(
        new URL(url),
        { ...request, headers: { ...request.headers, ...traceHeaders() } },
        { mayReach, timeoutMs },
      );
    const reading = readResource(resource, send);
    readings.delete(resource);
    readings.set(resource, { reading, until: now() + kept });
    reading.catch(() => readings.get(resource)?.reading === reading && readings.delete(resource));
    const [oldest = ''] = readings.keys();
    if (readings.size > mostKept) readings.delete(oldest);
    return reading;
  };
}

interface Sent {
  method?: string;
  headers: Record<string, string>;
  body?: string;
}
type Send = (url: string, request: Sent) => Promise<Response>;

/** A request that means nothing to the server, and needs a token as all others do. */
const knock: Sent = {
  method: 'POST',
  headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
};

async function readResource(resource: string, send: Send): Promise<ResourceMetadata> {
  const answer = await send(resource, knock).catch(() => null); // whether it is there shows in the next request
  const challenge = readChallenge(answer?.status === 401 ? answer.headers.get('www-authenticate') : null);
  for (const address of metadataAddresses(resource, challenge)) {
    const { status, ...metadata } = await readJson(address, send);
    if (status === 429 || status >= 500) throw new Problem('provider-unavailable');
    if (status === 200) return readResourceMetadata(metadata.body, resource, challenge);
  }
  throw refused(resource, 'it publishes no metadata by RFC 9728');
}

async function readJson(address: string, send: Send): Promise<{ status: number; body: unknown }> {
  try {
    const answer = await send(address, { headers: { accept: 'application/json' } });
    return { status: answer.status, body: await answer.json().catch(() => null) };
  } catch (cause) {
    throw new Problem('provider-unavailable', { cause });
  }
}

type RegistrarEngine = Pick<Engine, 'registeredClients' | 'ring' | 'now' | 'publicUrl'>;

/** How this installation is known at one issuer. */
export interface Registrar {
  /** Its client there, made known if it is not yet. */
  identify(metadata: oidc.ServerMetadata, client: Pick<OAuthClient, 'fetch' | 'isLocal'>): Promise<RegisteredClient>;
  /** The issuer does not know this client. True if it was registered, and is no more: its tokens have ended with it. */
  forget(client: RegisteredClient): Promise<boolean>;
}

/**
 * The client that the operator has registered; or an address at which the issuer reads of this installation, if issuers can reach
 * it; or a client that one node registers for all.
 */
export function createRegistrar(engine: RegistrarEngine, settings: ConnectProvider): Registrar {
  const { key, clientId, clientSecret } = settings;
  const place = () => ({ issuer: issuerOf(settings), redirectUri: returnAddress(engine, key) });
  return {
    async identify(metadata, client) {
      if (clientId !== null) return { clientId, clientSecret };
      if (metadata['client_id_metadata_document_supported'] === true && isPublic(engine.publicUrl()))
        return { clientId: documentAddress(engine, key), clientSecret: null };
      if (metadata.registration_endpoint === undefined) throw unregistered(issuerOf(settings));
      return registeredClient(engine, place(), () => register(metadata, place().redirectUri, client));
    },
    async forget(client) {
      if ([clientId, documentAddress(engine, key)].includes(client.clientId)) return false;
      await forgetClient(engine, place(), client);
      return true;
    },
  };
}

const isPublic = (publicUrl: string): boolean => publicUrl.startsWith('https:') && !isLoopback(publicUrl);

const methods = ['client_secret_post', 'client_secret_basic', 'none'];

/** Registers by RFC 7591; without a secret if the issuer takes none. */
async function register(
  metadata: oidc.ServerMetadata,
  redirectUri: string,
  { isLocal, ...client }: Pick<OAuthClient, 'fetch' | 'isLocal'>,
): Promise<Registered> {
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const method = methods.find((name) => supported.includes(name));
  if (method === undefined) throw unregistered(metadata.issuer);
  const configuration = await oidc.dynamicClientRegistration(
    new URL(metadata.issuer),
    describeClient(redirectUri, method),
    undefined,
    {
      timeout: timeoutSeconds,
      execute: isLocal ? [oidc.allowInsecureRequests] : [],
      // The library reads the metadata once more: it gets what was checked.
      [oidc.customFetch]: (url, options) =>
        options.method === 'GET' ? Promise.resolve(Response.json(metadata)) : client.fetch(url, options),
    },
  );
  return readRegistered(configuration.clientMetadata(), method);
}

/** The issuer may have chosen another way than was asked for. */
function readRegistered(client: oidc.ClientMetadata, wish: string): Registered {
  const { client_id: clientId, client_secret: secret, token_endpoint_auth_method: method = wish } = client;
  if (secret === undefined || method === 'none') return { clientId, clientSecret: null, expiresAt: null };
  const end = Number(client['client_secret_expires_at'] ?? 0);
  return { clientId, clientSecret: secret, method: String(method), expiresAt: end > 0 ? end * 1000 : null };
}
