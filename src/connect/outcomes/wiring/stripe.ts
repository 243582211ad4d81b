import { invalidInput, Problem } from '#platform/model/problem';
import { toMinor } from '../../providers/money.ts';
import { judge } from '../../events/rules/read.ts';
import { valueAt } from '../../providers/pointer.ts';
import type { OutcomeProvider } from '../../providers/provider.ts';
import { unknownObject, type OutcomeApi } from './api.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Checkout Sessions: one line, under the reference. A session of a connected account is made and looked up there. */
export const stripeApi: OutcomeApi = (provider, { url: base, key }, call, now) => {
  const { accounts, events, pageHosts } = provider;
  const [own] = accounts;
  const headersFor = (account: string | undefined): Record<string, string> => ({
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    ...(account !== own && account !== undefined && { 'stripe-account': account }),
  });
  return {
    async create({ wanted: expected, reference, idempotencyKey, returnUrl, expiresAt }) {
      if (expected.kind !== 'payment')
        throw invalidInput(['expects', 'kind'], `${provider.label} takes payments only.`);
      const { amount, currency, payee = own, for: purpose } = expected;
      const minor = toMinor(amount, currency, events.digits);
      if (minor === null) throw invalidInput(['expects', 'amount'], `Give an amount that ${currency} can have.`);
      const form = {
        mode: 'payment',
        client_reference_id: reference,
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': currency.toLowerCase(),
        'line_items[0][price_data][unit_amount]': minor,
        'line_items[0][price_data][product_data][name]': purpose,
        success_url: returnUrl,
        cancel_url: returnUrl,
      };
      const headers = {
        ...headersFor(payee),
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': idempotencyKey,
      };
      let [answer, session]: [Response | null, unknown] = [null, null];
      for (const end of endsOf(expiresAt, now())) {
        const body = new URLSearchParams({ ...form, ...(end !== null && { expires_at: String(end) }) });
        answer = await call(`${base}/v1/checkout/sessions`, { method: 'POST', headers, body });
        session = await answer.json().catch(() => null);
        if (valueAt(session, '/error/type') !== 'idempotency_error') break;
      }
      if (!answer) throw unclear(0);
      if (!answer.ok) throw refusalOf(provider, answer.status, session);
      const [id, url] = [valueAt(session, '/id'), valueAt(session, '/url')];
      if (typeof id !== 'string' || typeof url !== 'string' || !URL.canParse(url)) throw unclear(answer.status);
      if (pageHosts.includes(new URL(url).host)) return { id, url };
      throw new Problem('provider-not-configured', {
        detail: `Ask an operator to add the host of its pages to the "pageHosts" of "${provider.key}" in ASSENTRY_PROVIDERS.`,
      });
    },
    async look(object) {
      for (const account of accounts) {
        const path = `${base}/v1/checkout/sessions/${encodeURIComponent(object)}?expand[]=payment_intent`;
        const answer = await call(path, { headers: headersFor(account) });
        if (answer.status === 404) continue;
        const session: unknown = await answer.json().catch(() => null);
        if (!answer.ok) throw refusalOf(provider, answer.status, session);
        if (valueAt(session, '/id') !== object) throw unclear(answer.status);
        return judge(provider, { type: typeOf(session), account, data: { object: session } });
      }
      return unknownObject;
    },
  };
};

/**
 * Ends of a session in seconds, the right one first. A session lives for 30 minutes to 24 hours: one that would be shorter ends 30
 * minutes later, one that would be longer when Stripe ends it. The others are for a later try, whose key Stripe takes only with
 * what it was sent first.
 */
function endsOf(expiresAt: number, now: number): (number | null)[] {
  const left = expiresAt - now;
  const [exact, later] = [expiresAt, expiresAt + 31 * minute].map((end) => Math.floor(end / 1000)) as [number, number];
  if (left > 24 * hour - minute) return [null, exact, later];
  return left < 31 * minute ? [later, exact, null] : [exact, null, later];
}

/** The event that a session in this state has had last. */
function typeOf(session: unknown): string {
  const [status, paid] = [valueAt(session, '/status'), valueAt(session, '/payment_status')];
  if (status === 'expired') return 'checkout.session.expired';
  if (status !== 'complete') return 'checkout.session.open';
  const intent = valueAt(session, '/payment_intent/status');
  const hasFailed = paid === 'unpaid' && (intent === 'requires_payment_method' || intent === 'canceled');
  return hasFailed ? 'checkout.session.async_payment_failed' : 'checkout.session.completed';
}

function refusalOf({ key, label }: OutcomeProvider, status: number, body: unknown): Problem {
  const code = valueAt(body, '/error/code') ?? valueAt(body, '/error/type');
  const name = typeof code === 'string' && /^[a-z_]{1,64}$/.test(code) ? code : String(status);
  if (status === 401 || status === 403)
    return new Problem('provider-not-configured', {
      detail: `Ask an operator to check "keyFile" and "accounts" of "${key}" in ASSENTRY_PROVIDERS: ${label} answers ${name}.`,
    });
  if (status === 409) return new Problem('provider-unavailable', { cause: new Error(`the answer is ${name}`) });
  return invalidInput(['expects'], `Check the amount, the currency and the payee: ${label} answers ${name}.`);
}

const unclear = (status: number): Problem =>
  new Problem('provider-unavailable', { cause: new Error(`the answer ${status} names no session`) });
