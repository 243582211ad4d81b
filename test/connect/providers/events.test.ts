import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { judge, readEvent } from '#connect/events/rules/read';
import { Provider, type ProviderInput } from '#connect/providers/provider';
import { presets } from '#connect/providers/providers';
import { Events } from '#connect/providers/signed-events';

const reference = `as_${'A'.repeat(22)}`;
const hash = 'ab'.repeat(32);

function eventsOf(name: string): Events {
  const { events } = Provider.parse(presets.get(name));
  if (!events) throw new Error(`${name} reports nothing.`);
  return events;
}

const reader = (name: string) => ({ events: eventsOf(name), accounts: ['acct_own', 'acct_connected'] });

const session = (parts: object = {}) => ({
  id: 'cs_1',
  mode: 'payment',
  payment_status: 'paid',
  amount_total: 10_050,
  currency: 'eur',
  client_reference_id: reference,
  livemode: true,
  ...parts,
});
const stripeEvent = (type: string, parts?: object, others: object = {}) => ({
  id: 'evt_1',
  type,
  data: { object: session(parts) },
  ...others,
});
const paid = { amount: '100.50', currency: 'EUR', payee: 'acct_own', isLive: true };

test.each<[string, object, object]>([
  ['checkout.session.completed', {}, { verdict: 'accept', facts: paid }],
  [
    'checkout.session.completed',
    { payment_status: 'no_payment_required', amount_total: 0 },
    { verdict: 'accept', facts: { ...paid, amount: '0.00' } },
  ],
  ['checkout.session.completed', { payment_status: 'unpaid' }, { verdict: 'pending', facts: paid }],
  ['checkout.session.completed', { payment_status: 'new' }, { verdict: 'nothing', facts: {} }],
  ['checkout.session.completed', { mode: 'subscription' }, { verdict: 'nothing', facts: {} }],
  ['checkout.session.async_payment_succeeded', {}, { verdict: 'accept', facts: paid }],
  ['checkout.session.async_payment_failed', { payment_status: 'unpaid' }, { verdict: 'decline', facts: paid }],
  ['checkout.session.expired', { payment_status: 'unpaid' }, { verdict: 'cancel', facts: paid }],
  ['payment_intent.succeeded', {}, { verdict: 'nothing', facts: {} }],
  ['charge.refunded', {}, { verdict: 'nothing', facts: {} }],
])('%s of Stripe with %j is %j', (type, parts, result) => {
  const object = { reference, object: 'cs_1', ...result };
  expect(judge(reader('stripe'), stripeEvent(type, parts))).toEqual(object);
});

test.each<[string, object, object, object]>([
  ['of a connected account', {}, { account: 'acct_connected' }, { ...paid, payee: 'acct_connected' }],
  ['of the test mode', { livemode: false }, {}, { ...paid, isLive: false }],
  ['in yen', { currency: 'jpy' }, {}, { ...paid, currency: 'JPY', amount: '10050' }],
  ['in crowns, which Stripe gives two digits', { currency: 'isk' }, {}, { ...paid, currency: 'ISK' }],
  ['in ariary, which Stripe gives none', { currency: 'mga' }, {}, { ...paid, currency: 'MGA', amount: '10050' }],
  ['without an amount', { amount_total: null }, {}, { currency: 'EUR', payee: 'acct_own', isLive: true }],
  ['with a broken amount', { amount_total: 100.5 }, {}, { currency: 'EUR', payee: 'acct_own', isLive: true }],
  ['below nothing', { amount_total: -10_050 }, {}, { currency: 'EUR', payee: 'acct_own', isLive: true }],
  ['in no currency', { currency: 'xxx' }, {}, { currency: 'XXX', payee: 'acct_own', isLive: true }],
  ['with a list for a currency', { currency: ['eur'] }, {}, { payee: 'acct_own', isLive: true }],
  ['with a text for a mode', { livemode: 'yes' }, {}, { amount: '100.50', currency: 'EUR', payee: 'acct_own' }],
  ['with an unclear payee', {}, { account: { id: 'acct_own' } }, { amount: '100.50', currency: 'EUR', isLive: true }],
  ['with an empty payee', {}, { account: '' }, { amount: '100.50', currency: 'EUR', isLive: true }],
])('a payment at Stripe %s says so', (_how, parts, others, facts) => {
  const event = stripeEvent('checkout.session.completed', parts, others);
  expect(judge(reader('stripe'), event).facts).toEqual(facts);
});

