import { isObject } from '../frames/frame.ts';
import type { ToolDefinition } from '../tools/definition.ts';
import { headerText } from './header-text.ts';

/**
 * The headers that repeat arguments of a call, as the tool's definition wants them (`x-mcp-header`). They say what the
 * arguments say; those of the client, which knows no edit, are never passed on.
 */
export function argumentHeaders(
  { inputSchema }: ToolDefinition,
  args: Record<string, unknown>,
): Record<string, string> {
  const named = namedIn(inputSchema, args).map(([name, value]) => [`mcp-param-${name.toLowerCase()}`, value] as const);
  return Object.fromEntries(named);
}

/** Names and texts of what is marked, on the way of `properties` alone. */
function namedIn(schema: unknown, value: unknown): [name: string, text: string][] {
  if (!isObject(schema) || value === undefined || value === null) return [];
  const { 'x-mcp-header': name, type, properties } = schema;
  const isNamed = typeof name === 'string' && token.test(name) && types.has(type);
  const own = isNamed && isPlain(value) ? [[name, headerText(String(value))] as [string, string]] : [];
  if (!isObject(properties) || !isObject(value)) return own;
  const inner = Object.entries(properties).filter(([member]) => Object.hasOwn(value, member));
  return [...own, ...inner.flatMap(([member, part]) => namedIn(part, value[member]))];
}

/** What a header's name may be, by RFC 9110. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types = new Set<unknown>(['string', 'integer', 'boolean']);

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || (Number.isSafeInteger(value) && typeof value === 'number');
