import {
  createRemoteJWKSet,
  customFetch,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyOptions,
  type JWTVerifyResult,
} from 'jose';
import { sendRequest } from '#platform/http/client/outgoing-request';
import type { LogoutNotice } from '../contract/identity-provider/identity-provider.ts';
import type { SignInProvider } from '../contract/identity-provider/sign-in-provider.ts';
import {
  algorithms,
  clockTolerance,
  invalidAnswer,
  readName,
  unreachable,
  type OpenConfiguration,
} from './provider-client.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Seconds a notice may be old. */
const maxAgeSeconds = 300;
/** Milliseconds between two looks for a key that was exchanged under its name: anyone can send a wrong signature. */
const minReloadMs = 30_000;

type Keys = ReturnType<typeof createRemoteJWKSet>;

/** Reads logout tokens as OpenID Connect Back-Channel Logout 1.0, section 2.6, has them checked. */
export function createLogoutTokens(
  provider: SignInProvider,
  open: OpenConfiguration,
  now: () => number,
): (token: string) => Promise<LogoutNotice> {
  const { issuer, clientId: audience } = provider;
  const verify = createVerify(now);
  let keys: { address: string; find: Keys } | null = null;
  return async (token) => {
    const { jwks_uri: address } = (await open()).serverMetadata();
    if (!address) throw unreachable(provider, new TypeError('The provider names no keys.'));
    if (keys?.address !== address)
      keys = { address, find: createRemoteJWKSet(new URL(address), { [customFetch]: sendRequest }) };
    const limits = { clockTolerance, maxTokenAge: maxAgeSeconds, currentDate: new Date(now()) };
    const fixed = { issuer, audience, algorithms, requiredClaims: ['jti', 'exp'], ...limits };
    const { payload, protectedHeader } = await verify(token, keys.find, fixed).catch((cause: unknown) => {
      throw invalidAnswer(cause);
    });
    if (!isLogoutToken(protectedHeader.typ, payload)) throw invalidAnswer();
    const { sub, sid, jti, iat = 0 } = payload;
    const once = { id: readName(jti) ?? '', until: (iat + maxAgeSeconds + clockTolerance) * 1000 };
    return { issuer, subject: readName(sub), sid: readName(sid), once };
  };
}

/** Verifies a token; after a wrong signature once more, by the keys as they are then: a name may have got another key. */
function createVerify(now: () => number) {
  let lookedAt = -Infinity;
  return async (token: string, find: Keys, limits: JWTVerifyOptions): Promise<JWTVerifyResult> => {
    try {
      return await jwtVerify(token, find, limits);
    } catch (error) {
      const mayBeExchanged = error instanceof errors.JWSSignatureVerificationFailed;
      if (!mayBeExchanged || now() - lookedAt < minReloadMs) throw error;
      lookedAt = now();
      await find.reload();
      return jwtVerify(token, find, limits);
    }
  };
}

/** No other token of this provider can be taken for one: it names the event, and no nonce. */
function isLogoutToken(type: string | undefined, { events, nonce, sub, sid }: JWTPayload): boolean {
  const isOfType = type === undefined || /^(?:application\/)?(?:logout\+)?jwt$/i.test(type);
  const event = typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[logoutEvent] : null;
  const isOfEvent = typeof event === 'object' && event !== null;
  return isOfType && isOfEvent && nonce === undefined && (sub !== undefined || typeof sid === 'string');
}
