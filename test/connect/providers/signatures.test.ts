import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { hmacValidator as HmacValidator } from '@adyen/api-library';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { readEvent } from '#connect/events/rules/read';
import { faultOfSecret, type Headers } from '#connect/events/rules/signature';
import { Provider } from '#connect/providers/provider';
import { presets } from '#connect/providers/providers';
import type { Events } from '#connect/providers/signed-events';
import { drawFrom } from '../../support/draw.ts';
import { seedOf } from '../../support/runs.ts';

const now = Date.parse('2026-11-30T12:00:00Z');
const seconds = now / 1000;
const reference = `as_${'A'.repeat(22)}`;

/** An event as a provider sends it. */
interface Sent {
  body: Buffer;
  headers: Headers;
}

function eventsOf(name: string): Events {
  const { events } = Provider.parse(presets.get(name));
  if (!events) throw new Error(`${name} reports nothing.`);
  return events;
}

const read = (events: Events, secrets: readonly string[], { body, headers }: Sent, at = now) =>
  readEvent({ events, signingSecrets: secrets, accounts: ['acct_own'] }, body, headers, at);

const whyRefused = (events: Events, secrets: readonly string[], sent: Sent, at = now): string => {
  const result = read(events, secrets, sent, at);
  return result.state === 'refused' ? result.why : result.state;
};

const stripeSecret = 'whsec_5f0f3a0b9d6f4b6f8f3d7a1c2e4b6d8f';
const stripeBody = JSON.stringify(
  {
    id: 'evt_1',
    object: 'event',
    type: 'checkout.session.completed',
    data: {
      object: {
        id: 'cs_1',
        mode: 'payment',
        payment_status: 'paid',
        amount_total: 10_000,
        currency: 'eur',
        client_reference_id: reference,
        livemode: true,
      },
    },
  },
  null,
  2,
);
const { webhooks } = new Stripe('sk_test_1');
const stripeHeader = (parts: { secret?: string; timestamp?: number; payload?: string } = {}): string =>
  webhooks.generateTestHeaderString({ payload: stripeBody, secret: stripeSecret, timestamp: seconds, ...parts });
const bySdkOfStripe = (): Sent => ({
  body: Buffer.from(stripeBody),
  headers: { 'content-type': 'application/json', 'stripe-signature': stripeHeader() },
});

const standardSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const standardBody = JSON.stringify({
  type: 'payment.succeeded',
  data: { reference, id: 'pay_1', amount: '100.00', currency: 'EUR', payee: 'shop', live: true },
});
const bySdkOfStandard = (secret = standardSecret, body = standardBody): Sent => ({
  body: Buffer.from(body),
  headers: {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': new Webhook(secret).sign('msg_1', new Date(now), body),
  },
});

const docusignSecret = 'b2f5ff47436671b6e533d8dc3614845d';
const docusignBody = JSON.stringify({
  event: 'envelope-completed',
  generatedDateTime: '2026-11-30T12:00:00.0000000Z',
  data: { envelopeId: 'env-1', envelopeSummary: { status: 'completed' } },
});
const asDocumented = (): Sent => ({
  body: Buffer.from(docusignBody),
  headers: {
    'x-docusign-signature-1': createHmac('sha256', docusignSecret).update(docusignBody).digest('base64'),
  },
});

const adyenKey = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
const adyenItem = {
  additionalData: {} as Record<string, string>,
  amount: { value: 10_000, currency: 'EUR' },
  pspReference: '7914073381342284',
  originalReference: '',
  merchantAccountCode: 'TestMerchant',
  merchantReference: reference,
  eventCode: 'AUTHORISATION',
  eventDate: '2026-11-30T12:00:00+01:00',
  success: 'true',
};
function bySdkOfAdyen(parts: Record<string, unknown> = {}): Sent {
  const item = { ...adyenItem, ...parts };
  const hmacSignature = new HmacValidator().calculateHmac(item as never, adyenKey);
  const signed = { ...item, additionalData: { hmacSignature } };
  const notificationItems = [{ NotificationRequestItem: signed }];
  return { body: Buffer.from(JSON.stringify({ live: 'true', notificationItems })), headers: {} };
}

test.each([
  ['stripe', stripeSecret, bySdkOfStripe(), 'evt_1'],
  ['standard', standardSecret, bySdkOfStandard(), 'msg_1'],
  ['docusign', docusignSecret, asDocumented(), '["envelope-completed","env-1","2026-11-30T12:00:00.0000000Z"]'],
  ['adyen', adyenKey, bySdkOfAdyen(), '["7914073381342284","AUTHORISATION","true"]'],
])('an event that the SDK of %s has signed is read', (name, secret, sent, id) => {
  expect(read(eventsOf(name), [secret], sent)).toMatchObject({ state: 'read', event: { id, verdict: 'accept' } });
});

