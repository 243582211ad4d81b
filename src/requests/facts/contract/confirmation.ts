/** A call of a tool as someone pasted it. No tool is named if they pasted its arguments alone. */
interface PastedCall {
  tool: string | null;
  arguments: Record<string, unknown>;
}

/** Faults of a pasted text that is no call: no JSON, no JSON object, or another message of MCP. */
export type PasteFault = 'json' | 'object' | 'message';

/** Reads MCP's `tools/call`, its `params` alone, or the arguments alone. */
export function readPastedCall(text: string): PastedCall | PasteFault {
  const value = parse(text);
  if (value === undefined) return 'json';
  if (!isObject(value)) return 'object';
  if ('method' in value && 'jsonrpc' in value && value['method'] !== 'tools/call') return 'message';
  const params = isObject(value['params']) ? value['params'] : value;
  const { name, arguments: values } = params;
  if (typeof name !== 'string' || (params === value && !isObject(values))) return { tool: null, arguments: value };
  return { tool: name, arguments: isObject(values) ? values : {} };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
