import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Provider, type OutcomeProvider } from '#connect/providers/provider';
import { presets } from '#connect/providers/providers';

/** A Checkout Session as the provider shows it. */
export interface FakeSession {
  id: string;
  object: 'checkout.session';
  mode: 'payment';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  payment_intent: { status: string } | null;
  /** Minor units. */
  amount_total: number;
  currency: string;
  client_reference_id: string | null;
  livemode: boolean;
  url: string;
  success_url: string;
  cancel_url: string;
  expires_at: number;
}

export interface FakeEvent {
  id: string;
  type: string;
  /** Absent for the provider's own account. */
  account?: string;
  data: { object: FakeSession };
  [other: string]: unknown;
}

/** What the provider says of a payment in place of the truth. */
export interface Lies {
  /** Minor units. */
  amount?: number;
  currency?: string;
  account?: string;
  livemode?: boolean;
  client_reference_id?: null;
}

export interface Delivery {
  times?: number;
  /** Changes the body after it was signed. */
  changes?: (body: string) => string;
  /** The secret to sign with; by default the right one. */
  secret?: string;
  /** Milliseconds for which the event was on its way since it was signed. */
  age?: number;
}

/** A provider of payments on this machine, in the shapes of Stripe: it makes sessions, shows them, and signs events. */
export interface FakePayments {
  url: string;
  apiKey: string;
  signingSecret: string;
  /** The accounts: its own, and a connected one. */
  accounts: readonly [string, string];
  settings(parts?: Partial<OutcomeProvider>): OutcomeProvider;
  /** Makes a session as an author would, without Assentry. */
  makes(parts: { reference: string | null; amount: number; currency: string; account?: string }): FakeSession;
  /** The session as it is now. */
  session(id: string): FakeSession;
  /** All sessions, the first made first. */
  sessions(): FakeSession[];
  /** The payer pays: at once, or at last if the payment is processing. */
  pays(id: string, lies?: Lies): FakeEvent;
  /** The payer leaves a bank debit that takes days. */
  isProcessing(id: string, lies?: Lies): FakeEvent;
  /** The payment that was processing fails. */
  declines(id: string): FakeEvent;
  expires(id: string): FakeEvent;
  /** Headers and body of an event, signed. */
  sign(event: FakeEvent, delivery?: Omit<Delivery, 'times'>): { headers: Record<string, string>; body: string };
  /** Sends an event; returns the statuses of the answers, none if the provider forgets its events. */
  deliver(event: FakeEvent, url: string, delivery?: Delivery): Promise<number[]>;
  /** From now on no event is sent. */
  forgets(next?: boolean): void;
  /** From now on nothing is answered. */
  isDown(next?: boolean): void;
  /** From now on each session is made, and its answer lost. */
  losesAnswers(next?: boolean): void;
  /** Calls that would make a session; fewer sessions are made if they repeat a key. */
  tries(): number;
  looks(): number;
  close(): Promise<void>;
}

interface Kept {
  session: FakeSession;
  account: string;
}

