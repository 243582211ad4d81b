/** The trace of a call, where MCP puts it; what is in no form of W3C is not sent on. */
export function traceIn(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const trace = meta?.['traceparent'];
  return typeof trace === 'string' ? trace : undefined;
}
