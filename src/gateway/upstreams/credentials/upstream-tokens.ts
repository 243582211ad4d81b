import { z } from 'zod';
import { askIssuer, type IssuerAnswer } from '#platform/bearer/tokens/ask-issuer';
import { sha256 } from '#sdk/client/digest/digest';
import { Problem } from '#platform/model/problem/problem';
import { rpcCodes, rpcError, RpcFault } from '../../frames/frame/frame.ts';
import type { Caller } from '../../identity/caller.ts';
import { noCredentials } from './credentials-needed.ts';

/** Where the gateway gets the tokens that it sends to an upstream. */
export interface UpstreamTokenSource {
  endpoint: string;
  clientId: string;
  clientSecret: string;
  /** What else the endpoint is told, such as the scope. */
  parameters: Record<string, string>;
  /** For the gateway itself (RFC 6749, section 4.4), or for each requester in exchange for their own token (RFC 8693). */
  for: 'gateway' | 'requester';
}

interface Issued {
  token: string;
  /** When it is asked for again. */
  until: number;
}

/** Milliseconds before its end at which a token is no longer sent, at most: it has to last for the way. */
const margin = 30_000;
/** Milliseconds for which a token is good whose end is not said. */
const unsaid = 60_000;
/** More tokens than these are forgotten, the oldest first. */
const maxKept = 10_000;

/** The tokens for one upstream. Each is kept until shortly before its end, and asked for once, however many wait for it. */
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

  /** The token to send for this caller; rejects with an error for the client if there is none. */
  async find(caller: Caller): Promise<string> {
    const key = await this.#keyFor(caller);
    const current = this.#kept.get(key);
    const issued = await current;
    if (issued && this.#now() < issued.until) return issued.token;
    if (this.#kept.get(key) !== current) return this.find(caller); // someone else asks already
    return (await this.#ask(key, caller)).token;
  }

  /** The upstream does not take this token: the next request gets another. */
  async forget(caller: Caller, token: string): Promise<void> {
    const key = await this.#keyFor(caller);
    const current = await this.#kept.get(key)?.catch(() => null);
    if (current?.token === token) this.#kept.delete(key);
  }

  /** Not by person: another token of theirs may allow less. */
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

/** The endpoint answered that it gives none. */
class Refused extends Error {}

function issuedIn({ isOk, status, body }: IssuerAnswer, askedAt: number): Issued {
  const { data } = Grant.safeParse(body);
  const answer = `the token endpoint answered ${status}${codeIn(body)}.`;
  if (status >= 400 && status < 500) throw new Refused(answer);
  if (!isOk || !data) throw new TypeError(answer);
  const lasts = data.expires_in === undefined ? unsaid : data.expires_in * 1_000;
  return { token: data.access_token, until: askedAt + lasts - Math.min(margin, lasts / 10) };
}

/** RFC 6749, section 5.2. Nothing else of the answer is shown, because it may repeat what was sent. */
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
