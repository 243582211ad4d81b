import { parseTraceparent } from '#platform/model/traceparent';

/** What clients send by MCP, from 2024-11-05 to 2026-07-28. */
const requests = [
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'subscriptions/listen',
  'tasks/cancel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/update',
  'tools/call',
  'tools/list',
];
const notifications = ['cancelled', 'initialized', 'progress', 'roots/list_changed', 'tasks', 'tasks/status'];
const methods = new Set([...requests, ...notifications.map((name) => `notifications/${name}`)]);

/** The revisions in which a connection begins with `initialize`. */
export const sessionRevisions = ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** Has MCP this method, in exactly these letters, for messages of clients? */
export const isMcpMethod = (method: unknown): boolean => typeof method === 'string' && methods.has(method);

/** Does MCP itself reserve this member of `_meta`? Of those for tracing, only the one that has a fixed form counts. */
export const isReservedMeta = (name: string, value: unknown): boolean =>
  name === 'progressToken' ||
  name.startsWith('io.modelcontextprotocol/') ||
  (name === 'traceparent' && parseTraceparent(value) !== undefined);
