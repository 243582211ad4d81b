import { randomHex, sha256 } from '#sdk/client/digest';
import { rpcCodes, rpcError, RpcFault } from '../frames/frame.ts';
import { z } from 'zod';
import { askIssuer, type IssuerAnswer } from '#platform/bearer/tokens';
import { Problem, type ProblemCode } from '#platform/model/problem';
import { principalKey, type Caller } from '../identity/caller.ts';
import type { AssentryClient } from '#sdk/client/client';
import { messageFor } from '#sdk/mcp/question/result';

/** MCP's code for a request that needs a visit of its person to an address first (2025-11-25). */
const urlRequired = -32042;

/** The server's answer needs something that only the person can give, at an address that no model needs to read. */
export class CredentialsNeeded extends RpcFault {
  /** What the person reads before they go there, without the address. */
  readonly sentence: string;
  readonly url: string | null;

  /** `code`: the digits for which the page asks. */
  constructor(sentence: string, { url, code }: { url: string | null; code?: string | undefined }) {
    const whole = url === null ? sentence : `${sentence} Open this address yourself: ${url}`;
    super({ code: rpcCodes.internal, message: messageFor(whole, { code }), data: { code: 'unauthenticated' } });
    this.sentence = messageFor(sentence, { code });
    this.url = url;
  }

  /** The fault for a client that opens addresses for its person. */
  asElicitation(): RpcFault {
    const elicitation = { mode: 'url', elicitationId: randomHex(), url: this.url, message: this.sentence };
    return new RpcFault({ code: urlRequired, message: this.sentence, data: { elicitations: [elicitation] } });
  }
}

const noCredentials = rpcError(
  rpcCodes.internal,
  'unavailable',
  'Try again later: the gateway got no credentials for this server. Nothing was run.',
);

/** Source of the tokens that the gateway sends to an upstream. */
export interface UpstreamTokenSource {
  endpoint: string;
  clientId: string;
  clientSecret: string;
  /** Further parameters for the endpoint, such as the scope. */
  parameters: Record<string, string>;
  /** Grant for the gateway itself (RFC 6749, section 4.4), or for each requester in exchange for their own token (RFC 8693). */
  for: 'gateway' | 'requester';
}

interface Issued {
  token: string;
  /** Time at which it is requested again. */
  until: number;
}

/** Largest margin in milliseconds before its end at which a token is no longer sent: it has to last for the way. */
const tokenMargin = 30_000;
/** Lifetime of a token without a stated end, in milliseconds. */
const unsaid = 60_000;

/** Tokens for one upstream. Each is kept until shortly before its end, and requested once, however many wait for it. */
export class UpstreamTokens {
  readonly #source: UpstreamTokenSource;
  readonly #warn: (sentence: string) => void;
  readonly #now: () => number;
  readonly #kept = new Map<string, Promise<Issued>>();

  /** `now` never goes back. */
  constructor(source: UpstreamTokenSource, warn: (sentence: string) => void, now = () => performance.now()) {
    this.#source = source;
    this.#warn = warn;
    this.#now = now;
  }

