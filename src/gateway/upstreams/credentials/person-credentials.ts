import type { AssentryClient, PersonalCredential } from '#sdk/client/client';
import { sha256 } from '#sdk/client/digest/digest';
import { Problem } from '#platform/model/problem/problem';
import { rpcCodes, rpcError, RpcFault } from '../../frames/frame/frame.ts';
import type { Caller } from '../../identity/caller.ts';
import { CredentialsNeeded, noCredentials } from './credentials-needed.ts';

/** How an upstream is shown what a person has entered. */
export interface CredentialManner {
  header: string;
  /** What stands before it, such as `Bearer `. */
  prefix: string;
}

/** What is sent for one person. */
export interface PersonHeaders {
  id: string;
  headers: Record<string, string>;
}

interface Kept {
  answer: Promise<PersonalCredential>;
  askedAt: number;
}

interface KeptLink {
  url: string;
  expiresAt: number;
}

/** How often Assentry is asked if its answers come when they are no longer good. */
const attempts = 4;
/** Milliseconds before its end at which a link is no longer handed out. */
const margin = 60_000;
/** More people than these are forgotten, the oldest first. */
const maxKept = 10_000;

/**
 * What each person has entered for one upstream, which Assentry keeps. It gives it out only for an access token of theirs
 * that is valid then, so here it is kept by token, and for no longer than Assentry says.
 */
export class PersonCredentials {
  readonly #server: string;
  readonly #manner: CredentialManner;
  readonly #client: Promise<AssentryClient>;
  readonly #warn: (sentence: string) => void;
  readonly #kept = new Map<string, Kept>();
  readonly #links = new Map<string, KeptLink>();

  constructor(
    server: string,
    manner: CredentialManner,
    { client, warn }: { client: Promise<AssentryClient>; warn: (sentence: string) => void },
  ) {
    this.#server = server;
    this.#manner = manner;
    this.#client = client;
    this.#warn = warn;
  }

  /** Rejects with `CredentialsNeeded`, which says where they are to be entered. */
  async find({ token }: Caller): Promise<PersonHeaders> {
    if (token === null) throw new RpcFault(unknownPerson);
    const key = await sha256(token);
    const answer = await this.#read(key, token);
    if (answer.state !== 'stored') throw this.#needed(answer.state, this.#links.get(key)?.url ?? null);
    const { header, prefix } = this.#manner;
    return { id: answer.id, headers: { [header]: prefix + answer.secret } };
  }

  /** The upstream does not take these: they are not sent again. Resolves with the error to answer. */
  async refuse({ token }: Caller, id: string): Promise<RpcFault> {
    if (token === null) return new RpcFault(unknownPerson);
    const key = await sha256(token);
    this.#kept.delete(key);
    try {
      await (await this.#client).refuseCredential(id, { accessToken: token });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'not-found') return this.#unavailable(error); // else it was replaced
    }
    const { state } = await this.#read(key, token);
    return state === 'stored' ? new RpcFault(noCredentials) : this.#needed(state, this.#links.get(key)?.url ?? null);
  }

  /** What is stored is good from when it was asked for, not from when it came: who removes it waits for so long. */
  async #read(key: string, token: string): Promise<PersonalCredential> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const kept = this.#kept.get(key) ?? this.#keep(key, token);
      const answer = await kept.answer;
      if (answer.state !== 'stored' || performance.now() < kept.askedAt + answer.lasts) return answer;
      this.#forget(key, kept);
    }
    throw new RpcFault(noCredentials);
  }

  #keep(key: string, token: string): Kept {
    const kept = { askedAt: performance.now(), answer: this.#ask(key, token) };
    remember(this.#kept, key, kept);
    const forget = (): void => this.#forget(key, kept);
    kept.answer.then(({ state }) => state === 'stored' || forget(), forget);
    return kept;
  }

  #forget(key: string, kept: Kept): void {
    if (this.#kept.get(key) === kept) this.#kept.delete(key);
  }

  /** A link is asked for once while it lasts, however often the call is repeated. */
  async #ask(key: string, accessToken: string): Promise<PersonalCredential> {
    const current = this.#links.get(key);
    const hasLink = current !== undefined && Date.now() < current.expiresAt - margin;
    try {
      const answer = await (await this.#client).findCredential({ accessToken, link: !hasLink });
      if (answer.state === 'stored') this.#links.delete(key);
      else if (answer.link) remember(this.#links, key, answer.link);
      return answer;
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  #needed(state: 'missing' | 'refused', url: string | null): CredentialsNeeded {
    const what =
      state === 'refused'
        ? `Enter other credentials for ${this.#server}, and call again: it did not take yours.`
        : `Enter your credentials for ${this.#server}, and call again.`;
    return new CredentialsNeeded(`${what} Nothing was run.`, url);
  }

  #unavailable(error: unknown): RpcFault {
    const reason = error instanceof Error ? error.message : String(error);
    this.#warn(`Assentry gives no credentials of people: ${reason}`);
    return new RpcFault(error instanceof Problem && error.code === 'forbidden' ? notChecked : noCredentials);
  }
}

function remember<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest = ''] = kept.keys();
  if (kept.size > maxKept) kept.delete(oldest);
}

const unknownPerson = rpcError(
  rpcCodes.internal,
  'unauthenticated',
  'Call this server through a gateway that checks who you are: it is called with credentials of each person. Nothing was run.',
);
const notChecked = rpcError(
  rpcCodes.internal,
  'forbidden',
  'Ask the operator: Assentry cannot check your access token for this server. Nothing was run.',
);
