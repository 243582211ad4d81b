import { underSignals } from '#sdk/client/transport/linked-signal';
import { RpcFault, type Frame } from '../../frames/frame/frame.ts';
import { UpstreamRefusal } from '../../upstreams/upstream/upstream.ts';
import {
  isUnknownMethod,
  type AnsweredRequest,
  type MergedUpstream,
  type ForwardedRequest,
} from '../upstream/merged-upstream.ts';
import type { Part } from '../results/merge-results.ts';
import type { UpstreamSession } from '../names/opaque-token.ts';

/** Milliseconds after which an upstream is left out of what all of them answer. */
const timeoutMs = 30_000;

/** An upstream's answer, or why there is none. */
export type Outcome = { member: MergedUpstream } & ({ answered: AnsweredRequest } | { error: unknown });

/** What each upstream calls the client's session; null for a request without one. */
export type Sessions = ReadonlyMap<string, UpstreamSession> | null;

/** Asks all of them at once. One that does not answer is left out, and the operator is told. */
export function askEach(
  members: readonly MergedUpstream[],
  forwarded: ForwardedRequest,
  sessions: Sessions,
  frameFor: (member: MergedUpstream) => Frame,
): Promise<Outcome[]> {
  const ask = async (member: MergedUpstream, signal: AbortSignal): Promise<Outcome> => {
    try {
      const session = sessions?.get(member.name);
      const answered = await member.ask({ ...forwarded, frame: frameFor(member), signal, session });
      member.meet();
      return { member, answered };
    } catch (error) {
      if (!forwarded.signal.aborted && !isUnknownMethod(error)) member.miss(error);
      return { member, error };
    }
  };
  return underSignals([forwarded.signal, AbortSignal.timeout(timeoutMs)], (signal) =>
    Promise.all(members.map((member) => ask(member, signal))),
  );
}

/** Passes it to all of them, whatever they answer. */
export async function notifyEach(
  members: readonly MergedUpstream[],
  forwarded: ForwardedRequest,
  sessions: Sessions,
): Promise<void> {
  const tellings = members.map(async (member) => {
    const answer = await member.pass({ ...forwarded, session: sessions?.get(member.name) });
    if (!answer.isStream) await answer.text();
  });
  await Promise.allSettled(tellings);
}

/** What came back; throws an error of theirs if nothing did. */
export function partsOf(outcomes: readonly Outcome[]) {
  const answers = outcomes.filter((outcome) => 'answered' in outcome);
  if (answers.length === 0 && outcomes.length > 0) throw errorAmong(outcomes);
  const parts = answers.map(({ member, answered }): Part => ({ upstream: member.name, ...answered }));
  return { parts, before: answers.flatMap(({ answered }) => answered.before) };
}

/** Was not every upstream that is there able to answer? */
export const isRefused = (outcomes: readonly Outcome[]): boolean =>
  outcomes.some((outcome) => 'error' in outcome && !isAbsence(outcome.error));

/** That a session is lost says most: then the client connects again. */
function errorAmong(outcomes: readonly Outcome[]): unknown {
  const errors = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));
  return errors.find((error) => !isUnknownMethod(error)) ?? errors[0];
}

/** It was not reached, which says nothing about what it has. */
const isAbsence = (error: unknown): boolean =>
  !(error instanceof RpcFault) || (error instanceof UpstreamRefusal && error.status >= 500);
