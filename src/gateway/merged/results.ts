import { isObject, metaKey } from '../frames/frame.ts';
import { ownTool } from '../tools/reports.ts';
import { capabilitiesIn } from './upstream.ts';
import { names } from './names.ts';

/** What one upstream answered. */
export interface Part {
  upstream: string;
  result: Record<string, unknown>;
  /** The session that began with it. */
  session: string | null;
}

/** Where results of 2026-07-28 name their server. */
const serverInfo = metaKey('serverInfo');
const info = { name: 'assentry-gateway', title: 'Assentry', version: '1' };

/** The answer to `initialize`: what any of them can do, in the oldest revision that one of them speaks. */
export const mergeGreetings = (parts: Part[]): Record<string, unknown> => ({
  ...commonOf(parts),
  protocolVersion: revisionsIn(parts).toSorted()[0],
  serverInfo: info,
});

/** The answer to `server/discover`: the revisions that all of them speak. */
export function mergeDiscoveries(parts: Part[]): Record<string, unknown> {
  const [first = [], ...others] = parts.map(({ result }) => listIn(result, 'supportedVersions'));
  const supportedVersions = first.filter((version) => others.every((versions) => versions.includes(version)));
  const _meta = { [serverInfo]: info };
  return { ...commonOf(parts), ...cacheOf(parts), resultType: 'complete', supportedVersions, _meta };
}

/** One page of a list: what each of them has and says of it, and where each goes on. */
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

/** Each upstream's address has the gateway's own tool, and here it is there once. */
const isOthers =
  (upstream: string) =>
  (entry: unknown): boolean =>
    !isObject(entry) || entry['name'] !== names.join(upstream, ownTool.name);

/** What any of them takes up of a subscription. */
export const mergeHonored = (filters: unknown[]): unknown => filters.reduce((all, filter) => united(all, filter), {});

function commonOf(parts: Part[]) {
  const capabilities = parts.map(({ result }) => capabilitiesIn(result)).reduce(unitedObjects, {});
  const instructions = parts.flatMap(({ upstream, result: { instructions: text } }) =>
    typeof text === 'string' && text !== '' ? [`${upstream}: ${text}`] : [],
  );
  return { capabilities, ...(instructions.length > 0 && { instructions: instructions.join('\n\n') }) };
}

/** An answer is good for as long as each of its parts, and for everyone if each of them is. */
function cacheOf(parts: Part[]) {
  const times = parts.map(({ result }) => result['ttlMs']).filter((time) => Number.isSafeInteger(time)) as number[];
  if (times.length === 0) return {};
  const isPublic = parts.every(({ result }) => result['cacheScope'] === 'public');
  return { ttlMs: Math.max(0, Math.min(...times)), cacheScope: isPublic ? 'public' : 'private' };
}

/** What either of them has, at any depth. */
function united(value: unknown, other: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(other)) return [...(value as unknown[]), ...(other as unknown[])];
  if (!isObject(value) || !isObject(other)) return value === undefined || value === false ? other : value;
  return unitedObjects(value, other);
}

function unitedObjects(value: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const keys = new Set([...Object.keys(value), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, key in other ? united(value[key], other[key]) : value[key]]));
}

/** A result, with no other `_meta` than an object. */
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

/** What an entry of each list must have. */
const required: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  tools: { name: isText, inputSchema: isSchema },
  prompts: { name: isText },
  resources: { uri: isText, name: isText },
  resourceTemplates: { uriTemplate: isText, name: isText },
  tasks: { taskId: isText, status: isText },
};

/** What it may have. */
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

/** Can clients read this entry of a list? One that they cannot would make them refuse the entries of all servers. */
function isValidEntry(list: string, entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const isThere = Object.entries(required[list] ?? {}).every(([name, check]) => check(entry[name]));
  return isThere && Object.entries(optional).every(([name, check]) => entry[name] === undefined || check(entry[name]));
}
