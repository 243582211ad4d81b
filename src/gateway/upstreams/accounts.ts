import type { AssentryClient, OpenedElicitation, OpenElicitation, UseConnection } from '#sdk/client/client';
import { connectingTool } from '#platform/model/names';
import { autoKey } from '#connect/providers/auto';
import { rpcCodes, rpcError, RpcFault } from '../frames/frame.ts';
import { principalKey, type Caller } from '../identity/caller.ts';
import {
  CredentialsNeeded,
  isGone,
  remember,
  type ConnectedAt,
  type PersonalCredential,
  type KnownCaller,
  type Lack,
  type Vault,
} from './credentials.ts';

/** An upstream, and the provider of the accounts whose tokens it gets. */
interface AccountsParts extends ConnectedAt {
  /** The upstream's name, as people read it. */
  server: string;
  /** The upstream's address. */
  url: string;
  client: Promise<AssentryClient>;
}

/** Lifetime of a page, and how long Assentry has to say whether it is open, in milliseconds. */
const ttl = 3_600_000;
const answerTime = 6_000;

/**
 * Accounts that people connect at a provider, for one upstream. Assentry asks them, keeps the tokens and renews them. It gives
 * a token out only for a valid access token of the person.
 */
export class ConnectedAccounts implements Vault {
  readonly #parts: AccountsParts;
  /** The page to which each person was sent last. */
  readonly #pages = new Map<string, OpenedElicitation>();
  readonly #finding = new Map<string, Promise<OpenedElicitation>>();

  constructor(parts: AccountsParts) {
    this.#parts = parts;
  }

  async find(caller: KnownCaller): Promise<PersonalCredential | Lack> {
    const client = await this.#parts.client;
    const answer = await client.findConnection({ ...this.#wanted, ...personOf(caller) });
    if (answer.state !== 'stored') return answer.state;
    const { id, hosts } = answer.connection;
    this.#assertWithin(hosts);
    try {
      const { token, lasts } = await client.useConnection(id, personOf(caller));
      this.#pages.delete(principalKey(caller.principal));
      return { id, secret: token, lasts };
    } catch (error) {
      if (!isGone(error)) throw error;
      return error.code === 'not-found' ? 'missing' : 'refused';
    }
  }

  /** What Assentry is asked for: a provider that the upstream names itself is found by its address. */
  get #wanted() {
    const { provider, scopes, url } = this.#parts;
    return { provider, scopes, ...(provider === autoKey && { resource: url }) };
  }

  /** What people read. */
  get #account(): string {
    const { provider } = this.#parts;
    return provider === autoKey ? 'account' : `${provider} account`;
  }

  /** Resolves when this person has answered the page to which they were sent last; at once if there is none. */
  async untilAnswered({ principal }: Caller, signal: AbortSignal): Promise<void> {
    const page = this.#pages.get(principalKey(principal));
    if (page) await (await this.#parts.client).waitForOutcome(page.id, { signal });
  }

  /** Leads to the page of before while it is open, however often the call is repeated. */
  async ask(caller: KnownCaller, lack: Lack): Promise<CredentialsNeeded> {
    const { server } = this.#parts;
    const sentence =
      lack === 'refused'
        ? `Connect your ${this.#account} once more, and call again: ${server} did not take it.`
        : `Connect your ${this.#account}, and call again: ${server} needs it.`;
    const { url = null, code } = await this.#pageFor(caller);
    return new CredentialsNeeded(`${sentence} Nothing was run.`, { url, code });
  }

  /** A token that was renewed meanwhile says nothing about the connection. */
  async refuse(caller: KnownCaller, { id, secret }: PersonalCredential): Promise<void> {
    const client = await this.#parts.client;
    const { token } = await client.useConnection(id, personOf(caller));
    if (token === secret) await client.refuseConnection(id, personOf(caller));
  }

  /** The operator of the providers names the hosts; the gateway's configuration alone sends no token anywhere. */
  #assertWithin(hosts: readonly string[]): void {
    const { url, provider } = this.#parts;
    const { host } = new URL(url);
    if (hosts.includes(host)) return;
    throw failure(
      'provider-not-configured',
      `Ask the operator to add ${host} to the "apiHosts" of "${provider}" in ASSENTRY_PROVIDERS: its tokens go to no other host.`,
    );
  }

  /** Opens one page for all calls that need it at the same moment. */
  #pageFor(caller: KnownCaller): Promise<OpenedElicitation> {
    const key = principalKey(caller.principal);
    const finding = this.#finding.get(key) ?? this.#findPage(key, caller).finally(() => this.#finding.delete(key));
    this.#finding.set(key, finding);
    return finding;
  }

  async #findPage(key: string, caller: KnownCaller): Promise<OpenedElicitation> {
    const page = this.#pages.get(key);
    const status = page && (await this.#statusOf(page));
    if (page && status === 'open') return page;
    this.#pages.delete(key);
    if (status === 'declined') throw failure('connection-declined', declined(this.#account));
    const opened = await this.#open(caller);
    remember(this.#pages, key, opened);
    return opened;
  }

  /** Undefined if it cannot be read: then a new page is opened, or that fails as well. */
  async #statusOf({ id }: OpenedElicitation): Promise<OpenedElicitation['status'] | undefined> {
    const client = await this.#parts.client;
    return client.get(id, { signal: AbortSignal.timeout(answerTime) }).then(
      ({ status }) => status,
      () => undefined,
    );
  }

  async #open(caller: KnownCaller): Promise<OpenedElicitation> {
    const { server, provider, client } = this.#parts;
    const opened = await (
      await client
    ).open({
      ...personOf(caller),
      tool,
      arguments: { server, provider },
      message: `Connect your ${this.#account} for ${server}.`,
      mode: 'url',
      expects: { kind: 'connection', ...this.#wanted, ...(caller.token !== null && { byAccessToken: true }) },
      audience: 'requester',
      supersede: 'none',
      ttl,
    });
    if (opened.status === 'open' && opened.url != null) return opened;
    throw failure(
      'forbidden',
      opened.comment ?? `Ask an administrator: a policy keeps this ${this.#account} from you.`,
    );
  }
}

const personOf = ({ principal, token }: KnownCaller): UseConnection => ({
  requester: principal,
  ...(token !== null && { accessToken: token }),
});

const failure = (code: Parameters<typeof rpcError>[1], sentence: string): RpcFault =>
  new RpcFault(rpcError(rpcCodes.internal, code, `${sentence} Nothing was run.`));

const declined = (account: string): string =>
  `Call again if you want to connect your ${account}: you declined it, or granted too little.`;

/** It sends the person to a provider, whose token the server then gets. */
const tool: OpenElicitation['tool'] = {
  name: connectingTool,
  title: 'A connection to another service',
  description: 'The server acts for its person at a provider. Only the person who was asked may connect it.',
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
};
