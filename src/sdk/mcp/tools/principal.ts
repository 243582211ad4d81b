import type { AssentryClient, MintedToken, MintToken, RequestOptions, ToolCallState } from '../../client/client.ts';
import { keepSecret } from '../question/callback-secrets.ts';
import { randomHex } from '../../client/digest.ts';
import { isId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { untilSettled } from '../run/settlements.ts';
import { codePoint } from '#platform/text/hidden-characters';
import { maxSubjectLength } from '#platform/model/identity';
import type { CallAuthorization } from '../question/call.ts';

export interface TokenOptions {
  /** Milliseconds until the question must be asked; 300 000 by default. The callback lives as long as the question. */
  ttl?: number;
  /** `callback`, the default, for an outside service; `page` for our hosted page. */
  purpose?: MintToken['purpose'];
}

/** Makes a token for the next question of this session. */
export async function makeToken(
  client: AssentryClient,
  session: string,
  { ttl, purpose }: TokenOptions = {},
): Promise<MintedToken> {
  const options = { ...(ttl !== undefined && { ttl }), ...(purpose !== undefined && { purpose }) };
  const minted = await client.mintToken({ session, ...options });
  keepSecret(client, minted.callbackUrl);
  return minted;
}

/** Trace of a call, from MCP's place for it; a text in no form of W3C is not sent on. */
export function traceIn(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const trace = meta?.['traceparent'];
  return typeof trace === 'string' ? trace : undefined;
}

/** The caller that continues a call. */
export interface Caller extends Principal {
  session: string;
}

interface OwnCall {
  call: ToolCallState;
  question: ToolCallState['elicitations'][number];
}

const lone = 'call:';

/** Replaces the session if there are none: each call has its own. */
export const singleCallSession = (): string => `${lone}${randomHex()}`;

/**
 * The stored call of a question to this caller. Problem `not-found`, without the reason, for every other id, whatever its
 * owner.
 */
export async function findOwnCall(
  client: AssentryClient,
  caller: Caller,
  elicitId: string,
  options: RequestOptions,
): Promise<OwnCall> {
  if (!isId('elicitation', elicitId)) throw new Problem('not-found');
  const { toolCall } = await client.get(elicitId, options);
  await untilSettled(toolCall);
  const call = await client.getToolCall(toolCall, options);
  const question = call.elicitations.find(({ id }) => id === elicitId);
  if (!question || !belongsToCaller(call, caller)) throw new Problem('not-found');
  return { call, question };
}

/**
 * Does the call belong to the caller? Calls are shared by name: for an unverified principal, those that begin with the
 * requester's answer belong to their session, or, without sessions, to anyone who was told the id.
 */
export function belongsToCaller({ requester, session, elicitations }: ToolCallState, caller: Caller): boolean {
  if (requester.subject !== caller.subject || requester.issuer !== caller.issuer) return false;
  if (requester.verified !== caller.verified) return false;
  if (caller.verified || elicitations[0]?.audience === 'approvers') return true;
  return session === caller.session || (session.startsWith(lone) && caller.session.startsWith(lone));
}

/** The common part of both SDKs' servers: the connected transport, and closing. */
interface ConnectedServer {
  server: { transport?: object | undefined };
  close(): Promise<void>;
}

interface StdioStreams {
  _stdin?: { once(event: 'end' | 'close', listener: () => void): unknown };
}

const watched = new WeakSet<object>();

/**
 * Closes the server when its client ends standard input. The SDKs' stdio transports ignore that end, so a server whose
 * client was killed would continue to hold its calls and run their tools.
 */
export function watchStdin(mcp: ConnectedServer): void {
  const { transport } = mcp.server;
  const { _stdin: stdin } = (transport ?? {}) as StdioStreams;
  if (!transport || !stdin || watched.has(transport)) return;
  watched.add(transport);
  const close = (): void => void mcp.close().catch(() => {});
  stdin.once('end', close);
  stdin.once('close', close);
}

/** The caller, as far as this server has established. */
export interface Principal {
  /** An identifier of printable ASCII, like a subject of OpenID Connect; an email address must be alone. */
  subject: string;
  /** The `iss` of the access token. */
  issuer?: string | undefined;
  /** True only if issuer and subject come from a validated access token. */
  verified: boolean;
}

/** The author's own statement about the caller; a bare subject is unverified. */
export type PrincipalOption<Context> = (context: Context) => string | Principal;

interface PrincipalFacts {
  authInfo?: { clientId: string; extra?: Record<string, unknown> } | undefined;
  clientName?: string | undefined;
}

/**
 * Issuer and subject of the access token, from the server's own check in `extra`. Without a subject only the client is
 * known, and a client is not a person: its name proves nothing, and all callers of one client count as one principal
 * and join each other's equal calls.
 */
export function identifyCaller({ authInfo, clientName }: PrincipalFacts): Principal {
  const { sub, iss } = authInfo?.extra ?? {};
  if (typeof sub !== 'string' || sub === '')
    return { subject: plainSubject('client', authInfo?.clientId ?? clientName ?? 'unknown'), verified: false };
  return { subject: sub, ...(typeof iss === 'string' && { issuer: iss }), verified: true };
}

/** The known fields of the author's result; others are dropped. */
export function readPrincipal(caller: string | Principal): Principal {
  if (typeof caller === 'string') return { subject: caller, verified: false };
  const { subject, issuer, verified } = caller;
  return { subject, ...(issuer !== undefined && { issuer }), verified };
}

/** A subject for any name: plain text of this kind, and no address. */
export const plainSubject = (kind: 'client' | 'local', name: string): string =>
  `${kind}:${name.trim().replaceAll(/[^!#-'*-;=?A-~ ]| (?= )/gu, (character) => `{${codePoint(character)}}`)}`
    .slice(0, maxSubjectLength)
    .trimEnd();

/** The token itself, for the orchestrator alone and only if the author lets it be sent. */
export const tokenToSend = (
  { sendAccessToken }: { sendAccessToken: boolean },
  authInfo: { token: string } | undefined,
): { accessToken?: string } => (sendAccessToken && authInfo ? { accessToken: authInfo.token } : {});

/** Facts from the caller's access token; never the token itself. */
export function authorizationOf(authInfo: CallAuthorization | undefined): CallAuthorization | undefined {
  if (!authInfo) return undefined;
  const { clientId, scopes, extra } = authInfo;
  return { clientId, scopes: [...scopes], extra };
}
