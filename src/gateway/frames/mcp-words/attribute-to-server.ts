import { isProblemCode } from '#platform/model/problem/problem';
import { members, text, type Change } from '../reading/changes.ts';
import { isObject, textOfFrame, type Frame } from '../frame/frame.ts';
import { changeQuestions, isQuestion } from './questions.ts';
import type { UpstreamLine } from '../reading/read-upstream.ts';

/**
 * The same message, without what could be taken for Assentry's own: a result carries no mark of a pending or refused call,
 * and a question to the person at the client begins with the name of the server that asks.
 */
export function attributeToServer(server: string): (line: UpstreamLine) => UpstreamLine {
  const say = text((words) => `Server "${server}": ${words}`);
  const named = changeQuestions(members({ message: say, title: say, requestedSchema: members({ title: say }) }));
  const unmarked: Change = (value) => members({ _meta: withoutMarks, result: unmarked })(value); // a task's is within its own
  const bare = members({ params: unmarked, result: unmarked, error: members({ data: withoutMarks }) });
  const change: Change = (frame) => named(isQuestion(frame) ? frame : bare(frame));
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
