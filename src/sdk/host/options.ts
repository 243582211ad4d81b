import { type AssentryClient, createClient } from '../client/client.ts';
import { defaultRequesterTtl, maxTtlMs, minTtlMs, type Action } from '#requests/asking/contract/elicitation';
import { faultOfName, faultOfSubject, type Identity } from '#platform/model/identity';
import { namePattern, nameRule } from '#platform/model/names';
import { Problem, type FieldError } from '#platform/model/problem';
import { z } from 'zod';

/** The person this host works for. `verified` if it comes from a sign-in that the host has checked itself. */
export interface HostPrincipal {
  subject: string;
  issuer?: string | undefined;
  verified: boolean;
}

/** The recorded decision that allows an address to be opened. */
export interface UrlConsent {
  server: string;
  elicitation: string;
  /** Digest of the content that the approver saw and agreed to. */
  digest: string;
  statusUrl: string;
  /** Milliseconds since 1970. */
  decidedAt: number;
}

export interface HostOptions {
  /** What this host calls the server, from its own configuration: never a name the server gave itself. */
  serverName: string;
  principal: string | HostPrincipal;
  /** The server's own name, shown to the approver as self-reported. */
  serverInfo?: (() => { name: string; version: string } | undefined) | undefined;
  /** ASSENTRY_URL by default. */
  url?: string | undefined;
  /** ASSENTRY_API_KEY by default. */
  apiKey?: string | undefined;
  /** Instead of address and key. Several servers with the same client share one connection. */
  client?: AssentryClient | undefined;
  /** Hosts that people may be sent to. Without any, URL mode is not declared. */
  allowedDomains?: readonly AllowedDomain[] | undefined;
  /** Called once an approver has agreed that this very address be opened; the server gets the accept afterwards. */
  onOpenUrl?: ((url: string, consent: UrlConsent) => void | Promise<void>) | undefined;
  /** Called for every request that ended without an approver's answer. */
  onRefused?: ((refusal: Refusal) => void | Promise<void>) | undefined;
  /** Questions this server may ask within any minute; 10 by default. */
  perMinute?: number | undefined;
  /** Milliseconds a question stays open; 300 000 by default. */
  ttl?: number | undefined;
  /** The answer to the server if no one answered; 'cancel' by default. */
  whenUnanswered?: 'decline' | 'cancel' | undefined;
  /** Fills fields that the approver left empty with the server's own defaults. */
  applyDefaults?: boolean | undefined;
  /** Withdraws what is pending, and asks nothing more. */
  signal?: AbortSignal | undefined;
}

export interface HostSettings extends Omit<HostOptions, 'principal' | 'url' | 'apiKey'> {
  principal: HostPrincipal;
  client: AssentryClient;
  allowedDomains: readonly AllowedDomain[];
  perMinute: number;
  ttl: number;
  whenUnanswered: 'decline' | 'cancel';
}

const faultOf = ({ issuer, subject }: Identity): string | null =>
  issuer == null ? faultOfName(subject) : faultOfSubject(subject);

/** The options with their defaults; throws `config-invalid` with the option's name if one is not usable. */
export function readOptions(options: HostOptions): HostSettings {
  const { principal, url, apiKey, ...rest } = options;
  const { perMinute = 10, ttl = defaultRequesterTtl, whenUnanswered = 'cancel', allowedDomains = [] } = rest;
  const isName = rest.serverName?.length <= 100 && namePattern.test(rest.serverName);
  requireThat(isName, `Give serverName, the name this host has for the server. ${nameRule}`);
  const caller = typeof principal === 'string' ? { subject: principal, verified: false } : principal;
  const fault = typeof caller?.subject === 'string' ? faultOf(caller) : 'Give the person this host works for.';
  requireThat(fault === null, `principal: ${fault}`);
  requireThat(Number.isInteger(perMinute) && perMinute > 0, 'Give perMinute as a whole number from 1.');
  const isTtl = Number.isInteger(ttl) && ttl >= minTtlMs && ttl <= maxTtlMs;
  requireThat(isTtl, `Give ttl as a whole number of milliseconds from ${minTtlMs} to ${maxTtlMs}.`);
  return {
    ...rest,
    principal: caller,
    client: rest.client ?? createClient({ url, apiKey }),
    allowedDomains: readDomains(allowedDomains),
    perMinute,
    ttl,
    whenUnanswered,
  };
}

function requireThat(isUsable: boolean, detail: string): void {
  if (!isUsable) throw new Problem('config-invalid', { detail });
}

/** `elicitation/create` as either generation of the SDK hands it to a client's handler. */
export interface ElicitationRequest {
  params: {
    mode?: string | undefined;
    message: string;
    requestedSchema?: unknown;
    url?: string | undefined;
    elicitationId?: string | undefined;
  };
}

