/** Version, trace, parent and flags: W3C Trace Context, section 3.2. */
const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

export interface Traceparent {
  traceId: string;
  /** The caller's span. */
  spanId: string;
  /** Header to pass on, in the version that is written here. */
  header: string;
}

/** Trace of a caller; undefined if absent or in no form of W3C. */
export function parseTraceparent(text: unknown): Traceparent | undefined {
  const [, traceId, spanId, flags] = (typeof text === 'string' && pattern.exec(text)) || [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, header: `00-${traceId}-${spanId}-${flags}` };
}
