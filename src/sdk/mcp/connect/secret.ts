import { SecretLabel } from '#connect/providers/expects';
import { Problem } from '#platform/model/problem';
import { z } from 'zod';
import { assertSignal } from '../../client/transport.ts';
import { askUnderSignals } from '../elicit/elicit.ts';
import type { ElicitOptions } from '../question/question.ts';
import type { Run } from '../run/run.ts';
import { maxKeyLength, Owned, personOf } from './owned.ts';
import { optionsOf, ownedParameters, readParameters } from './parameters.ts';
import { printedAsId } from './printed.ts';

export interface SecretOptions extends Pick<ElicitOptions, 'signal' | 'throwUrlRequired'> {
  /** `call`: it ends with this call. `until-removed`: later calls get it as well, until its person removes it. */
  keep: 'call' | 'until-removed';
  /** Names the question within the call: `secret:` and the label by default. */
  key?: string;
  /** What the person reads at their MCP client. */
  message?: string;
  /** Milliseconds until the question expires; 300 000 by default. */
  ttl?: number;
}

/** A secret of the requester's. It prints as its id, and shows its text only to the function that uses it. */
export interface Secret {
  readonly id: string;
  /** Runs this function with the text, and resolves with what it returns. */
  use: <T>(act: (text: string) => Promise<T> | T) => Promise<T>;
  /** Reports that it does not work: it is not given out again, and the next call asks for another one. */
  refuse: () => Promise<void>;
}

/**
 * Gives a secret that the requester enters on a page of Assentry, which neither their client nor its model sees; with
 * `until-removed` it asks only if there is none. Rejects with `secret-declined` if they do not enter it, and otherwise as
 * `elicit` does.
 *
 * ```ts
 * const countModels = async (_: object, { secret }: { secret: AskSecret }) => {
 *   const key = await secret('OpenAI key', { keep: 'until-removed' });
 *   return key.use(async (text) => (await listModels(text)).length);
 * };
 * const listModels = async (key: string): Promise<string[]> => [key.slice(0, 0)]; // your code
 * ```
 */
export type AskSecret = (label: string, options: SecretOptions) => Promise<Secret>;

export const createSecret =
  (run: Run): AskSecret =>
  (label, options) => {
    const secret = askSecret(run, label, options);
    secret.catch(() => {}); // a tool that forgets to await must not bring its whole process down
    return secret;
  };

async function askSecret(run: Run, label: string, options: SecretOptions): Promise<Secret> {
  const { keep, key, message, options: asking, ...named } = readWanted(label, options);
  run.signal.throwIfAborted();
  const expects = { kind: 'secret' as const, ...named, keep };
  if (keep === 'call') {
    const ofRequester = { ...asking, key, audience: 'requester' as const, supersede: 'none' as const };
    const answer = await askUnderSignals(run, message, { expects }, ofRequester);
    if (answer.status !== 'accept') throw declined(named.label, answer.comment);
    return makeSecret(run, String((answer.content as Record<string, unknown>)['secret']));
  }
  const find = async (): Promise<string | null> => {
    const { client, call, signal } = run;
    const request = { ...named, ...personOf(run) };
    const answer = await client.findSecret(request, { signal, traceparent: call.traceparent });
    return answer.state === 'stored' ? answer.id : null;
  };
  const problem = (comment?: string) => declined(named.label, comment);
  const owned = new Owned(run, { key, message, options: asking, expects, find, declined: problem });
  return makeSecret(run, await owned.findOrAsk());
}

function makeSecret(run: Run, id: string): Secret {
  const { client } = run;
  const person = personOf(run);
  const secret: Secret = {
    id,
    use: async (act) => act((await client.useSecret(id, person)).secret),
    refuse: () => client.refuseSecret(id, person),
  };
  return printedAsId(secret);
}

function declined(label: string, comment?: string): Problem {
  const reason = comment === undefined ? '' : ` Reason: ${comment}`;
  return new Problem('secret-declined', {
    detail: `Tell the person you work for: ${label} was not entered, so this cannot go on.${reason}`,
  });
}

interface Wanted {
  label: string;
  keep: SecretOptions['keep'];
  key: string;
  message: string;
  options: Pick<ElicitOptions, 'ttl' | 'signal' | 'throwUrlRequired'>;
}

const Parameters = z.strictObject({
  label: SecretLabel,
  keep: z.enum(['call', 'until-removed'], "Say how long to keep it: 'call' or 'until-removed'."),
  ...ownedParameters,
});

function readWanted(text: string, parameters: SecretOptions): Wanted {
  const { signal, ...rest } = parameters ?? {};
  assertSignal(signal);
  const { label, keep, ...asking } = readParameters(Parameters, { ...rest, label: text }, 'secret');
  const { key = `secret:${label}`.slice(0, maxKeyLength), message = `Enter your ${label}.` } = asking;
  return { label, keep, key, message, options: optionsOf(asking, signal) };
}
