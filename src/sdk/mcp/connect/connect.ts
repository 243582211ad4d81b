import { type Connection as StoredConnection, ProviderKey } from '#connect/connections/contract';
import { Scopes } from '#connect/providers/scopes';
import { Problem } from '#platform/model/problem';
import { z } from 'zod';
import { assertSignal } from '../../client/transport.ts';
import type { ElicitOptions } from '../question/question.ts';
import type { Run } from '../run/run.ts';
import { type Connection, makeConnection } from './connection.ts';
import { Owned, personOf } from './owned.ts';
import { optionsOf, ownedParameters, readParameters } from './parameters.ts';

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

const Parameters = z.strictObject({ provider: ProviderKey, scopes: Scopes.default([]), ...ownedParameters });

function readWanted(name: string, { signal, ...rest }: ConnectOptions): Wanted {
  assertSignal(signal);
  const { provider, scopes, ...asking } = readParameters(Parameters, { ...rest, provider: name }, 'connect');
  const { key = `connect:${provider}`, message = `Connect your ${provider} account.` } = asking;
  return { provider, scopes, key, message, options: optionsOf(asking, signal) };
}