  /** The token for this caller; rejects with an error for the client if there is none. */
  async find(caller: Caller): Promise<string> {
    const key = await this.#keyFor(caller);
    const current = this.#kept.get(key);
    const issued = await current;
    if (issued && this.#now() < issued.until) return issued.token;
    if (this.#kept.get(key) !== current) return this.find(caller); // someone else already asks
    return (await this.#ask(key, caller)).token;
  }

  /** Forgets a token that the upstream refused: the next request gets another. */
  async forget(caller: Caller, token: string): Promise<void> {
    const key = await this.#keyFor(caller);
    const current = await this.#kept.get(key)?.catch(() => null);
    if (current?.token === token) this.#kept.delete(key);
  }

  /** Key of a token. It is not the person: another token of theirs may allow less. */
  async #keyFor({ token }: Caller): Promise<string> {
    return this.#source.for === 'gateway' ? '' : sha256(token ?? '');
  }

  #ask(key: string, caller: Caller): Promise<Issued> {
    const asking = this.#exchange(caller);
    this.#kept.delete(key);
    this.#kept.set(key, asking);
    asking.catch(() => {
      if (this.#kept.get(key) === asking) this.#kept.delete(key);
    });
    const [oldest = ''] = this.#kept.keys();
    if (this.#kept.size > maxKept) this.#kept.delete(oldest);
    return asking;
  }

  async #exchange({ token }: Caller): Promise<Issued> {
    const { endpoint, parameters, ...source } = this.#source;
    const askedAt = this.#now();
    try {
      const form = source.for === 'gateway' ? byCredentials : inExchangeFor(token);
      return issuedIn(await askIssuer(endpoint, source, { ...form, ...parameters }), askedAt);
    } catch (error) {
      this.#warn(`It gets no token for its requests: ${error instanceof Error ? error.message : String(error)}`);
      if (error instanceof Refused && source.for === 'requester') throw new RpcFault(refused);
      throw new RpcFault(noCredentials);
    }
  }
}

const byCredentials = { grant_type: 'client_credentials' };
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';

function inExchangeFor(token: string | null): Record<string, string> {
  if (token === null) throw new Problem('unauthenticated');
  return {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: token,
    subject_token_type: accessToken,
    requested_token_type: accessToken,
  };
}

const Grant = z.object({
  access_token: z.string().regex(/^[!-~]+$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().min(0).optional(),
});

/** The endpoint refused a token. */
class Refused extends Error {}

function issuedIn({ isOk, status, body }: IssuerAnswer, askedAt: number): Issued {
  const { data } = Grant.safeParse(body);
  const answer = `the token endpoint answered ${status}${codeIn(body)}.`;
  if (status >= 400 && status < 500) throw new Refused(answer);
  if (!isOk || !data) throw new TypeError(answer);
  const lasts = data.expires_in === undefined ? unsaid : data.expires_in * 1_000;
  return { token: data.access_token, until: askedAt + lasts - Math.min(tokenMargin, lasts / 10) };
}

/** Code of RFC 6749, section 5.2. Nothing else of the answer is shown, because it may repeat the request. */
function codeIn(body: unknown): string {
  const { data } = z.object({ error: z.enum(codes) }).safeParse(body);
  return data ? ` (${data.error})` : '';
}

const codes = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'access_denied',
] as const;

const refused = rpcError(
  rpcCodes.internal,
  'forbidden',
  'Ask an administrator for access to this server: the authorization server gives you none. Nothing was run.',
);

/** The way an upstream gets a person's credential. */
export interface CredentialManner {
  header: string;
  /** Prefix, such as `Bearer `. */
  prefix: string;
  /** Where the person connects what the token is of; absent if they enter a secret. */
  account?: ConnectedAt;
}

/** A provider at which people connect their accounts. */
export interface ConnectedAt {
  /** Key in `ASSENTRY_PROVIDERS`; `auto` is the provider that the upstream itself names. */
  provider: string;
  scopes: string[];
  /** For the one person of this machine, who has no access token. */
  isLocal?: true;
}

/** A caller as Assentry gets them: with a token, unless they are the one person of this machine. */
export interface KnownCaller extends Caller {
  /** The same for the same token. */
  key: string;
}

/** What an upstream gets for one person. */
export interface PersonalCredential {
  id: string;
  secret: string;
  /** Milliseconds for which it may be sent, counted from the request for it. */
  lasts: number;
}

/** There are none, or the upstream did not take them. */
export type Lack = 'missing' | 'refused';

/** Where people's credentials for one upstream are kept. Rejects with a Problem, or with an error for the client. */
export interface Vault {
  find(caller: KnownCaller): Promise<PersonalCredential | Lack>;
  /** Asks the person for them. Resolves with the error that names where they give them. */
  ask(caller: KnownCaller, lack: Lack): Promise<CredentialsNeeded>;
  /** Notes that the upstream refused these: they are not given out again. */
  refuse(caller: KnownCaller, credential: PersonalCredential): Promise<void>;
}

/** Headers sent for one person. */
export interface PersonHeaders {
  credential: PersonalCredential;
  headers: Record<string, string>;
}

interface Kept {
  answer: Promise<PersonalCredential | Lack>;
  askedAt: number;
}

/** Limit of requests to Assentry if its answers arrive after they expired. */
const attempts = 4;
/** Limit of remembered people; the oldest are forgotten. */
const maxKept = 10_000;

/**
 * Each person's credentials for one upstream, which Assentry keeps. It gives them out only for a valid access token of theirs,
 * so they are kept here by token, and no longer than Assentry allows.
 */
export class PersonCredentials {
  readonly #manner: CredentialManner;
  readonly #vault: Vault;
  readonly #warn: (sentence: string) => void;
  readonly #kept = new Map<string, Kept>();

  constructor(manner: CredentialManner, vault: Vault, warn: (sentence: string) => void) {
    this.#manner = manner;
    this.#vault = vault;
    this.#warn = warn;
  }

  /** The person's headers; rejects with `CredentialsNeeded`, which names where they give credentials. */
  async require(caller: Caller): Promise<PersonHeaders> {
    const headers = await this.find(caller);
    if (typeof headers === 'string') throw await this.ask(caller, headers);
    return headers;
  }

  /** The person's headers, without asking anyone. */
  async find(caller: Caller): Promise<PersonHeaders | Lack> {
    const credential = await this.#read(await this.#known(caller));
    if (typeof credential === 'string') return credential;
    const { header, prefix } = this.#manner;
    return { credential, headers: { [header]: prefix + credential.secret } };
  }

  /** Asks the person. Resolves with the error to answer. */
  async ask(caller: Caller, lack: Lack): Promise<RpcFault> {
    const person = await this.#known(caller);
    return this.#vault.ask(person, lack).catch((error: unknown) => this.#unavailable(error));
  }

  /** Forgets credentials that the upstream refused, so that they are not sent again. Resolves with the error to answer. */
  async refuse(caller: Caller, credential: PersonalCredential): Promise<RpcFault> {
    const person = await this.#known(caller);
    this.#kept.delete(person.key);
    try {
      await this.#vault.refuse(person, credential);
    } catch (error) {
      if (!isGone(error)) return this.#unavailable(error); // otherwise it was replaced
    }
    const next = await this.#read(person);
    return typeof next === 'string' ? this.ask(caller, next) : new RpcFault(noCredentials);
  }

  async #known({ principal, token }: Caller): Promise<KnownCaller> {
    if (token === null && !this.#manner.account?.isLocal) throw new RpcFault(unknownPerson);
    return { principal, token, key: await sha256(token ?? principalKey(principal)) };
  }

  /** Reads what is stored. It is good from the time of the request, not of the answer: a removal waits for so long. */
  async #read(caller: KnownCaller): Promise<PersonalCredential | Lack> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const kept = this.#kept.get(caller.key) ?? this.#keep(caller);
      const answer = await kept.answer;
      if (typeof answer === 'string' || performance.now() < kept.askedAt + answer.lasts) return answer;
      this.#forget(caller.key, kept);
    }
    throw new RpcFault(noCredentials);
  }