/** The part of a handler's context that shows whether the server withdrew its request. */
export interface ElicitationContext {
  /** SDK v1. */
  signal?: AbortSignal | undefined;
  /** SDK v2. */
  mcpReq?: { signal?: AbortSignal | undefined } | undefined;
}

/** A type, not an interface: the SDKs' results have an index signature. */
export type ElicitationAnswer = {
  action: Action;
  /** Content of an accepted form. */
  content?: Record<string, string | number | boolean | string[]>;
  _meta?: Record<string, unknown>;
};

/** Capabilities that a client declares: forms always, addresses if any may be opened. */
export const elicitationCapabilities = ({
  allowedDomains = [],
}: { allowedDomains?: readonly string[] | undefined } = {}): DeclaredElicitation => ({
  elicitation: { form: {}, ...(allowedDomains.length > 0 && { url: {} }) },
});

export type DeclaredElicitation = { elicitation: { form: Record<string, never>; url?: Record<string, never> } };

const message = z.string();

/** An address, whose empty path means `/` to every parser; any other one must be in normal form, or is refused. */
const address = z.string().transform((url) => (URL.canParse(url) && new URL(url).href === `${url}/` ? `${url}/` : url));

/** Parameters of a question, all checked, because a handler may be called directly. */
export const AskedParams = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('form'), message, requestedSchema: z.looseObject({}) }),
  z.object({ mode: z.literal('url'), message, url: address, elicitationId: z.string().optional() }),
]);
export type AskedParams = z.infer<typeof AskedParams>;
export type AskedForm = Extract<AskedParams, { mode: 'form' }>;
export type AskedUrl = Extract<AskedParams, { mode: 'url' }>;

/** Reason why no approver's answer went back to the server. */
export type RefusalReason =
  | 'rate-limited'
  | 'question-not-askable'
  | 'url-not-allowed'
  | 'url-not-opened'
  | 'answer-not-fitting'
  | 'unanswered'
  | 'unavailable'
  | 'withdrawn';

/** Replacement of an answer for the server, with its reason. */
export interface Refused {
  reason: RefusalReason;
  action: 'decline' | 'cancel';
  /** Description for the host's log. */
  detail: string;
  /** Faults of the question or the answer, field by field. */
  errors?: readonly FieldError[];
  /** The elicitation's id if one was opened. */
  elicitation?: string;
}

export interface Refusal extends Refused {
  /** The host's own name for the server. */
  server: string;
  mode: string;
}

export const isRefused = (outcome: object): outcome is Refused => 'reason' in outcome;

/** The question or its answer was lost: the server gets the same answer as without one. */
export const unavailable = (action: Refused['action'], error?: unknown): Refused => ({
  reason: 'unavailable',
  action,
  detail: error instanceof Error ? error.message : 'Assentry did not answer in time.',
});

/** Refusal if the server no longer waits. */
export const withdrawn = (): Refused => ({
  reason: 'withdrawn',
  action: 'cancel',
  detail: 'The question was withdrawn before its answer was passed on.',
});

/** `login.example.com` is that host alone; `*.example.com` is every host below it, and not example.com itself. */
export type AllowedDomain = string;

/** May people be sent to this address? Ports are ignored. */
export function isAllowedAddress({ hostname }: URL, domains: readonly AllowedDomain[]): boolean {
  return domains.some((domain) =>
    domain.startsWith(wildcard)
      ? hostname.endsWith(domain.slice(1)) && hostname !== domain.slice(1)
      : hostname === domain,
  );
}

/** The domains unchanged; throws `config-invalid` if one is not a host, or `*.` and a host, in normal form. */
export const readDomains = (domains: readonly AllowedDomain[]): AllowedDomain[] => domains.map(readDomain);

const wildcard = '*.';
/** Form of a name or an IPv6 address in brackets: no scheme, port, path or user. */
const hostAlone = /^(?:\[[\da-f:.]+\]|[^\s./?#@*\\:[\]][^\s/?#@*\\:[\]]*)$/i;

function readDomain(domain: AllowedDomain): AllowedDomain {
  const isWildcard = domain.startsWith(wildcard);
  const host = isWildcard ? domain.slice(wildcard.length) : domain;
  // The URL parser gives lower case and Punycode, so the domains to compare with need the same form.
  const spelled = hostAlone.test(host) && URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`) : null;
  if (!spelled) throw new Problem('config-invalid', { detail: notADomain(domain) });
  if (spelled.hostname !== host)
    throw new Problem('config-invalid', { detail: otherSpelling(domain, spelled.hostname) });
  return domain;
}

const otherSpelling = (domain: string, read: string): string =>
  `allowedDomains holds ${JSON.stringify(domain)}. Write the host in its normal form: ${read}`;

const notADomain = (domain: string): string =>
  `allowedDomains holds ${JSON.stringify(domain)}. Give a host such as login.example.com, or *.example.com.`;
