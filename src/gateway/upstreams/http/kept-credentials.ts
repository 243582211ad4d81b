import { errorFrame, isFrameId, notPassedOn, textOfFrame, type FrameId } from '../../frames/frame/frame.ts';
import { inTurns } from '#platform/crypto/in-turns/in-turns';
import { SecretFinder } from '../../own-files/own-files/find-secret.ts';
import type { UpstreamLine } from '../../frames/reading/read-upstream.ts';
import type { UpstreamAnswer, UpstreamEvent } from '../upstream/upstream.ts';

/** Headers that hold what lets their sender in. */
const secretHeader = /auth|cookie|key|secret|token|password/i;

/** The same answer, but that it gives back to no client what the gateway was let in by: a server may repeat what it was sent. */
export function keepCredentials(
  answer: UpstreamAnswer,
  sent: Readonly<Record<string, string>>,
  id: FrameId | null,
): UpstreamAnswer {
  const secrets = Object.entries(sent).filter(([name]) => secretHeader.test(name));
  if (secrets.length === 0) return answer;
  const finder = new SecretFinder(secrets.map(([name, value]) => ({ name, value: value.split(' ').at(-1) ?? '' })));
  if (answer.isStream) return { ...answer, isStream: true, events: () => without(finder, answer.events()) };
  const text = async (): Promise<string> => {
    const whole = await answer.text();
    return (await inTurns(finder.search(whole))) === null ? whole : textOfFrame(errorFrame(id, notPassedOn(fault)));
  };
  return { ...answer, text };
}

async function* without(finder: SecretFinder, events: AsyncGenerator<UpstreamEvent>): AsyncGenerator<UpstreamEvent> {
  for await (const event of events) {
    const { message } = event;
    const isSafe = !message || 'fault' in message || (await inTurns(finder.search(message.frame))) === null;
    yield isSafe ? event : { ...event, message: faultOf(message) };
  }
}

function faultOf({ frame: { method, id } }: Exclude<UpstreamLine, { fault: string }>): UpstreamLine {
  return { fault, id: method === undefined && isFrameId(id) ? id : null };
}

const fault = 'it carries credentials of the gateway';
