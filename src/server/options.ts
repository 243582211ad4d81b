import type { TokenSources, Pooling, Serving } from '#platform/config/serving';
import { refuseVariable, defaultEnvironment, type Config, type FloodLimits, type Rates } from '#platform/config/config';
import type { WorkloadIssuers } from '#platform/config/workload-issuers';
import type { LogBucket } from '#platform/config/heads';
import type { NamedSecret } from '#platform/config/secrets';
import type { NamedWitness } from '#platform/config/outlets';
import type { ChatSettings } from '#notify/chat/channel/chats';
import type { StreamWays } from '#audit/streams/contract';
import type { MailServer } from '#notify/mail/contract';
import type { WebhookReach } from '#notify/webhooks/contract/webhook';
import type { PasswordRule, SignInProvider } from '#access/oidc/contract/identity-provider';
import type { ConnectProvider, OutcomeProvider } from '#connect/providers/provider';
import { defaultSecondFactor, type SecondFactorRule } from '#access/factors/contract/factor-rule';
import type { SessionLimits } from '#people/directory/contract/user';
import { isTrial, policyDefaults, type PolicyDefaults } from '#policies/contract/policy';
import type { NodeMetrics } from '#platform/nodes/wiring';

type Optional =
  | 'listenUrl'
  | 'environment'
  | 'defaults'
  | 'limits'
  | 'rates'
  | 'sessions'
  | 'secondFactor'
  | 'logHead'
  | 'logCopies'
  | 'shutdownGrace';

export interface ServerOptions extends Omit<Config, Optional>, ChatSettings {
  /** Where to listen for changes of other nodes, if not at `databaseUrl`; `off` looks for them instead. */
  listenUrl?: string | null;
  /** A file that keeps the latest head of the log outside the database. */
  logHead?: string | null;
  /** A directory for copies of heads of the log. */
  logCopies?: string | null;
  /** A bucket for copies of heads of the log. */
  logBucket?: LogBucket | null;
  /** Who cosigns the heads of the log. */
  witnesses?: NamedWitness[];
  /** Where the log is streamed to. */
  streams?: StreamWays;
  /** The environment as policies see it: `production`, or `trial` with the embedded database. */
  environment?: string;
  /** What applies without a policy; by default strict in production. */
  defaults?: Partial<PolicyDefaults>;
  /** How many requests may wait at the same time; by default as configured. */
  limits?: Partial<FloodLimits>;
  /** How often each caller may call a node; by default as configured. */
  rates?: Partial<Rates>;
  /** If this node is one of several workers behind one address: its name, and how it reads the metrics of the others. */
  worker?: { name: string; readOthers(): Promise<NodeMetrics[]> };
  /** What readers of `/metrics` must send; null or absent closes it. */
  metricsToken?: string | null;
  /** What checks the access tokens of each server's callers; by default no one does, and the server's word is all. */
  tokenSources?: TokenSources;
  /** Whose tokens workloads can show instead of a key; by default no one's. */
  workloadIssuers?: WorkloadIssuers;
  /** Where people sign in besides here; by default nowhere. */
  signInProviders?: readonly SignInProvider[];
  /** Where people connect accounts for servers; by default nowhere. */
  connectProviders?: readonly ConnectProvider[];
  /** Where people pay and sign for servers; by default nowhere. */
  outcomeProviders?: readonly OutcomeProvider[];
  /** Who signs in with a password; by default everyone who has one. */
  passwords?: PasswordRule;
  /** The proxies whose word about a caller's address is taken; by default those on the same machine. */
  trustedProxies?: readonly string[];
  /** What callers' connections are granted; by default as configured. */
  serving?: Partial<Serving>;
  /** How the database is used; by default as configured. */
  pooling?: Partial<Pooling>;
  /** How long people stay signed in; by default half an hour unused, and twelve hours at most. */
  sessions?: Partial<SessionLimits>;
  /** Must people prove a second factor when they sign in? By default in production. */
  secondFactor?: SecondFactorRule;
  /** The active one first; null takes those in the data directory. */
  secrets: NamedSecret[] | null;
  /** If null or absent, no mail is sent. */
  smtp?: MailServer | null;
  /** What webhooks can reach; by default only public addresses. */
  webhooks?: WebhookReach;
  /** Replaces the clock. For tests. */
  now?: () => number;
  onProgress?: (sentence: string) => void;
  /** Ends the wait for a migration that another process runs. */
  signal?: AbortSignal;
}

/**
 * In production, links, cookies and answers go over TLS, unless no other machine is meant; problem `config-invalid`.
 */
export function assertTls(options: Pick<ServerOptions, 'publicUrl' | 'databaseUrl' | 'environment'>): void {
  if (options.publicUrl === null || isTrial(surroundingsOf(options).environment)) return;
  const { protocol, hostname } = new URL(options.publicUrl);
  if (protocol === 'https:' || hostname === 'localhost' || /^(127\.|\[::1\]$)/.test(hostname)) return;
  const allowed = 'give one that begins with https: in production, and end TLS in a proxy';
  throw refuseVariable('ASSENTRY_PUBLIC_URL', JSON.stringify(options.publicUrl), allowed);
}

/** What policies know about the installation itself. */
export function surroundingsOf({
  databaseUrl,
  environment = defaultEnvironment(databaseUrl),
  defaults,
  secondFactor = defaultSecondFactor(environment),
}: Pick<ServerOptions, 'databaseUrl' | 'environment' | 'defaults' | 'secondFactor'>) {
  return { environment, defaults: { ...policyDefaults(environment), ...defaults }, secondFactor };
}
