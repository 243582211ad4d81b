import { createHash, createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { isLoopback } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import { judge } from '../../events/rules/read.ts';
import type { SaidFacts } from '../../providers/event.ts';
import { valueAt } from '../../providers/pointer.ts';
import type { ApiAccess } from '../../providers/provider.ts';
import { unknownObject, type OutcomeApi } from './api.ts';

/** Most bytes of a signed document that is hashed. */
const mostBytes = 32 * 1024 * 1024;

/**
 * Envelopes are looked up, and not made: an address to sign at lives for five minutes, and an envelope has no idempotency key. So
 * authors make them, with the reference in a text custom field.
 */
export const docusignApi: OutcomeApi = (provider, access, call, now) => {
  const [account = ''] = provider.accounts;
  let token: { text: string; until: number } | null = null;

  /** An access token by the grant of RFC 7523, kept until a minute before its end. */
  async function authorization(): Promise<string> {
    if (token && now() < token.until) return token.text;
    const answer = await call(`${signInOrigin(access.url)}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: await assertionOf(access, now()),
      }),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const body: unknown = await answer.json().catch(() => null);
    const [text, seconds] = [valueAt(body, '/access_token'), valueAt(body, '/expires_in')];
    if (!answer.ok || typeof text !== 'string') throw refused();
    token = { text: `Bearer ${text}`, until: now() + (typeof seconds === 'number' ? seconds - 60 : 0) * 1000 };
    return token.text;
  }

  const get = async (path: string, maxBytes?: number): Promise<Response> => {
    const url = `${access.url}/v2.1/accounts/${encodeURIComponent(account)}/envelopes/${path}`;
    const answer = await call(url, { headers: { authorization: await authorization() } }, maxBytes);
    if (answer.status !== 401 && answer.status !== 403) return answer;
    token = null;
    throw refused();
  };

  const refused = (): Problem =>
    new Problem('provider-not-configured', {
      detail: `Ask an operator to check "keyFile", "clientId" and "actsAs" of "${provider.key}" in ASSENTRY_PROVIDERS: ${provider.label} does not accept them.`,
    });

  /** SHA-256 of the signed documents in one; left out if they are too long. */
  async function documentOf(path: string): Promise<SaidFacts> {
    const answer = await get(`${path}/documents/combined`, mostBytes).catch(() => null);
    if (!answer?.ok) return {};
    return {
      document: createHash('sha256')
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest('hex'),
    };
  }

  return {
    async look(object) {
      const path = encodeURIComponent(object);
      const answer = await get(`${path}?include=custom_fields,recipients`);
      if (answer.status === 400 || answer.status === 404) return unknownObject;
      const envelope: unknown = await answer.json().catch(() => null);
      const status = valueAt(envelope, '/status');
      if (!answer.ok || typeof status !== 'string')
        throw new Problem('provider-unavailable', { cause: new Error(`the answer ${answer.status} is no envelope`) });
      const document = {
        event: `envelope-${status}`,
        data: { envelopeId: valueAt(envelope, '/envelopeId'), envelopeSummary: envelope },
      };
      const outcome = judge(provider, document);
      if (outcome.verdict !== 'accept') return outcome;
      return { ...outcome, facts: { ...outcome.facts, ...(await documentOf(path)) } };
    },
  };
};

const assertionOf = ({ url, key, clientId = '', actsAs = '' }: ApiAccess, now: number): Promise<string> =>
  new SignJWT({ scope: 'signature impersonation' })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(clientId)
    .setSubject(actsAs)
    .setAudience(new URL(signInOrigin(url)).host)
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(now / 1000) + 600)
    .sign(createPrivateKey(key));

/** Where the key is exchanged for a token: another address for the demo environment. */
function signInOrigin(url: string): string {
  if (isLoopback(url)) return new URL(url).origin;
  return new URL(url).host.startsWith('demo.') ? 'https://account-d.docusign.com' : 'https://account.docusign.com';
}
