import { awaitTool } from '#sdk/mcp/tools/tasks/pending-tools';
import {
  isObject,
  metaKey,
  paramsOf,
  rpcCodes,
  rpcError,
  unknownMethod,
  type Frame,
  type RpcError,
} from '../../frames/frame/frame.ts';
import { members, text, type Change } from '../../frames/reading/changes.ts';
import { addresses, ids, names, places, type Naming } from '../names/names.ts';

/** Where a message of a client goes. */
type Route =
  /** What it names belongs to this upstream, which gets it by its own name. */
  | { to: 'owner'; upstream: string; frame: Frame }
  /** Each upstream has a part of this list. */
  | { to: 'list'; member: string }
  | { to: 'every' }
  /** It names nothing that there is. */
  | { to: 'none'; error: RpcError };

/** By which parameter a method names what it is about. */
const named: Readonly<Record<string, { member: string; naming: Naming }>> = {
  'tools/call': { member: 'name', naming: names },
  'prompts/get': { member: 'name', naming: names },
  'resources/read': { member: 'uri', naming: addresses },
  'resources/subscribe': { member: 'uri', naming: addresses },
  'resources/unsubscribe': { member: 'uri', naming: addresses },
  'tasks/get': { member: 'taskId', naming: places },
  'tasks/update': { member: 'taskId', naming: places },
  'tasks/result': { member: 'taskId', naming: places },
  'tasks/cancel': { member: 'taskId', naming: places },
};

const lists: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'tasks/list': 'tasks',
};

/** Decides where a message of a client goes, from what it says alone, so that every node of the gateway decides the same. */
export function routeOf(frame: Frame): Route {
  const { method } = frame;
  if (typeof method !== 'string') return routeOfId(frame.id, (id) => ({ ...frame, id }));
  if (method === 'tools/call' && paramsOf(frame)['name'] === awaitTool.name) return routeOfWait(frame);
  const name = Object.hasOwn(named, method) ? named[method] : undefined;
  if (name) return routeOfName(frame, name.member, name.naming);
  if (method === 'completion/complete') return routeOfCompletion(frame);
  if (Object.hasOwn(lists, method)) return { to: 'list', member: lists[method] ?? '' };
  if (method === 'notifications/progress') return routeOfProgress(frame);
  const isForEvery = frame.id === undefined || method === 'ping' || method === 'logging/setLevel';
  return isForEvery ? { to: 'every' } : { to: 'none', error: unknownMethod };
}

/** What a client subscribes to, with the addresses and tasks of this upstream alone. */
export const ownFilter = (upstream: string): Change =>
  members({ resourceSubscriptions: ownOf(upstream, addresses), taskIds: ownOf(upstream, places) });

const ownOf =
  (upstream: string, naming: Naming): Change =>
  (list) =>
    (Array.isArray(list) ? list : []).flatMap((name) => {
      const owned = typeof name === 'string' ? naming.split(name) : null;
      return owned?.upstream === upstream ? [owned.own] : [];
    });

function routeOfName(frame: Frame, member: string, naming: Naming): Route {
  const params = paramsOf(frame);
  const name = params[member];
  const owned = typeof name === 'string' ? naming.split(name) : null;
  if (!owned) return { to: 'none', error: unknownName(name) };
  return toOwner(owned.upstream, { ...frame, params: { ...params, [member]: owned.own } });
}

/** One tool waits for the results of all upstreams: an id leads back to its own. */
function routeOfWait(frame: Frame): Route {
  const params = paramsOf(frame);
  const { elicitId, ...others } = isObject(params['arguments']) ? params['arguments'] : {};
  const owned = typeof elicitId === 'string' ? places.split(elicitId) : null;
  if (!owned) return { to: 'none', error: unknownName(elicitId) };
  return toOwner(owned.upstream, { ...frame, params: { ...params, arguments: { ...others, elicitId: owned.own } } });
}

/** A prompt has a name, and a template of resources an address. */
function routeOfCompletion(frame: Frame): Route {
  const { ref, ...params } = paramsOf(frame);
  const { name, uri, ...rest } = isObject(ref) ? ref : {};
  const [member, naming, value] = name === undefined ? ['uri', addresses, uri] : ['name', names, name];
  const owned = typeof value === 'string' ? (naming as Naming).split(value) : null;
  if (!owned) return { to: 'none', error: unknownName(value) };
  return toOwner(owned.upstream, { ...frame, params: { ...params, ref: { ...rest, [String(member)]: owned.own } } });
}

function routeOfProgress(frame: Frame): Route {
  const params = paramsOf(frame);
  return routeOfId(params['progressToken'], (progressToken) => ({
    ...frame,
    params: { ...params, progressToken },
  }));
}

function routeOfId(id: unknown, withOwn: (own: unknown) => Frame): Route {
  const owned = typeof id === 'string' ? ids.split(id) : null;
  return owned ? toOwner(owned.upstream, withOwn(owned.own)) : { to: 'none', error: unknownName(id) };
}

function toOwner(upstream: string, frame: Frame): Route {
  const own = text((task) => taskOf(upstream, task));
  const _meta = members({ [metaKey('related-task')]: members({ taskId: own }) });
  const change = members({ params: members({ _meta }), result: members({ _meta }) });
  return { to: 'owner', upstream, frame: change(frame) as Frame };
}

/** A task of the client itself has the name that the client gave it. */
function taskOf(upstream: string, task: string): string {
  const owned = places.split(task);
  return owned?.upstream === upstream ? owned.own : task;
}

/** The error for a name that leads to no upstream. */
export const unknownName = (name: unknown): RpcError =>
  rpcError(
    rpcCodes.invalidParams,
    'not-found',
    `Use a name from a list: there is no ${JSON.stringify(name) ?? 'name'}.`,
  );
