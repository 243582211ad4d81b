import { type Connection as StoredConnection, type FindConnection, ProviderKey } from '#connect/connections/contract';
import { Scopes } from '#connect/providers/scopes';
import { formatIssue } from '#platform/http/contract/problem';
import { Problem } from '#platform/model/problem';
import { z } from 'zod';
import type { BegunMemo } from '../../client/client.ts';
import { assertSignal } from '../../client/transport.ts';
import { askUnderSignals } from '../elicit/elicit.ts';
import { namesOf, placeOf } from '../elicit/once.ts';
import type { ElicitOptions } from '../question/question.ts';
import type { Run } from '../run/run.ts';
import { type Connection, makeConnection } from './connection.ts';

export interface ConnectOptions extends Pick<ElicitOptions, 'signal' | 'throwUrlRequired'> {
  /** What the connection must permit, as the provider writes it; at most what the operator allows. None by default. */
  scopes?: string[];
  /** Names the question within the call: `connect:` and the provider by default. */
  key?: string;
  /** What the person reads. */
  message?: string;
  /** Milliseconds until the question expires; 300 000 by default. */
  ttl?: number;
}

/**
 * Gives the requester's account at a provider, connected for this server; asks them to connect it if there is none with
 * these scopes. Rejects with `connection-declined` if they do not, `provider-not-configured` if no operator
 * has set the provider up for this server, and otherwise as `elicit` does.
 *
 * ```ts
 * const countRepos = async (_: object, { connect }: { connect: Connect }) => {
 *   const github = await connect('github', { scopes: ['repo'] });
 *   const repos = await github.fetch('https://api.github.com/user/repos');
 *   return (await repos.json()).length;
 * };
 * ```
 */
export type Connect = (provider: string, options?: ConnectOptions) => Promise<Connection>;

export const createConnect =
  (run: Run): Connect =>
  (provider, options = {}) => {
    const connection = connectAccount(run, provider, options);
    connection.catch(() => {}); // a tool that forgets to await must not bring its whole process down
    return connection;
  };

async function connectAccount(run: Run, provider: string, options: ConnectOptions): Promise<Connection> {
  const request = readWanted(provider, options);
  run.signal.throwIfAborted();
  const account = new Account(run, request);
  const stored = await findOrAsk(account).finally(account.decided);
  const reconnect = async (): Promise<StoredConnection> => {
    const current = await account.find();
    if (current && current.id !== stored.id) return current; // another call of this person has connected again
    await account.ask('again');
    const next = await account.find();
    if (!next) throw account.declined();
    return next;
  };
  const source = { client: run.client, person: account.person, reconnect: account.hasAskedAgain ? null : reconnect };
  return makeConnection(source, stored);
}

async function findOrAsk(account: Account): Promise<StoredConnection> {
  const [current, earlier] = await Promise.all([account.find(), account.askedBefore()]);
  let stored = current;
  for (let step = earlier ?? (stored ? null : 'first'); step; step = stored || step === 'again' ? null : 'again') {
    await account.ask(step);
    stored = await account.find();
  }
  if (stored) return stored;
  throw account.declined();
}

/** The first question of a call about this connection, and the one after the provider has refused it. */
type Step = 'first' | 'again';

/**
 * The requester's account at one provider, as one run of a call finds it or asks for it.
 *
 * A call that has asked for it asks the same again in each later run, and so joins its answer, although it is connected by
 * then: the runs of a call share its name, its answers and its one execution. What it has asked
 * first is kept as a memo of the call.
 */
class Account {
  readonly #run: Run;
  readonly #wanted: Wanted;
  /** Reports that its question, if there is one, has begun: it leaves with the other questions of the turn. */
  readonly decided: () => void;
  #memo: BegunMemo | undefined;
  #asked: Step | null = null;

  constructor(run: Run, request: Wanted) {
    this.#run = run;
    this.#wanted = request;
    this.decided = run.turn.begin();
  }

  get person(): Pick<FindConnection, 'requester' | 'accessToken'> {
    const { requester, accessToken } = this.#run.call;
    return { requester, ...(accessToken !== undefined && { accessToken }) };
  }

  get hasAskedAgain(): boolean {
    return this.#asked === 'again';
  }

