import { type Connection as StoredConnection, ProviderKey } from '#connect/connections/contract';
import { Scopes } from '#connect/providers/scopes';
import { formatIssue } from '#platform/http/contract/problem';
import { Problem } from '#platform/model/problem';
import { z } from 'zod';
import { assertSignal } from '../../client/transport.ts';
import type { ElicitOptions } from '../question/question.ts';
import type { Run } from '../run/run.ts';
import { type Connection, makeConnection } from './connection.ts';
import { maxKeyLength, Owned, personOf } from './owned.ts';

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
  const { key, message, options: asking, ...rest } = readWanted(provider, options);
  run.signal.throwIfAborted();
  const find = async (): Promise<StoredConnection | null> => {
    const { client, call, signal } = run;
    const request = { ...rest, ...personOf(run) };
    const answer = await client.findConnection(request, { signal, traceparent: call.traceparent });
    return answer.state === 'stored' ? answer.connection : null;
  };
  const expects = { kind: 'connection' as const, ...rest };
  const declined = (comment?: string) => declinedProblem(rest.provider, comment);
  const account = new Owned(run, { key, message, options: asking, expects, find, declined });
  const stored = await account.findOrAsk();
  const reconnect = async (): Promise<StoredConnection> => {
    const current = await account.find();
    if (current && current.id !== stored.id) return current; // another call of this person has connected again
    return account.renew();
  };
  const source = { client: run.client, person: personOf(run), reconnect: account.hasAskedAgain ? null : reconnect };
  return makeConnection(source, stored);
}

function declinedProblem(provider: string, comment?: string): Problem {
  const reason = comment === undefined ? '' : ` Reason: ${comment}`;
  return new Problem('connection-declined', {
    detail: `Tell the person you work for: their ${provider} account was not connected, so this cannot go on.${reason}`,
  });
}

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
  key: z.string().min(1).max(maxKeyLength, `Name the question in at most ${maxKeyLength} characters.`).optional(),
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