const envelope = (event: string, parts: object = {}) => ({
  event,
  retryCount: 0,
  generatedDateTime: '2026-11-30T12:00:00.0000000Z',
  data: {
    envelopeId: 'env-1',
    envelopeSummary: {
      status: event.replace('envelope-', ''),
      customFields: {
        textCustomFields: [
          { name: 'cost centre', value: 'as_short' },
          { name: 'assentry', value: reference },
        ],
      },
      recipients: { signers: [{ email: 'ada@example.com' }] },
      ...parts,
    },
  },
});

test.each<[string, object, object]>([
  ['envelope-completed', {}, { verdict: 'accept', facts: { signer: 'ada@example.com' } }],
  ['envelope-completed', { status: 'sent' }, { verdict: 'nothing', facts: {} }],
  ['envelope-declined', {}, { verdict: 'decline', facts: { signer: 'ada@example.com' } }],
  ['envelope-voided', { recipients: undefined }, { verdict: 'cancel', facts: {} }],
  ['envelope-sent', {}, { verdict: 'nothing', facts: {} }],
  ['recipient-completed', {}, { verdict: 'nothing', facts: {} }],
  ['envelope-completed', { customFields: undefined }, { reference: null, verdict: 'accept' }],
])('%s of DocuSign with %j is %j', (event, parts, result) => {
  expect(judge(reader('docusign'), envelope(event, parts))).toMatchObject({ reference, object: 'env-1', ...result });
});

const adyenItem = (parts: object) => ({
  notificationItems: [
    {
      NotificationRequestItem: {
        pspReference: 'psp1',
        merchantAccountCode: 'Shop',
        merchantReference: reference,
        amount: { value: 10_050, currency: 'EUR' },
        success: 'true',
        ...parts,
      },
    },
  ],
});

test.each<[object, object]>([
  [{ eventCode: 'AUTHORISATION' }, { verdict: 'accept', facts: { amount: '100.50', currency: 'EUR', payee: 'Shop' } }],
  [{ eventCode: 'AUTHORISATION', success: 'false' }, { verdict: 'nothing' }],
  [{ eventCode: 'CAPTURE' }, { verdict: 'nothing' }],
  [{ eventCode: 'REFUND' }, { verdict: 'nothing' }],
  [{ eventCode: 'OFFER_CLOSED' }, { verdict: 'cancel' }],
  [
    { eventCode: 'AUTHORISATION', amount: { value: 10_050, currency: 'CLP' } },
    { verdict: 'accept', facts: { amount: '100.50', currency: 'CLP', payee: 'Shop' } },
  ],
])('an item of Adyen with %j is %j', (parts, result) => {
  expect(judge(reader('adyen'), adyenItem(parts))).toMatchObject({ reference, object: null, ...result });
});

const data = { reference, id: 'obj-1', amount: '100.50', currency: 'EUR', payee: 'shop', live: true };
const signature = { reference, id: 'obj-1', document: hash.toUpperCase(), signer: 'Ada' };
const shown = { amount: '100.50', currency: 'EUR', payee: 'shop', isLive: true };

test.each<[string, object, object]>([
  ['payment.succeeded', data, { verdict: 'accept', facts: shown }],
  ['payment.processing', data, { verdict: 'pending', facts: shown }],
  ['payment.failed', data, { verdict: 'decline', facts: shown }],
  ['payment.canceled', data, { verdict: 'cancel', facts: shown }],
  ['payment.expired', data, { verdict: 'cancel', facts: shown }],
  ['payment.refunded', data, { verdict: 'nothing', facts: {} }],
  ['payment.succeeded', { ...data, amount: 100.5 }, { verdict: 'accept', facts: { ...shown, amount: '100.5' } }],
  ['signature.completed', signature, { verdict: 'accept', facts: { document: hash, signer: 'Ada' } }],
  ['signature.completed', { ...signature, document: 'abc' }, { verdict: 'accept', facts: { signer: 'Ada' } }],
  ['signature.declined', signature, { verdict: 'decline' }],
  ['signature.expired', signature, { verdict: 'cancel' }],
])('%s with %j is %j', (type, parts, result) => {
  expect(judge(reader('standard'), { type, data: parts })).toMatchObject({ reference, object: 'obj-1', ...result });
});

