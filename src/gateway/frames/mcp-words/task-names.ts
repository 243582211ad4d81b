import { entries, members, text, type Change } from '../reading/changes.ts';
import { isObject, metaKey, metaOf, paramsOf, type Frame } from '../frame/frame.ts';
import { otherSpellingIn } from '../frame/spelling.ts';

/** How the tasks of one owner are called by its client, and by the upstream. */
export interface TaskNames {
  /** The client's name of a task, which is its own from now on. */
  give(task: string): string;
  /** The upstream's name of a task; null if it is not the client's own. */
  take(name: string): string | null;
  isOwn(task: string): boolean;
}

const aboutTask = new Set<unknown>(['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel']);
const statuses = new Set<unknown>(['notifications/tasks/status', 'notifications/tasks']);
const relatedTask = metaKey('related-task');

/** The message as the upstream reads it; null if it asks for a task that is not the client's own. */
export function inwardTasks(frame: Frame, names: TaskNames): Frame | null {
  const { method, id } = frame;
  const take = text((name) => names.take(name) ?? name); // the client has tasks of its own, too
  const _meta = members({ [relatedTask]: members({ taskId: take }) });
  if (method === undefined) return members({ result: members({ _meta }) })(frame) as Frame;
  if (id !== undefined && !isOwn(frame, names)) return null;
  const taskIds = ownOf((name) => names.take(name));
  const taskId = aboutTask.has(method) && { taskId: take };
  return members({ params: members({ _meta, ...taskId, notifications: members({ taskIds }) }) })(frame) as Frame;
}

/** Are all the tasks that this request asks for the client's own, however a server reads their names? */
function isOwn(frame: Frame, names: TaskNames): boolean {
  const [params, meta] = [paramsOf(frame), metaOf(frame)];
  const { notifications } = params;
  const related = Object.hasOwn(meta, relatedTask) ? [meta[relatedTask]] : [];
  const about = aboutTask.has(frame.method) ? [params] : [];
  const parts = [params, meta, notifications, ...related].filter((part) => isObject(part));
  if (parts.some((part) => otherSpellingIn(part, ownMembers) !== null)) return false;
  return [...about, ...related].every((part) => {
    const task = isObject(part) ? part['taskId'] : undefined;
    return typeof task === 'string' && names.take(task) !== null;
  });
}

const ownMembers = ['_meta', 'notifications', 'taskId', 'taskIds', relatedTask];

/** The message as the client reads it; null if it says what becomes of another one's task. */
export function outwardTasks(frame: Frame, names: TaskNames): Frame | null {
  const give = text((task) => names.give(task));
  const _meta = metaFor(names);
  if (frame.method === undefined) return members({ result: outwardResult(names) })(frame) as Frame;
  const { taskId } = paramsOf(frame);
  const isStatus = statuses.has(frame.method);
  if (isStatus && !(typeof taskId === 'string' && names.isOwn(taskId))) return null;
  const taskIds = ownOf((task) => (names.isOwn(task) ? names.give(task) : null));
  const own = { ...(isStatus && { taskId: give, result: outwardResult(names) }), notifications: members({ taskIds }) };
  return members({ params: members({ _meta, ...own }) })(frame) as Frame;
}

/** A result as the client reads it. */
export function outwardResult(names: TaskNames): Change {
  const task = members({ taskId: text((own) => names.give(own)) });
  const isListed = (entry: unknown): boolean =>
    isObject(entry) && typeof entry['taskId'] === 'string' && names.isOwn(entry['taskId']);
  const tasks: Change = (list) => (Array.isArray(list) ? entries(task)(list.filter(isListed)) : list);
  const change = members({ task, tasks, _meta: metaFor(names), result: (inner) => change(inner) });
  return (result) => change(task(result));
}

/** What a message is about is the client's own, or has no name that it could use. */
const metaFor = (names: TaskNames): Change =>
  members({ [relatedTask]: members({ taskId: text((task) => (names.isOwn(task) ? names.give(task) : task)) }) });

const ownOf =
  (nameOf: (name: string) => string | null): Change =>
  (list) =>
    Array.isArray(list) ? list.flatMap((name) => (typeof name === 'string' ? (nameOf(name) ?? []) : [])) : list;
