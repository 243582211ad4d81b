import { isProblemCode } from '../../model/problem.ts';
import { entries, members, text, type Change } from './changes.ts';
import { isObject, textOfFrame, type Frame } from './frame.ts';
import type { UpstreamLine } from './read-upstream.ts';

/**
 * The same message, but for what would speak in Assentry's name: a result carries no mark of a pending or refused call,
 * and a question to the person at the client begins with the name of the server that asks.
 */
export function asServers(server: string): (line: UpstreamLine) => UpstreamLine {
  const say = text((words) => `Server "${server}": ${words}`);
  const question = members({ message: say, title: say, requestedSchema: members({ title: say }) });
  const request: Change = (asking) =>
    isObject(asking) && asking['method'] === 'elicitation/create' ? members({ params: question })(asking) : asking;
  const unmarked: Change = (value) =>
    members({ _meta: withoutMarks, inputRequests: each(request), result: unmarked })(value); // a task's is within its own
  const error = members({ data: (data) => members({ elicitations: entries(question) })(withoutMarks(data)) });
  const change: Change = (frame) =>
    isObject(frame) && frame['method'] === 'elicitation/create'
      ? request(frame)
      : members({ params: unmarked, result: unmarked, error })(frame);
  return (line) => {
    if ('fault' in line || line.isOwn) return line;
    const frame = change(line.frame) as Frame;
    return frame === line.frame ? line : { frame, text: textOfFrame(frame) };
  };
}

/** Leaves out by which clients and agents recognize an answer of Assentry. */
const withoutMarks: Change = (value) => {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, member]) => !isMark(name, member));
  if (kept.length === Object.keys(value).length) return value;
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
};

const isMark = (name: string, value: unknown): boolean =>
  name === 'elicitationPending' ||
  /^assentry\b/i.test(name) ||
  (name === 'code' && (isProblemCode(value) || value === 'declined' || value === 'cancelled'));

/** Changes each member of an object, whatever it is called. */
const each =
  (change: Change): Change =>
  (value) =>
    isObject(value) ? members(Object.fromEntries(Object.keys(value).map((name) => [name, change])))(value) : value;
