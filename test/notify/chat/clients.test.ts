import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createTeamsClient } from '#notify/chat/msteams/msteams';
import { createSlackClient } from '#notify/chat/slack/slack';

let answer: RequestListener;
let calls = 0;
const http = createServer((request, response) => {
  calls += 1;
  answer(request, response);
});
http.listen(0, '127.0.0.1');
await once(http, 'listening');
const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
afterAll(async () => {
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});

const place = { channel: 'C0123ABCD', ts: '1.2' };
const posts: Record<string, (address: string) => Promise<unknown>> = {
  Slack: (address) =>
    createSlackClient({ token: 'xoxb-test', apiUrl: address }, 200).post(place.channel, { text: '', blocks: [] }),
  'the Bot Connector': (address) => teams(address).post('19:0123456789@thread.tacv2', {}),
};
const teams = (address: string) => {
  const addresses = { serviceUrl: address, loginUrl: address, keysUrl: address };
  return createTeamsClient({ appId: 'a', appSecret: 's', tenant: 't', ...addresses }, Date.now, 200);
};

describe.each(Object.entries(posts))('%s', (_name, post) => {
  test('that never answers is let go of', async () => {
    answer = () => {};
    await expect(post(url)).rejects.toMatchObject({ name: 'DeliveryFailure', code: 'TimeoutError', isFinal: false });
  });

  test('that redirects is not followed, so that no secret goes elsewhere', async () => {
    answer = (_request, response) => void response.writeHead(307, { location: `${url}elsewhere` }).end();
    const before = calls;
    await expect(post(url)).rejects.toMatchObject({ name: 'DeliveryFailure', isFinal: false });
    expect(calls).toBe(before + 1);
  });

  test('that is not there is tried again', async () => {
    const nowhere = 'http://127.0.0.1:1/';
    await expect(post(nowhere)).rejects.toMatchObject({ name: 'DeliveryFailure', isFinal: false });
  });

  test.each([200, 500, 503])('that answers %i with a page is tried again', async (status) => {
    answer = (_request, response) => void response.writeHead(status, { 'content-type': 'text/html' }).end('<p>');
    await expect(post(url)).rejects.toMatchObject({ name: 'DeliveryFailure', isFinal: false });
  });
});

test('the Bot Connector is asked with one token until shortly before it ends', async () => {
  const paths: string[] = [];
  answer = (request, response) => {
    paths.push(request.url ?? '');
    const body = request.url?.endsWith('token')
      ? { access_token: 'token', expires_in: 3600 }
      : { id: 'a', activityId: 'b' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  let now = Date.now();
  const addresses = { serviceUrl: url, loginUrl: url, keysUrl: url };
  const client = createTeamsClient({ appId: 'a', appSecret: 's', tenant: 't', ...addresses }, () => now);
  await client.update(place, {});
  now += 3_290_000;
  await client.update(place, {});
  now += 20_000;
  await client.update(place, {});
  expect(paths.filter((path) => path.endsWith('token'))).toHaveLength(2);
  expect(paths.filter((path) => path === '/v3/conversations/C0123ABCD/activities/1.2')).toHaveLength(3);
});
