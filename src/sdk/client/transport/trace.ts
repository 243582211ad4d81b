import { parseTraceparent } from '#platform/model/traceparent';

/** The header for this trace, or else for the one that OpenTelemetry has active in this process. */
export function traceOf(traceparent: string | undefined): { traceparent?: string } {
  const trace = parseTraceparent(traceparent ?? activeTraceparent());
  return trace ? { traceparent: trace.header } : {};
}

interface OpenTelemetry {
  context?: { active(): unknown };
  propagation?: {
    inject(
      context: unknown,
      carrier: object,
      setter: { set(carrier: object, name: string, value: string): void },
    ): void;
  };
}

/** `@opentelemetry/api` keeps what a program has set up under this symbol, so that it is found without the package. */
function activeTraceparent(): string | undefined {
  const { context, propagation } = (globalThis as Record<symbol, OpenTelemetry | undefined>)[apiSymbol] ?? {};
  if (!context || !propagation) return undefined;
  const headers = new Map<string, string>();
  propagation.inject(context.active(), {}, { set: (_carrier, name, value) => void headers.set(name, value) });
  return headers.get('traceparent');
}

const apiSymbol = Symbol.for('opentelemetry.js.api.1');
