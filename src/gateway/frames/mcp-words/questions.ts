import { each, entries, members, type Change } from '../reading/changes.ts';
import { isObject } from '../frame/frame.ts';

const method = 'elicitation/create';

/**
 * Changes each question to the person at the client in a message of a server, wherever it may be: the request itself, a
 * result or a task that asks for more, and the error that names addresses to go to.
 */
export function changeQuestions(question: Change): Change {
  const request: Change = (asking) => (isQuestion(asking) ? members({ params: question })(asking) : asking);
  const inner: Change = (value) => members({ inputRequests: each(request), result: inner })(value); // a task's is within its own
  const error = members({ data: members({ elicitations: entries(question) }) });
  return (frame) => (isQuestion(frame) ? request(frame) : members({ params: inner, result: inner, error })(frame));
}

export const isQuestion = (message: unknown): boolean => isObject(message) && message['method'] === method;

/** Does this question lead its person to an address, for any reader, also one that ignores the case of names? */
export const leadsOut = (question: unknown): question is Record<string, unknown> =>
  isObject(question) &&
  Object.entries(question).some(([name, value]) => isNamed(name, 'url') || (isNamed(name, 'mode') && value === 'url'));

/** The address that it leads to; null if it has none, or two readers could read different ones. */
export function addressIn(question: Record<string, unknown>): string | null {
  const names = Object.keys(question).filter((name) => isNamed(name, 'url'));
  const { url } = question;
  return names.length === 1 && typeof url === 'string' ? url : null;
}

const isNamed = (name: string, member: string): boolean => name.toLowerCase() === member;