test('the example of Adyen for its key has the MAC that Adyen documents', () => {
  const item = {
    ...adyenItem,
    amount: { value: 1130, currency: 'EUR' },
    merchantReference: 'TestPayment-1407325143704',
    additionalData: { hmacSignature: 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=' },
  };
  const body = Buffer.from(JSON.stringify({ notificationItems: [{ NotificationRequestItem: item }] }));
  expect(read(eventsOf('adyen'), [adyenKey], { body, headers: {} })).toMatchObject({ state: 'read' });
});

const schemes: [string, string, () => Sent][] = [
  ['stripe', stripeSecret, bySdkOfStripe],
  ['standard', standardSecret, bySdkOfStandard],
  ['docusign', docusignSecret, asDocumented],
];

describe.each(schemes)('500 changes of an event of %s', (name, secret, make) => {
  const events = eventsOf(name);
  const draw = drawFrom(seedOf(`signatures of ${name}`));
  const below = (limit: number): number => Math.floor(draw() * limit);
  const { idHeader, timeHeader, header } = events.signed as { idHeader?: string; timeHeader?: string; header: string };

  test.each(['body', 'header'] as const)('in the %s are all refused', (place) => {
    for (let count = 0; count < 500; count += 1) {
      const { body, headers } = make();
      const names = [header, idHeader, timeHeader].filter((text) => text !== undefined);
      const chosen = names[below(names.length)] ?? header;
      const changed: Sent =
        place === 'body'
          ? { headers, body: changeBytes(body, below) }
          : { body, headers: { ...headers, [chosen]: changeText(String(headers[chosen]), below) } };
      expect(whyRefused(events, [secret], changed)).toMatch(/^(?:wrong-signature|unsigned)$/);
    }
  });

  test('of its secret are all refused', () => {
    for (let count = 0; count < 500; count += 1) {
      const bytes = Buffer.from(Array.from({ length: 32 }, () => below(256)));
      const other = name === 'standard' ? bytes.toString('base64') : bytes.toString('hex');
      expect(whyRefused(events, [other], make())).toBe('wrong-signature');
    }
  });
});

describe.each(schemes.filter(([name]) => name !== 'docusign'))('500 moves of the time of %s', (name, secret, make) => {
  test('are all refused', () => {
    const draw = drawFrom(seedOf(`times of ${name}`));
    for (let count = 0; count < 500; count += 1) {
      const { body, headers } = make();
      const by = (1 + Math.floor(draw() * 100_000)) * (draw() < 0.5 ? -1 : 1);
      const move = (text: unknown): string => String(text).replace(String(seconds), String(seconds + by));
      const moved = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, move(value)]));
      expect(moved).not.toEqual(headers);
      expect(whyRefused(eventsOf(name), [secret], { body, headers: moved })).toBe('wrong-signature');
      const isNear = Math.abs(by) <= 300;
      expect(whyRefused(eventsOf(name), [secret], { body, headers }, now + by * 1000)).toBe(
        isNear ? 'read' : 'too-old',
      );
    }
  });
});

