import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { MintedToken } from '#requests/pages/contract';
import type { ServerId, UserId } from '#platform/model/id';
import { planNews } from '#notify/verbs/plan';
import { takeDueTimers } from '#requests/state/verbs/end';
import { setOwner } from '#people/groups/verbs';
import { json } from '../support/json.ts';
import { openBrowser, type Browser } from '../support/nodes/console.ts';
import { startTwoNodes } from '../support/nodes/two-nodes.ts';
import { openMailBox, type ReceivedMail } from './mail-box.ts';
import { openPushBrowser } from './push-browser.ts';
import { openReceiver, reach } from './receiver.ts';
import { untilQuiet } from './until-quiet.ts';

let ahead = 0;
const now = () => Date.now() + ahead;
const [box, receiver] = [await openMailBox(), await openReceiver()];
const house = await startTwoNodes({ smtp: box.settings, webhooks: reach, now });
afterAll(async () => {
  await house.stop();
  await Promise.all([box.stop(), receiver.stop()]);
});
const [node, other] = house.nodes;
const [admin, owner, stranger] = [await openBrowser(node, 'admin'), await openBrowser(node), await openBrowser(node)];
const [server] = (await house.query('SELECT id FROM server')) as [ServerId];
const give = (to: Browser | null) => setOwner(node.engine, 'operator', server, (to?.user.id ?? null) as UserId | null);
beforeEach(() => give(owner));
afterEach(() => void (ahead = 0));

const schema = { type: 'object', properties: { payment: { type: 'string' } }, required: ['payment'] };
const question = { tool: { name: 'pay' }, mode: 'url', audience: 'requester', url: 'https://pay.example/', schema };

async function ask() {
  const { id } = await house.asking.open({ ...question, session: 's', ttl: 600_000 });
  const sent = { session: 's', elicitation: id };
  const { callbackUrl } = await json<MintedToken>(house.asking.call('POST', '/v1/tokens', sent));
  const report = async (body: object): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(callbackUrl ?? '', { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };
  const cancel = () => house.asking.call('POST', `/v1/elicitations/${id}/cancel`, {});
  return { id, report, cancel };
}

/** The mails about this request, after every node had the time to plan and send. */
async function news(id: string): Promise<ReceivedMail[]> {
  await Promise.all([planNews(node.engine), planNews(other.engine)]);
  await planNews(node.engine);
  await untilQuiet(house);
  return box.received.filter(({ source }) => source.includes(id));
}
const paid = (payment: string) => ({ content: { payment } });

describe('the owner of a server', () => {
  test('is told once, by mail and in the browser, of a report that came late, and not what it says', async () => {
    const phone = await openPushBrowser(receiver, owner);
    const { id, report, cancel } = await ask();
    await cancel();
    expect([await report(paid('pi_secret_1')), await report(paid('pi_secret_2'))]).toEqual([409, 409]);
    const [mail, ...others] = await news(id);
    expect([mail?.to, mail?.subject, others]).toEqual([
      owner.user.email,
      'A service reported, and no call got it: pay (payments)',
      [],
    ]);
    expect(mail?.source).toContain(`/requests/${id}`);
    const pushes = (await phone.read()).filter(({ path }) => path === `/requests/${id}`);
    expect(pushes).toMatchObject([{ title: 'A service reported, and no call got it: pay (payments)' }]);
    expect(JSON.stringify([box.received, pushes])).not.toContain('pi_secret');
    expect(await news(id)).toHaveLength(1);
  });

  test('is told of a report that comes after the request expired', async () => {
    const { id, report } = await ask();
    ahead = 600_001;
    await takeDueTimers(node.engine);
    expect(await report(paid('pi_1'))).toBe(400);
    expect((await news(id)).map(({ to }) => to)).toEqual([owner.user.email]);
  });

  test('is told of one that does not fit while its request waits, and once more of one that comes late', async () => {
    const { id, report, cancel } = await ask();
    expect(await report({ content: { payment: 1 } })).toBe(400);
    expect(await news(id)).toHaveLength(1);
    await cancel();
    expect(await report(paid('pi_1'))).toBe(409);
    expect(await news(id)).toHaveLength(2);
  });

  test('is not told if a report that fits follows, nor of a report that is taken', async () => {
    const [corrected, plain] = [await ask(), await ask()];
    expect(await corrected.report({ content: {} })).toBe(400);
    expect([await corrected.report(paid('pi_1')), await plain.report(paid('pi_2'))]).toEqual([200, 200]);
    expect([await news(corrected.id), await news(plain.id)]).toEqual([[], []]);
  });

  test('is told as they wish: in their language, or by no mail', async () => {
    await owner.call('PATCH', '/api/notifications/settings', { language: 'de' });
    const heard = await ask();
    await heard.cancel();
    await heard.report(paid('pi_1'));
    expect((await news(heard.id)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Ein Dienst hat etwas gemeldet, das kein Aufruf erhielt: pay/),
    ]);
    await owner.call('PATCH', '/api/notifications/settings', { email: false });
    const silent = await ask();
    await silent.cancel();
    await silent.report(paid('pi_1'));
    expect(await news(silent.id)).toEqual([]);
  });
});

test('where a server has no owner, administrators are told, and no one else', async () => {
  await give(null);
  const { id, report, cancel } = await ask();
  await cancel();
  await report(paid('pi_1'));
  const addresses = (await news(id)).map(({ to }) => to);
  expect(addresses).toContain(admin.user.email);
  expect(addresses).not.toContain(owner.user.email);
  expect(addresses).not.toContain(stranger.user.email);
});
