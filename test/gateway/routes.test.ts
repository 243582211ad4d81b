import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { createRoutes } from '#gateway/gateway';
import { until } from '../support/poll.ts';

const portOf = (http: Server): number => (http.address() as AddressInfo).port;
const listen = (http: Server) => once(http.listen(0, '127.0.0.1'), 'listening');

/** An issuer that says whose a token is when the test has it say so. */
const waiting: ServerResponse[] = [];
const issuer = createServer((_, response) => void waiting.push(response));
let served = 0;
let left = 0;

const answer = (response: ServerResponse | undefined): void => {
  const token = { active: true, sub: 'ada', aud: 'http://127.0.0.1/mcp' };
  response?.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token));
};
const request = 'GET /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer token\r\n\r\n';

await listen(issuer);
const introspection = `http://127.0.0.1:${portOf(issuer)}/introspect`;
const source = { issuer: 'https://issuer.example.com', introspection, clientId: 'gate', clientSecret: 'secret' };
const origin = 'http://127.0.0.1';
const route = createRoutes({
  handlers: new Map([['/mcp', async (_caller, _request, response) => void ((served += 1), response.end())]]),
  authorization: { source, scopes: [], sessionSecret: undefined, sendAccessToken: false },
  origin,
  ownOrigin: origin,
});
const gateway = createServer((request, response) => {
  response.once('close', () => (left += 1));
  void route(request, response);
});
afterAll(() => {
  for (const http of [gateway, issuer]) http.closeAllConnections();
  for (const http of [gateway, issuer]) http.close();
});
await listen(gateway);

test('nothing is begun for a client that left before it was let in: it would take a place, and a stream, for ever', async () => {
  const leaving = connect(portOf(gateway), '127.0.0.1');
  leaving.write(request);
  await until(() => waiting.length === 1);
  leaving.destroy();
  await until(() => left === 1);
  answer(waiting[0]);
  const staying = connect(portOf(gateway), '127.0.0.1');
  staying.write(request);
  await until(() => waiting.length === 2);
  answer(waiting[1]);
  expect(String((await once(staying, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
  expect(served).toBe(1);
  staying.destroy();
});