const acme: Extract<ProviderInput['events'], object> = {
  kinds: ['payment'],
  signed: { header: 'x-acme-signature', prefix: 'sha256=', over: '{body}', mac: 'sha256', text: 'hex' },
  id: ['/id'],
  reference: ['/note', '/order/reference'],
  object: ['/order/id', '/id'],
  rules: [
    { when: { '/a~1b': [1, null, false], '/kind': 'paid' }, verdict: 'nothing' },
    { when: { '/kind': 'paid' }, verdict: 'accept', facts: { amount: '/sum', currency: '/currency' } },
  ],
  settlesWithin: '2d',
};
const secret = 'a-secret-of-acme-01';

function readAcme(body: string | Uint8Array, parts: object = {}) {
  const events = Events.parse({ ...acme, ...parts });
  const bytes = Buffer.from(body);
  const mac = createHmac('sha256', secret).update(bytes).digest('hex');
  const headers = { 'x-acme-signature': `sha256=${mac}` };
  return readEvent({ events, signingSecrets: [secret], accounts: [] }, bytes, headers, 0);
}

describe('rules of an operator', () => {
  test.each<[object, string]>([
    [{ kind: 'paid' }, 'accept'],
    [{ kind: 'paid', 'a/b': 1 }, 'nothing'],
    [{ kind: 'paid', 'a/b': null }, 'nothing'],
    [{ kind: 'paid', 'a/b': false }, 'nothing'],
    [{ kind: 'paid', 'a/b': '1' }, 'accept'],
    [{ kind: ['paid'] }, 'nothing'],
    [{ kind: 'Paid' }, 'nothing'],
  ])('%j is judged by the first that holds: %s', (parts, verdict) => {
    expect(readAcme(JSON.stringify({ id: 1, ...parts }))).toMatchObject({ event: { id: '1', verdict } });
  });

  test('take the first reference of its form, and the first object', () => {
    const order = { id: 7, reference };
    const result = readAcme(JSON.stringify({ id: 'e1', note: 'as_other', order }));
    expect(result).toMatchObject({ event: { reference, object: '7' } });
    expect(readAcme('{"id":"e1"}')).toMatchObject({ event: { reference: null, object: 'e1' } });
  });
});

