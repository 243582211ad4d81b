import { isObject, metaKey } from '../frames/frame.ts';
import { ownTool } from '../tools/reports.ts';
import { capabilitiesIn } from './upstream.ts';
import { names } from './names.ts';

/** Answer of one upstream. */
export interface Part {
  upstream: string;
  result: Record<string, unknown>;
  /** The session that began with the answer. */
  session: string | null;
}

/** Member in which results of 2026-07-28 name their server. */
const serverInfo = metaKey('serverInfo');
const info = { name: 'assentry-gateway', title: 'Assentry', version: '1' };

/** The answer to `initialize`: the capabilities of all upstreams, in the oldest revision that one of them speaks. */
export const mergeGreetings = (parts: Part[]): Record<string, unknown> => ({
  ...commonOf(parts),
  protocolVersion: revisionsIn(parts).toSorted()[0],
  serverInfo: info,
});

/** The answer to `server/discover`: the revisions spoken by all upstreams. */
export function mergeDiscoveries(parts: Part[]): Record<string, unknown> {
  const [first = [], ...others] = parts.map(({ result }) => listIn(result, 'supportedVersions'));
  const supportedVersions = first.filter((version) => others.every((versions) => versions.includes(version)));
  const _meta = { [serverInfo]: info };
  return { ...commonOf(parts), ...cacheOf(parts), resultType: 'complete', supportedVersions, _meta };
}

/** One page of a list: the entries and other members of all upstreams, and their cursors. */
export function mergeLists(parts: Part[], member: string, nextCursor: string | null): Record<string, unknown> {
  const {
    nextCursor: _own,
    resultType: type,
    ...all
  } = parts.map(({ result }) => readable(result)).reduce(unitedObjects, {});
  const list = parts.flatMap(({ upstream, result }) =>
    listIn(result, member).filter((entry) => isValidEntry(member, entry) && isOthers(upstream)(entry)),
  );
  if (member === 'tools' && nextCursor === null) list.push(ownTool);
  const { _meta: meta } = all;
  const own = isObject(meta) && meta[serverInfo] !== undefined && { _meta: { ...meta, [serverInfo]: info } };
  const typed = type !== undefined && { resultType: 'complete' };
  return { ...all, ...typed, ...own, ...cacheOf(parts), [member]: list, ...(nextCursor !== null && { nextCursor }) };
}

/** Keeps the gateway's own tool once, although each upstream's address has it. */
const isOthers =
  (upstream: string) =>
  (entry: unknown): boolean =>
    !isObject(entry) || entry['name'] !== names.join(upstream, ownTool.name);

/** The part of a subscription that any upstream takes up. */
export const mergeHonored = (filters: unknown[]): unknown => filters.reduce((all, filter) => united(all, filter), {});

function commonOf(parts: Part[]) {
  const capabilities = parts.map(({ result }) => capabilitiesIn(result)).reduce(unitedObjects, {});
  const instructions = parts.flatMap(({ upstream, result: { instructions: text } }) =>
    typeof text === 'string' && text !== '' ? [`${upstream}: ${text}`] : [],
  );
  return { capabilities, ...(instructions.length > 0 && { instructions: instructions.join('\n\n') }) };
}

/** Cache hints of the whole: the shortest time of the parts, and for everyone only if each part is. */
function cacheOf(parts: Part[]) {
  const times = parts.map(({ result }) => result['ttlMs']).filter((time) => Number.isSafeInteger(time)) as number[];
  if (times.length === 0) return {};
  const isPublic = parts.every(({ result }) => result['cacheScope'] === 'public');
  return { ttlMs: Math.max(0, Math.min(...times)), cacheScope: isPublic ? 'public' : 'private' };
}

/** Union of two values, at any depth. */
function united(value: unknown, other: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(other)) return [...(value as unknown[]), ...(other as unknown[])];
  if (!isObject(value) || !isObject(other)) return value === undefined || value === false ? other : value;
  return unitedObjects(value, other);
}

function unitedObjects(value: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const keys = new Set([...Object.keys(value), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, key in other ? united(value[key], other[key]) : value[key]]));
}

/** A result whose `_meta` is an object or absent. */
function readable({ _meta: meta, ...result }: Record<string, unknown>): Record<string, unknown> {
  return { ...result, ...(isObject(meta) && { _meta: meta }) };
}

const listIn = (result: Record<string, unknown>, member: string): unknown[] => {
  const list = result[member];
  return Array.isArray(list) ? (list as unknown[]) : [];
};

const revisionsIn = (parts: Part[]): string[] =>
  parts.map(({ result }) => result['protocolVersion']).filter((value) => typeof value === 'string');

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isSchema: Check = (value) => isObject(value) && value['type'] === 'object';

/** Required members of an entry, by list. */
const required: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  tools: { name: isText, inputSchema: isSchema },
  prompts: { name: isText },
  resources: { uri: isText, name: isText },
  resourceTemplates: { uriTemplate: isText, name: isText },
  tasks: { taskId: isText, status: isText },
};

/** Optional members of an entry. */
const optional: Readonly<Record<string, Check>> = {
  title: isText,
  description: isText,
  mimeType: isText,
  annotations: isObject,
  outputSchema: isSchema,
  execution: isObject,
  arguments: Array.isArray,
  icons: Array.isArray,
  _meta: isObject,
};

/** Can clients read this entry of a list? One invalid entry would make them refuse those of all servers. */
function isValidEntry(list: string, entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const isThere = Object.entries(required[list] ?? {}).every(([name, check]) => check(entry[name]));
  return isThere && Object.entries(optional).every(([name, check]) => entry[name] === undefined || check(entry[name]));
}
