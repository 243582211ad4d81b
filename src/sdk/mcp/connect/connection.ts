import type { Connection as StoredConnection, UseConnection } from '#connect/connections/contract';
import { Problem } from '#platform/model/problem';
import type { AssentryClient } from '../../client/client.ts';
import { assertWithin, readOutgoing, sending, sendWithin } from './guarded-fetch.ts';
import { printedAsId } from './printed.ts';

/**
 * A person's account at a provider, for one call. It prints as its id, and shows its token only through `token()`.
 *
 * ```ts
 * const nameOf = async (github: Connection): Promise<string> => {
 *   const me = await github.fetch('https://api.github.com/user');
 *   return me.ok ? (await me.json()).login : `GitHub answers ${me.status}`;
 * };
 * ```
 */
export interface Connection {
  readonly id: string;
  /** Key of the provider, such as `github`. */
  readonly provider: string;
  /** Names that the provider gives it; `label` is for people. */
  readonly account: { readonly id: string; readonly label: string };
  /** The scopes that were granted. */
  readonly scopes: readonly string[];
  /**
   * Sends a request with the token, as `fetch` does. It goes to the provider's API hosts alone, over https, and follows
   * no redirect to others; `INVALID_INPUT` for another host. If the provider answers 401, the person is asked once to
   * connect again, and the request is repeated unless its body is a stream.
   */
  fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Gives the token itself, renewed if it has to be, for a library that sends it; ask for it each time. */
  token: () => Promise<string>;
}

export interface ConnectionSource {
  client: AssentryClient & { [sending]?: typeof fetch };
  /** The person whose account it is. */
  person: UseConnection;
  /** Gets what took the place of the connection, or asks the person to connect again; null if the call has asked that already. */
  reconnect: (() => Promise<StoredConnection>) | null;
}

/** Makes the connection that a handler gets. */
export function makeConnection({ client, person, reconnect }: ConnectionSource, stored: StoredConnection): Connection {
  const send = client[sending] ?? fetch;
  let current = stored;
  let cached: { token: string; until: number } | null = null;
  let taking: Promise<string> | null = null;
  let renewing: Promise<void> | null = null;
  let mayRenew = reconnect !== null;

  /** Asks for a token. It lasts from the moment of asking, by a clock that is never set. */
  async function askForToken(): Promise<string> {
    const from = performance.now();
    const { token, lasts } = await client.useConnection(current.id, person);
    cached = { token, until: from + lasts };
    return token;
  }
  async function take(): Promise<string> {
    if (cached && performance.now() < cached.until) return cached.token;
    taking ??= askForToken().finally(() => (taking = null));
    return taking;
  }
  async function renew(): Promise<void> {
    if (!reconnect) return;
    const next = await reconnect();
    mayRenew = false;
    if (next.account.id !== current.account.id) throw new Problem('connection-declined', { detail: otherAccount });
    current = next;
    cached = null;
  }
  /** Asks once for all requests that met the same refusal. */
  const renewOnce = (): Promise<void> => (renewing ??= renew());

  /** A token, also if the provider has withdrawn the one before or the person has disconnected it. */
  async function token(): Promise<string> {
    try {
      return await take();
    } catch (error) {
      if (!mayRenew || !isWithdrawn(error)) throw error;
      await renewOnce();
      return take();
    }
  }
  async function sendRequest(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const outgoing = await readOutgoing(input, init);
    assertWithin(current.hosts, outgoing.url);
    const used = await token();
    const isLast = !mayRenew;
    const response = await sendWithin({ hosts: current.hosts, fetch: send }, outgoing, used);
    if (response.status !== 401 || isLast) return response;
    renewing ??= client.refuseConnection(current.id, person).catch(ignoreReplaced).then(renew);
    await renewing;
    if (!outgoing.isRepeatable) return response;
    await response.body?.cancel();
    assertWithin(current.hosts, outgoing.url);
    return sendWithin({ hosts: current.hosts, fetch: send }, outgoing, await take());
  }

  const connection: Connection = {
    get id() {
      return current.id;
    },
    provider: stored.provider,
    account: Object.freeze({ ...stored.account }),
    get scopes() {
      return [...current.scopes];
    },
    fetch: sendRequest,
    token,
  };
  return printedAsId(connection);
}

const otherAccount =
  'Call this tool again: the person you work for has connected another account than the one this call began with.';

/** A connection that is no longer there needs no refusal. */
function ignoreReplaced(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'not-found') throw error;
}

const isWithdrawn = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'connection-declined' || error.code === 'not-found');
