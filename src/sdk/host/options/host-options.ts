import type { AssentryClient } from '../../client/client.ts';
import { createClient } from '../../client/client.ts';
import { defaultRequesterTtl, maxTtlMs, minTtlMs } from '#requests/asking/contract/elicitation';
import { faultOfName, faultOfSubject, type Identity } from '#platform/model/identity';
import { namePattern, nameRule } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import { readDomains, type AllowedDomain } from './allowed-domain.ts';
import type { Refusal } from './refusal.ts';

/** The person this host works for. `verified` if it comes from a sign-in that the host has checked itself. */
export interface HostPrincipal {
  subject: string;
  issuer?: string | undefined;
  verified: boolean;
}

/** Which recorded decision allows an address to be opened. */
export interface UrlConsent {
  server: string;
  elicitation: string;
  /** What the approver saw and agreed to. */
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