describe('500 changes of an event of adyen', () => {
  const events = eventsOf('adyen');
  const draw = drawFrom(seedOf('signatures of adyen'));
  const below = (limit: number): number => Math.floor(draw() * limit);

  test('of a value that is signed are all refused', () => {
    const places = [
      'pspReference',
      'originalReference',
      'merchantAccountCode',
      'merchantReference',
      'eventCode',
      'success',
      'value',
      'currency',
      'hmacSignature',
    ];
    for (let count = 0; count < 500; count += 1) {
      const document = JSON.parse(String(bySdkOfAdyen().body)) as {
        notificationItems: { NotificationRequestItem: typeof adyenItem }[];
      };
      const item = document.notificationItems[0]?.NotificationRequestItem ?? adyenItem;
      const place = places[below(places.length)] ?? '';
      const holder: Record<string, unknown> =
        place === 'hmacSignature' ? item.additionalData : ['value', 'currency'].includes(place) ? item.amount : item;
      holder[place] = place === 'value' ? 10_001 + below(1000) : changeText(String(holder[place]), below);
      const body = Buffer.from(JSON.stringify(document));
      expect(whyRefused(events, [adyenKey], { body, headers: {} })).toMatch(/^(?:wrong-signature|unreadable)$/);
    }
  });

  test('of any byte are refused, or read as the same event', () => {
    const whole = read(events, [adyenKey], bySdkOfAdyen());
    for (let count = 0; count < 500; count += 1) {
      const body = changeBytes(bySdkOfAdyen().body, below);
      const result = read(events, [adyenKey], { body, headers: {} });
      if (result.state === 'read') expect(result).toEqual(whole);
    }
  });

  test('that move a value across a colon are refused', () => {
    const { body } = bySdkOfAdyen({ merchantAccountCode: 'Test', merchantReference: `Merchant:${reference}` });
    const shifted = String(body).replace('"Test"', '"Test:Merchant"').replace('"Merchant:', '"');
    expect(whyRefused(events, [adyenKey], { body, headers: {} })).toBe('wrong-signature');
    expect(whyRefused(events, [adyenKey], { body: Buffer.from(shifted), headers: {} })).toBe('wrong-signature');
  });

  test('that add an item, or leave none, are refused', () => {
    const document = JSON.parse(String(bySdkOfAdyen().body)) as { notificationItems: unknown[] };
    const [item] = document.notificationItems;
    for (const notificationItems of [[item, item], [], { 0: item }]) {
      const body = Buffer.from(JSON.stringify({ notificationItems }));
      expect(whyRefused(events, [adyenKey], { body, headers: {} })).toBe('unreadable');
    }
  });

  test('that take its MAC away are refused', () => {
    const body = Buffer.from(String(bySdkOfAdyen().body).replace('hmacSignature', 'signature'));
    expect(whyRefused(events, [adyenKey], { body, headers: {} })).toBe('unsigned');
  });
});