  /** The connection; null if there is none that fits, or if the provider no longer takes it. */
  async find(): Promise<StoredConnection | null> {
    const { provider, scopes } = this.#wanted;
    const { client, call, signal } = this.#run;
    const request = { provider, scopes, ...this.person };
    const answer = await client.findConnection(request, { signal, traceparent: call.traceparent });
    return answer.state === 'stored' ? answer.connection : null;
  }

  /** What an earlier run of this call has asked; null if nothing. */
  async askedBefore(): Promise<Step | null> {
    if (isFirstRun(this.#run)) return null;
    const { isKept, value } = await this.#begin();
    const { data } = Kept.safeParse(value);
    if (!isKept || !data) return null;
    const { step, call } = data;
    // A question that came later in the earlier run may come first in this one.
    await this.#run.nameOnce(async () => call);
    return step;
  }

  /** Asks, or joins the answer of an earlier run. Throws `connection-declined` if the person declines. */
  async ask(step: Step): Promise<void> {
    const { provider, scopes, key, message, options } = this.#wanted;
    const { id, isKept } = await this.#begin();
    const [call] = await namesOf(this.#run);
    if (!isKept && this.#asked === null) this.#run.memos.add({ id, key: this.#memoKey, value: { step, call } });
    this.#asked = step;
    const expects = { kind: 'connection' as const, provider, scopes };
    const named = { ...options, key: step === 'first' ? key : `${key}${again}` };
    const asking = { ...named, audience: 'requester' as const, supersede: 'none' as const };
    const answer = askUnderSignals(this.#run, message, { expects }, asking);
    this.decided();
    const { status, comment } = await answer;
    if (status !== 'accept') throw this.declined(comment);
  }

  declined(comment?: string): Problem {
    const reason = comment === undefined ? '' : ` Reason: ${comment}`;
    return new Problem('connection-declined', {
      detail: `Tell the person you work for: their ${this.#wanted.provider} account was not connected, so this cannot go on.${reason}`,
    });
  }

  /** A key that no step of an author is likely to have. */
  get #memoKey(): string {
    return `${memoPrefix}${this.#wanted.key}`;
  }

  async #begin(): Promise<BegunMemo> {
    this.#memo ??= await this.#run.client.beginMemo({ ...(await placeOf(this.#run)), key: this.#memoKey });
    return this.#memo;
  }
}

/** Calls of 2026-07-28 without a state join no earlier run of the same requester's questions. */
const isFirstRun = ({ call: { round, continues }, joined }: Run): boolean =>
  round !== undefined && round.answered === undefined && continues === undefined && joined === undefined;

const memoPrefix = 'asked ';
const again = ':again';
const Kept = z.object({ step: z.enum(['first', 'again']), call: z.string() });

interface Wanted {
  provider: string;
  scopes: string[];
  key: string;
  message: string;
  options: Pick<ElicitOptions, 'ttl' | 'signal' | 'throwUrlRequired'>;
}

const Parameters = z.strictObject({
  provider: ProviderKey,
  scopes: Scopes.default([]),
  key: z
    .string()
    .min(1)
    .max(64 - again.length, `Name the question in at most ${64 - again.length} characters.`)
    .optional(),
  message: z.string().min(1).optional(),
  ttl: z.number().optional(),
  throwUrlRequired: z.boolean().optional(),
});

/** Reads what is wanted; for code without types it throws `INVALID_INPUT` with each fault. */
function readWanted(provider: string, { signal, ...rest }: ConnectOptions): Wanted {
  assertSignal(signal);
  const { data, error } = Parameters.safeParse({ ...rest, provider }, { error: formatIssue });
  if (!data) {
    const errors = error.issues.map(({ path, message }) => ({ path: path.map((part) => String(part)), message }));
    throw new Problem('INVALID_INPUT', { detail: 'Correct the parameters of connect().', errors });
  }
  const { key = `connect:${data.provider}`, message = `Connect your ${data.provider} account.` } = data;
  const { ttl, throwUrlRequired } = data;
  const options = {
    ...(ttl !== undefined && { ttl }),
    ...(throwUrlRequired !== undefined && { throwUrlRequired }),
    ...(signal && { signal }),
  };
  return { provider: data.provider, scopes: data.scopes, key, message, options };
}
