import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../../frames/frame/frame.ts';
import type { ToolDefinition } from '../../tools/definition/definition.ts';
import { headerText, textOfHeader } from '../headers/header-text.ts';

/**
 * The headers that repeat arguments of a call, as the tool's definition names them (`x-mcp-header`). They say what the
 * arguments say; those of the client, which are from before an edit, are never passed on.
 */
export function argumentHeaders(
  { inputSchema }: ToolDefinition,
  args: Record<string, unknown>,
): Record<string, string> {
  return Object.fromEntries(namedIn(inputSchema, args).map(([name, value]) => [name, headerText(String(value))]));
}

/** The first of these headers that a client did not send, or that says something else than the arguments; null if none. */
export function otherHeader(
  { inputSchema }: ToolDefinition,
  args: Record<string, unknown>,
  headers: IncomingHttpHeaders,
): string | null {
  const other = namedIn(inputSchema, args).find(([name, value]) => !says(headers[name], value));
  return other?.[0] ?? null;
}

/** A whole number may be written with zeros after the point: 42.0 is 42. */
function says(header: string | string[] | undefined, value: Plain): boolean {
  const sent = typeof header === 'string' ? textOfHeader(header) : null;
  return (typeof value === 'number' ? sent?.replace(/\.0+$/, '') : sent) === String(value);
}

/** Headers and values of what is marked, on the way of `properties` alone. */
function namedIn(schema: unknown, value: unknown): [name: string, value: Plain][] {
  if (!isObject(schema) || value === undefined || value === null) return [];
  const { 'x-mcp-header': name, type, properties } = schema;
  const isNamed = typeof name === 'string' && token.test(name) && types.has(type);
  const own: [string, Plain][] = isNamed && isPlain(value) ? [[`mcp-param-${name.toLowerCase()}`, value]] : [];
  if (!isObject(properties) || !isObject(value)) return own;
  const inner = Object.entries(properties).filter(([member]) => Object.hasOwn(value, member));
  return [...own, ...inner.flatMap(([member, part]) => namedIn(part, value[member]))];
}

/** What a header's name may be, by RFC 9110. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types = new Set<unknown>(['string', 'integer', 'boolean']);

type Plain = string | number | boolean;

/** A whole number that is too large has been rounded. */
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value)));