describe('a signature', () => {
  const stripe = eventsOf('stripe');
  const standard = eventsOf('standard');
  const withHeader = (value: string | string[] | undefined): Sent => ({
    ...bySdkOfStripe(),
    headers: { 'stripe-signature': value },
  });

  test('may be of any of several secrets', () => {
    const [old, wrong] = ['whsec_old_0f3a0b9d6f4b6f8f3d7a1c2e', 'whsec_wrong_3a0b9d6f4b6f8f3d7a1c'];
    const byOld = withHeader(stripeHeader({ secret: old }));
    expect(whyRefused(stripe, [stripeSecret, old], byOld)).toBe('read');
    expect(whyRefused(stripe, [stripeSecret, wrong], byOld)).toBe('wrong-signature');
    expect(whyRefused(stripe, [], byOld)).toBe('wrong-signature');
  });

  test('may stand among others in one header', () => {
    const [, mac = ''] = /v1=(\w+)/.exec(stripeHeader()) ?? [];
    const zeros = '0'.repeat(64);
    const read = (header: string): string => whyRefused(stripe, [stripeSecret], withHeader(header));
    expect(read(`t=${seconds},v1=${zeros},v1=${mac},v0=${zeros}`)).toBe('read');
    expect(read(`t=${seconds},v0=${mac}`)).toBe('wrong-signature');
    expect(read(`t=${seconds},t=${seconds},v1=${mac}`)).toBe('wrong-signature');
    expect(read(`v1=${mac}`)).toBe('wrong-signature');
    expect(read(`t=${seconds},v1=${mac.toUpperCase()}`)).toBe('wrong-signature');
    const { headers, body } = bySdkOfStandard();
    const others = `v1,${Buffer.alloc(32).toString('base64')} v1a,abc= ${String(headers['webhook-signature'])}`;
    const signed = { body, headers: { ...headers, 'webhook-signature': others } };
    expect(whyRefused(standard, [standardSecret], signed)).toBe('read');
  });

  test.each<[string, string | string[] | undefined, string]>([
    ['is absent', undefined, 'unsigned'],
    ['is empty', '', 'unsigned'],
    ['is sent twice', [stripeHeader(), stripeHeader()], 'wrong-signature'],
    ['is sent twice and joined', `${stripeHeader()}, ${stripeHeader()}`, 'wrong-signature'],
    ['follows another', `t=1,v1=00, ${stripeHeader()}`, 'wrong-signature'],
    ['is alone in a list', [stripeHeader()], 'read'],
  ])('that %s', (_how, value, result) => {
    expect(whyRefused(stripe, [stripeSecret], withHeader(value))).toBe(result);
  });

  test('whose header is sent in two spellings is refused', () => {
    const { body } = bySdkOfStripe();
    const headers = { 'stripe-signature': stripeHeader(), 'Stripe-Signature': stripeHeader() };
    expect(whyRefused(stripe, [stripeSecret], { body, headers })).toBe('wrong-signature');
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('of Standard Webhooks needs one %s', (name) => {
    const { body, headers } = bySdkOfStandard();
    const value = String(headers[name]);
    const read = (change: string | string[] | undefined): string =>
      whyRefused(standard, [standardSecret], { body, headers: { ...headers, [name]: change } });
    expect(read(undefined)).toBe('unsigned');
    expect(read([value, value])).toBe('wrong-signature');
    expect(read(`${value}, ${value}`)).toBe('wrong-signature');
  });

  test('holds for 300 seconds, of the past and of the future', () => {
    const at = (moved: number): string => whyRefused(stripe, [stripeSecret], bySdkOfStripe(), now + moved * 1000);
    expect([at(300), at(-300), at(301), at(-301)]).toEqual(['read', 'read', 'too-old', 'too-old']);
  });

  test('that is old and wrong is called wrong', () => {
    const other = ['whsec_wrong_3a0b9d6f4b6f8f3d7a1c'];
    expect(whyRefused(stripe, other, bySdkOfStripe(), now + 3_600_000)).toBe('wrong-signature');
  });

  test('is over the raw bytes: other bytes that decode to the same text are refused', () => {
    const replaced = '{"type":"payment.succeeded","note":"\uFFFD"}';
    const raw = Buffer.from(replaced.replace('\uFFFD', '?'));
    raw[raw.indexOf('?')] = 0xff;
    const { headers } = bySdkOfStandard(standardSecret, replaced);
    expect(new TextDecoder().decode(raw)).toBe(replaced);
    expect(whyRefused(standard, [standardSecret], { body: raw, headers })).toBe('wrong-signature');
  });

  test('comes before parsing: what is no JSON is not looked at without one', () => {
    const body = Buffer.from('{"__proto__":');
    expect(whyRefused(stripe, [stripeSecret], { body, headers: {} })).toBe('unsigned');
    const headers = { 'stripe-signature': stripeHeader({ payload: String(body) }) };
    expect(whyRefused(stripe, [stripeSecret], { body, headers })).toBe('unreadable');
  });

  test('agrees with the SDK of Stripe about what it refuses', () => {
    const takes = (header: string, body = stripeBody): boolean => {
      try {
        webhooks.constructEvent(body, header, stripeSecret, 300, undefined, now);
        return true;
      } catch {
        return false;
      }
    };
    for (const timestamp of [seconds, seconds - 300, seconds - 301]) {
      const header = stripeHeader({ timestamp });
      expect(takes(header)).toBe(whyRefused(stripe, [stripeSecret], withHeader(header)) === 'read');
    }
    expect(takes(stripeHeader(), `${stripeBody} `)).toBe(false);
  });
});

test.each([
  ['stripe', '123456789012345', 'which has 15 bytes and not at least 16'],
  ['stripe', stripeSecret, null],
  ['adyen', 'xyz', 'which is not written in hex'],
  ['adyen', 'ABC', 'which is not written in hex'],
  ['adyen', adyenKey, null],
  ['standard', 'whsec_?', 'which is not written in base64'],
  ['standard', 'whsec_AAAA', 'which has 3 bytes and not at least 16'],
  ['standard', standardSecret, null],
])('the secret of %s is judged before it is used: %j', (name, secret, fault) => {
  expect(faultOfSecret(eventsOf(name).signed, secret)).toBe(fault);
});

/** One byte is another one, is gone or is new. */
function changeBytes(body: Buffer, below: (limit: number) => number): Buffer {
  const at = below(body.length);
  const [before, after] = [body.subarray(0, at), body.subarray(at + 1)];
  const other = Buffer.from([((body[at] ?? 0) + 1 + below(255)) % 256]);
  return [
    () => Buffer.concat([before, other, after]),
    () => Buffer.concat([before, after]),
    () => Buffer.concat([before, other, body.subarray(at)]),
  ][below(3)]?.() as Buffer;
}

/** One character is another one, is gone or is new. */
function changeText(text: string, below: (limit: number) => number): string {
  const at = below(text.length);
  const other = String.fromCharCode(33 + ((text.charCodeAt(at) - 33 + 1 + below(93)) % 94));
  const changed = [text.slice(0, at) + other + text.slice(at + 1), text.slice(0, at) + text.slice(at + 1)][below(2)];
  return changed === undefined || changed === text ? `${text}x` : changed;
}