export async function startFakePayments({
  key = 'fake-payments',
  live = true,
  now = () => 0,
  sendsTo = () => '',
}: {
  key?: string;
  live?: boolean;
  now?: () => number;
  /** The address to which its own page sends events. */
  sendsTo?: () => string;
} = {}): Promise<FakePayments> {
  const apiKey = `rk_${live ? 'live' : 'test'}_${randomUUID()}`;
  const signingSecret = `whsec_${randomUUID()}`;
  const accounts = ['acct_own', 'acct_connected'] as const;
  const kept = new Map<string, Kept>();
  const answers = new Map<string, { form: string; session: FakeSession }>();
  let [tries, looks] = [0, 0];
  let [isForgetful, isClosed, isLossy] = [false, false, false];
  const http = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', url);
    if (isClosed) return void request.socket.destroy();
    const send = (status: number, content: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    const refuse = (status: number, type: string, code?: string): void => send(status, { error: { type, code } });
    if (pathname.startsWith('/pay/')) return checkOut(request, response, pathname.slice('/pay/'.length));
    if (request.headers.authorization !== `Bearer ${apiKey}`) return refuse(401, 'invalid_request_error');
    const account = String(request.headers['stripe-account'] ?? accounts[0]);
    if (!(accounts as readonly string[]).includes(account))
      return refuse(403, 'invalid_request_error', 'account_invalid');
    if (request.method === 'POST' && pathname === '/v1/checkout/sessions') {
      tries += 1;
      const form = await text(request);
      const idempotencyKey = `${account} ${String(request.headers['idempotency-key'])}`;
      const earlier = answers.get(idempotencyKey);
      if (earlier && earlier.form !== form) return refuse(400, 'idempotency_error');
      const code = earlier ? null : faultOf(new URLSearchParams(form));
      if (code !== null) return refuse(400, 'invalid_request_error', code);
      const session = earlier?.session ?? make(new URLSearchParams(form), account);
      answers.set(idempotencyKey, { form, session });
      return isLossy ? void request.socket.destroy() : send(200, session);
    }
    const stored = kept.get(pathname.slice('/v1/checkout/sessions/'.length));
    looks += 1;
    return stored?.account === account
      ? send(200, stored.session)
      : refuse(404, 'invalid_request_error', 'resource_missing');
  }

  /** The page at which a person pays or leaves. Its event is sent before the person goes back. */
  async function checkOut(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const session = kept.get(id)?.session;
    if (session?.status !== 'open') return void response.writeHead(404).end();
    if (request.method !== 'POST') {
      const button = (name: string): string => `<button name="choice" value="${name}">${name}</button>`;
      const amount = `${(session.amount_total / 100).toFixed(2)} ${session.currency.toUpperCase()}`;
      const title = `<!doctype html><html lang="en"><title>Checkout</title><h1>Checkout</h1><p>${amount}</p>`;
      const leads = `<a href="${session.success_url}">Pay</a> <a href="${session.cancel_url}">Back</a>`; // without an event
      const page = `${title}<form method="post">${button('Pay')} ${button('Decline')}</form>${leads}`;
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    }
    const isPaid = new URLSearchParams(await text(request)).get('choice') === 'Pay';
    await deliver(isPaid ? pays(id) : change(id, 'expired', { status: 'expired' }), sendsTo());
    response.writeHead(303, { location: isPaid ? session.success_url : session.cancel_url }).end();
  }

  function faultOf(form: URLSearchParams): string | null {
    const amount = form.get('line_items[0][price_data][unit_amount]') ?? '';
    if (!/^[1-9]\d{0,11}$/.test(amount)) return 'parameter_invalid_integer';
    if (!/^[a-z]{3}$/.test(form.get('line_items[0][price_data][currency]') ?? '')) return 'invalid_currency';
    const end = Number(form.get('expires_at') ?? now() / 1000 + 86_400) * 1000;
    return end < now() + 1_800_000 || end > now() + 86_400_000 ? 'parameter_invalid_expires_at' : null;
  }

  const make = (form: URLSearchParams, account: string): FakeSession =>
    keep({
      account,
      reference: form.get('client_reference_id'),
      amount: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      success: form.get('success_url') ?? '',
      cancel: form.get('cancel_url') ?? '',
      end: Number(form.get('expires_at') ?? Math.floor(now() / 1000) + 86_400),
    });

  interface Wish {
    account: string;
    reference: string | null;
    amount: number;
    currency: string;
    success?: string;
    cancel?: string;
    end?: number;
  }

  function keep({ account, reference, amount, currency, success = '', cancel = '', end = 0 }: Wish): FakeSession {
    const id = `cs_${live ? 'live' : 'test'}_${randomUUID().replaceAll('-', '')}`;
    const session: FakeSession = {
      id,
      object: 'checkout.session',
      mode: 'payment',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: amount,
      currency,
      client_reference_id: reference,
      livemode: live,
      url: `${url}/pay/${id}`,
      success_url: success,
      cancel_url: cancel,
      expires_at: end,
    };
    kept.set(id, { session, account });
    return session;
  }

  function at(id: string): Kept {
    const stored = kept.get(id);
    if (!stored) throw new Error(`There is no session ${id}.`);
    return stored;
  }

  /** Changes a session, and makes the event of it. */
  function change(id: string, type: string, changes: Partial<FakeSession>, { account, ...lies }: Lies = {}): FakeEvent {
    const stored = at(id);
    Object.assign(stored.session, changes);
    if (lies.amount !== undefined) stored.session.amount_total = lies.amount;
    if (lies.currency !== undefined) stored.session.currency = lies.currency;
    if (lies.livemode !== undefined) stored.session.livemode = lies.livemode;
    if (lies.client_reference_id !== undefined) stored.session.client_reference_id = lies.client_reference_id;
    stored.account = account ?? stored.account;
    return {
      id: `evt_${randomUUID().replaceAll('-', '')}`,
      object: 'event',
      type: `checkout.session.${type}`,
      created: Math.floor(now() / 1000),
      livemode: stored.session.livemode,
      ...(stored.account !== accounts[0] && { account: stored.account }),
      data: { object: structuredClone(stored.session) },
    };
  }

  function sign(event: FakeEvent, { changes = (body) => body, secret = signingSecret, age = 0 }: Delivery = {}) {
    const body = JSON.stringify(event, null, 2);
    const time = Math.floor((now() - age) / 1000);
    const mac = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    return {
      headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${mac}` },
      body: changes(body),
    };
  }

  const pays = (id: string, lies?: Lies): FakeEvent =>
    change(
      id,
      at(id).session.status === 'complete' ? 'async_payment_succeeded' : 'completed',
      { status: 'complete', payment_status: 'paid', payment_intent: { status: 'succeeded' } },
      lies,
    );

  async function deliver(event: FakeEvent, address: string, { times = 1, ...delivery }: Delivery = {}) {
    const statuses: number[] = [];
    for (let count = 0; count < times && !isForgetful; count += 1) {
      const answer = await fetch(address, { method: 'POST', ...sign(event, delivery) });
      await answer.body?.cancel();
      statuses.push(answer.status);
    }
    return statuses;
  }

  return {
    url,
    apiKey,
    signingSecret,
    accounts,
    settings: (parts) => {
      const { events, ...description } = Provider.parse(presets.get('stripe'));
      if (!events) throw new Error('The description reports nothing.');
      return {
        ...description,
        events,
        key,
        pageHosts: [new URL(url).host],
        servers: ['shop'],
        signingSecrets: [signingSecret],
        accounts,
        live,
        api: { url, key: apiKey },
        ...parts,
      };
    },
    makes: ({ account = accounts[0], ...wish }) => keep({ account, ...wish }),
    session: (id) => at(id).session,
    sessions: () => [...kept.values()].map(({ session }) => session),
    pays,
    isProcessing: (id, lies) =>
      change(
        id,
        'completed',
        { status: 'complete', payment_status: 'unpaid', payment_intent: { status: 'processing' } },
        lies,
      ),
    declines: (id) =>
      change(id, 'async_payment_failed', {
        status: 'complete',
        payment_status: 'unpaid',
        payment_intent: { status: 'requires_payment_method' },
      }),
    expires: (id) => change(id, 'expired', { status: 'expired' }),
    sign,
    deliver,
    forgets: (next = true) => void (isForgetful = next),
    isDown: (next = true) => void (isClosed = next),
    losesAnswers: (next = true) => void (isLossy = next),
    tries: () => tries,
    looks: () => looks,
    close: async () => void http.close().closeAllConnections(),
  };
}
