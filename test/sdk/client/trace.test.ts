import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { context, propagation, ROOT_CONTEXT, type ContextManager, type TextMapPropagator } from '@opentelemetry/api';
import { createClient, type AssentryClient } from '#sdk/client/client';
import { elicitationId, sendJson, startScriptedServer, stateOf, type ScriptedServer } from './scripted-server.ts';

const traceOf = (digit: string): string => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;

let server: ScriptedServer;
let client: AssentryClient;
beforeEach(async () => {
  server = await startScriptedServer((_request, response) => sendJson(response, 200, stateOf()));
  client = createClient({ url: server.url, apiKey: 'asn_test' });
});
afterEach(async () => {
  context.disable();
  propagation.disable();
  await server.stop();
});

/** What a program's OpenTelemetry has active. */
function activate(traceparent: string): void {
  const manager = {
    active: () => ROOT_CONTEXT,
    enable: () => manager,
    disable: () => manager,
  } as unknown as ContextManager;
  const propagator: TextMapPropagator = {
    inject(_context, carrier, setter) {
      setter.set(carrier, 'traceparent', traceparent);
      setter.set(carrier, 'baggage', 'user=ada');
    },
    extract: (active) => active,
    fields: () => ['traceparent', 'baggage'],
  };
  context.setGlobalContextManager(manager);
  propagation.setGlobalPropagator(propagator);
}

const sent = () => server.heard.map(({ headers }) => [headers['traceparent'], headers['baggage']]);

describe('a request brings', () => {
  test('no trace if there is none', async () => {
    await client.get(elicitationId);
    expect(sent()).toEqual([[undefined, undefined]]);
  });

  test('the trace that it is sent for', async () => {
    await client.get(elicitationId, { traceparent: traceOf('a') });
    await client.cancel(elicitationId, {}, { traceparent: traceOf('b') });
    expect(sent()).toEqual([
      [traceOf('a'), undefined],
      [traceOf('b'), undefined],
    ]);
  });

  test.each(['nothing of W3C', `${traceOf('a')}\r\nx-evil: 1`, 'ü'])('nothing in place of %j', async (traceparent) => {
    await client.get(elicitationId, { traceparent });
    expect(sent()).toEqual([[undefined, undefined]]);
  });

  test('the trace that OpenTelemetry has active, and nothing else of it, unless another one is named', async () => {
    activate(traceOf('c'));
    await client.get(elicitationId);
    await client.get(elicitationId, { traceparent: traceOf('a') });
    expect(sent()).toEqual([
      [traceOf('c'), undefined],
      [traceOf('a'), undefined],
    ]);
  });
});