describe('an event is refused as unreadable', () => {
  test.each<[string, string | Uint8Array]>([
    ['that is empty', ''],
    ['that is no JSON', '{"id":"e1"'],
    ['that is a text', '"e1"'],
    ['that is nothing', 'null'],
    ['with a key twice', '{"id":"e1","kind":"paid","kind":"failed"}'],
    ['with a key twice by an escape', '{"id":"e1","kind":"paid","k\\u0069nd":"failed"}'],
    ['with a prototype', '{"id":"e1","__proto__":{"kind":"paid"}}'],
    ['with a number that changes', '{"id":"e1","sum":0.1000000000000000055511151231257827}'],
    ['with half a character', '{"id":"e1","note":"\\ud800"}'],
    ['with a mark before it', Buffer.from('\uFEFF{"id":"e1"}')],
    ['that is no UTF-8', Buffer.from([...Buffer.from('{"id":"e1","note":"'), 0xff, ...Buffer.from('"}')])],
    ['without an id', '{"kind":"paid"}'],
    ['with an empty id', '{"id":""}'],
    ['with a list for an id', '{"id":["e1"]}'],
    ['that is too deep', `{"id":"e1","note":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['that is too long', JSON.stringify({ id: 'e1', note: 'x'.repeat(512 * 1024) })],
  ])('%s', (_how, body) => {
    expect(readAcme(body)).toEqual({ state: 'refused', why: 'unreadable' });
  });

  test.each([[[]], [[{}, {}]], ['none'], [undefined]])('whose items are %j, and not one', (items) => {
    expect(readAcme(JSON.stringify({ id: 'e1', items }), { items: '/items' })).toMatchObject({ why: 'unreadable' });
    expect(readAcme('{"id":"e1","items":[{}]}', { items: '/items' }).state).toBe('read');
  });

  test('of which one part of the name is absent', () => {
    expect(readAcme('{"id":"e1","at":2}', { id: ['/id', '/at'] })).toMatchObject({ event: { id: '["e1","2"]' } });
    expect(readAcme('{"id":"e1"}', { id: ['/id', '/at'] })).toMatchObject({ why: 'unreadable' });
  });
});

const header = acme.signed as Record<string, unknown>;
const field = { field: '/mac', over: ['/id', '/kind'], mac: 'sha256', keyText: 'hex' };
const [, rule] = acme.rules;

test.each<[string, object]>([
  ['kinds', { kinds: [] }],
  ['kinds.0', { kinds: ['refund'] }],
  ['signed', { signed: 'svix' }],
  ['signed.header', { signed: { ...header, header: 'X-Acme' } }],
  ['signed.mac', { signed: { ...header, mac: 'sha1' } }],
  ['signed.text', { signed: { ...header, text: 'base58' } }],
  ['signed.over', { signed: { ...header, over: '{time}' } }],
  ['signed.timeHeader', { signed: { ...header, over: '{time}.{body}' } }],
  ['signed.timeHeader', { signed: { ...header, timeHeader: 'x-time' } }],
  ['signed.parts', { signed: { ...header, parts: { time: 't', mac: 'v1' } } }],
  ['signed.idHeader', { signed: { ...header, over: '{id}.{time}.{body}', timeHeader: 'x-time' } }],
  ['signed.within', { signed: { ...header, within: 0 } }],
  ['signed.keyText', { signed: { ...field, keyText: 'utf-8' } }],
  ['signed.over', { signed: { ...field, over: [] } }],
  ['signed.over.0', { signed: { ...field, over: ['id'] } }],
  ['signed', { signed: { ...field, within: 300 } }],
  ['reference.0', { signed: field, rules: [{ when: { '/kind': 'paid' }, verdict: 'decline' }] }],
  ['id', { id: [] }],
  ['id', { signed: 'standard-webhooks' }],
  ['id.0', { id: ['id'] }],
  ['reference', { reference: [] }],
  ['object.0', { object: ['/a~2'] }],
  ['rules', { rules: [] }],
  ['rules.0.when', { rules: [{ ...rule, when: {} }] }],
  ['rules.0.when./kind', { rules: [{ ...rule, when: { '/kind': {} } }] }],
  ['rules.0.when.kind', { rules: [{ ...rule, when: { kind: 'paid' } }] }],
  ['rules.0.verdict', { rules: [{ ...rule, verdict: 'maybe' }] }],
  ['rules.0.facts.currency', { rules: [{ ...rule, facts: { amount: '/sum' } }] }],
  ['rules.0.facts.amount', { rules: [{ ...rule, facts: {} }] }],
  ['rules.0.facts', { rules: [{ ...rule, facts: { sum: '/sum' } }] }],
  ['digits.eur', { digits: { eur: 2 } }],
  ['digits.EUR', { digits: { EUR: 9 } }],
  ['settlesWithin', { settlesWithin: '2w' }],
  ['settlesWithin', { settlesWithin: '0d' }],
  ['api.name', { api: { name: 'paypal' } }],
  ['api.url', { api: { name: 'stripe', url: 'http://api.example.com' } }],
  ['', { webhook: 'https://example.com' }],
])('a description of events that is wrong at %j is refused there: %j', (place, parts) => {
  const { error } = Events.safeParse({ ...acme, ...parts });
  expect(error?.issues[0]?.path.join('.')).toBe(place);
});
