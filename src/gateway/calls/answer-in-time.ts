import type { AssentryClient, RequestOptions } from '#sdk/client/client';
import { withDeadline } from '#sdk/client/transport';

/**
 * Milliseconds Assentry has for an answer before anything has run: longer than a restart or another node's taking over
 * lasts, and shorter than an agent should wait to learn that no one can be asked.
 */
const answerTime = 6_000;

/** Ends a call soon if Assentry cannot judge it. After a claim it waits as before. */
export function answerInTime(client: AssentryClient, ms = answerTime): AssentryClient {
  const inTime =
    <Argument, Answer, Options extends RequestOptions>(
      ask: (argument: Argument, options?: Options) => Promise<Answer>,
    ) =>
    (argument: Argument, options?: Options): Promise<Answer> =>
      withDeadline(ms, options?.signal, (signal) => ask(argument, { ...options, signal } as Options));
  return {
    ...client,
    open: inTime(client.open),
    getToolCall: inTime(client.getToolCall),
    redeemState: inTime(client.redeemState),
    redeemRound: inTime(client.redeemRound),
    findCredential: inTime(client.findCredential),
    findConnection: inTime(client.findConnection),
  };
}
