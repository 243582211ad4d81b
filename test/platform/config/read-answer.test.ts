import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import { parseCosignerKey } from '#audit/tree/rules/notes';
import { latestSeen } from '#keeping/backup/wiring';
import { postOffer } from '#audit/tree/loops/witnesses';
import { copyHeadsToBucket } from '#platform/config/heads';
import { askIssuer, checkByJwks } from '#platform/bearer/tokens';
import { DeliveryFailure } from '#notify/channel/delivery-failure';
import { createSlackClient } from '#notify/chat/slack/slack';
import { createTeamsClient } from '#notify/chat/msteams/msteams';
import { createConfiguration } from '#access/oidc/wiring';

const verifier = parseCosignerKey('remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2');
/** Small on its way, and a hundred megabytes when it is read. */
const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));

/** A service that answers everything without an end, or with the bomb, and counts the connections that were given up. */
let followed = 0;
const server = createServer((request, response) => {
  if (request.url?.startsWith('/moved')) return void response.writeHead(307, { location: `${url}/followed` }).end();
  if (request.url === '/followed') followed += 1;
  if (request.headers['x-amz-date'] !== undefined)
    return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  const write = (): void => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
  };
  response.on('drain', write).writeHead(200);
  write();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const bucket = () =>
  copyHeadsToBucket(
    { url: `${url}/bucket`, region: 'eu-test-1', accessKeyId: 'AKIATEST', secretAccessKey: 'secret-of-it', days: 1 },
    () => 0,
  );

test.each<[string, () => Promise<unknown>]>([
  ['a witness that is offered a head', () => postOffer({ verifier, url }, 'old 0\n')],
  ['a witness that is asked before a restore', () => latestSeen([{ verifier, url }], 'assentry/test')],
  ['a bucket', () => bucket()(1, 'assentry/test\n1\nroot\n\n')],
])('of %s no more is read than an answer can have', async (_name, ask) => {
  await expect(ask()).rejects.toThrowProblem('unavailable');
});

const service = () => new URL('/', url).href;
const jwt = `${Buffer.from('{"alg":"RS256","kid":"a"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.AAAA`;

test.each<[string, () => Promise<unknown>]>([
  ['Slack', () => createSlackClient({ token: 'xoxb', apiUrl: service() }).post('C1', { text: 'x', blocks: [] })],
  ['Microsoft Teams', () => createTeamsClient(teams(), Date.now).post('19:a@thread.tacv2', {})],
])('of %s no more is read than an answer can have', async (_name, ask) => {
  await expect(ask()).rejects.toThrow(DeliveryFailure);
});

test.each<[string, () => Promise<unknown>]>([
  ['an introspection', () => askIssuer(service(), { clientId: 'a', clientSecret: 'b' }, {})],
  ['keys', () => checkByJwks({ issuer: service(), audience: ['a'], jwks: service() } as never, Date.now)(jwt)],
  ['a provider', () => createConfiguration({ issuer: url, clientId: 'a', clientSecret: 'b' } as never, Date.now)()],
])('of %s no more is read than an answer can have either', async (_name, ask) => {
  await expect(ask()).rejects.toThrowProblem('unavailable');
});

test.each<[string, () => Promise<unknown>]>([
  ['a witness', () => postOffer({ verifier, url: `${url}/moved` }, 'old 0\n')],
  ['a witness before a restore', () => latestSeen([{ verifier, url: `${url}/moved` }], 'assentry/test')],
  ['an introspection', () => askIssuer(`${url}/moved`, { clientId: 'a', clientSecret: 'b' }, {})],
  ['Slack', () => createSlackClient({ token: 'x', apiUrl: `${url}/moved/` }).post('C1', { text: 'x', blocks: [] })],
])('a redirect of %s is not followed, so that secrets go nowhere else', async (_name, ask) => {
  await expect(ask()).rejects.toThrow();
  expect(followed).toBe(0);
});

const teams = () => ({ appId: 'a', appSecret: 'b', tenant: 'c', serviceUrl: service(), loginUrl: service() }) as never;