  #keep(caller: KnownCaller): Kept {
    const { key } = caller;
    const kept = { askedAt: performance.now(), answer: this.#look(caller) };
    remember(this.#kept, key, kept);
    const forget = (): void => this.#forget(key, kept);
    kept.answer.then((answer) => typeof answer === 'string' && forget(), forget);
    return kept;
  }

  #forget(key: string, kept: Kept): void {
    if (this.#kept.get(key) === kept) this.#kept.delete(key);
  }

  async #look(caller: KnownCaller): Promise<PersonalCredential | Lack> {
    try {
      return await this.#vault.find(caller);
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  #unavailable(error: unknown): RpcFault {
    if (error instanceof RpcFault) return error;
    const { message } = error instanceof Error ? error : { message: String(error) };
    this.#warn(`Assentry gives no credentials of people: ${message}`);
    if (!(error instanceof Problem)) return new RpcFault(noCredentials);
    if (error.code === 'forbidden') return new RpcFault(notChecked);
    return new RpcFault(
      saysWhatToDo.has(error.code)
        ? rpcError(rpcCodes.internal, error.code, `${message} Nothing was run.`)
        : noCredentials,
    );
  }
}

/** Problems whose sentence helps the client more than that it may try again. */
const saysWhatToDo = new Set<ProblemCode>(['provider-not-configured', 'provider-unavailable', 'stopped']);

/** Were they removed, replaced or withdrawn meanwhile? */
export const isGone = (error: unknown): error is Problem =>
  error instanceof Problem && (error.code === 'not-found' || error.code === 'connection-declined');

/** Keeps the value, and forgets the oldest if there are too many. */
export function remember<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest = ''] = kept.keys();
  if (kept.size > maxKept) kept.delete(oldest);
}

interface KeptLink {
  url: string;
  expiresAt: number;
}

/** Margin in milliseconds before its end at which a link is no longer handed out. */
const margin = 60_000;

/** Secrets that people enter on a page of Assentry. */
export class EnteredSecrets implements Vault {
  readonly #server: string;
  readonly #client: Promise<AssentryClient>;
  readonly #links = new Map<string, KeptLink>();

  constructor(server: string, client: Promise<AssentryClient>) {
    this.#server = server;
    this.#client = client;
  }

  /** Gets a link as well, once while that lasts, however often the call is repeated. */
  async find({ key, token: accessToken }: KnownCaller): Promise<PersonalCredential | Lack> {
    if (accessToken === null) throw new RpcFault(unknownPerson);
    const current = this.#links.get(key);
    const hasLink = current !== undefined && Date.now() < current.expiresAt - margin;
    const answer = await (await this.#client).findCredential({ accessToken, link: !hasLink });
    if (answer.state !== 'stored' && answer.link) remember(this.#links, key, answer.link);
    if (answer.state !== 'stored') return answer.state;
    this.#links.delete(key);
    return answer;
  }

  async ask({ key }: KnownCaller, lack: Lack): Promise<CredentialsNeeded> {
    const what =
      lack === 'refused'
        ? `Enter other credentials for ${this.#server}, and call again: it did not take yours.`
        : `Enter your credentials for ${this.#server}, and call again.`;
    return new CredentialsNeeded(`${what} Nothing was run.`, { url: this.#links.get(key)?.url ?? null });
  }

  async refuse({ token: accessToken }: KnownCaller, { id }: PersonalCredential): Promise<void> {
    if (accessToken !== null) await (await this.#client).refuseCredential(id, { accessToken });
  }
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
