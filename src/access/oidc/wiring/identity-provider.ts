import * as oidc from 'openid-client';
import type { IdentityProvider, ProvenIdentity } from '../contract/identity-provider/identity-provider.ts';
import { verifiedByOf, type SignInProvider } from '../contract/identity-provider/sign-in-provider.ts';
import { createLogoutTokens } from './logout-token.ts';
import {
  clockTolerance,
  createConfiguration,
  discover,
  invalidAnswer,
  problemOf,
  readName,
} from './provider-client.ts';

/** One provider by OpenID Connect: authorization code with PKCE, state and nonce. */
export function createIdentityProvider(settings: SignInProvider, now: () => number): IdentityProvider {
  const open = createConfiguration(settings, now);
  return {
    settings,
    async discover() {
      await discover(settings);
    },
    async authorizationUrl({ redirectUri, state, nonce, codeVerifier, maxAge, ...request }) {
      const acr = request.acr === undefined ? settings.multiFactor.acr : [request.acr];
      const parameters = {
        redirect_uri: redirectUri,
        scope: settings.scopes.join(' '),
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        max_age: String(maxAge),
        ...(maxAge === 0 && { prompt: 'login' }),
        ...(acr.length > 0 && { acr_values: acr.join(' ') }),
      };
      return oidc.buildAuthorizationUrl(await open(), parameters).href;
    },
    async redeem(callback, { state, nonce, codeVerifier }) {
      const configuration = await open();
      try {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
        const tokens = await oidc.authorizationCodeGrant(configuration, callback, checks);
        const claims = tokens.claims();
        if (!claims || (claims.azp !== undefined && claims.azp !== settings.clientId)) throw invalidAnswer();
        // The library compares it with the past alone.
        if (claims.iat * 1000 > now() + clockTolerance * 1000) throw invalidAnswer();
        const more = lacksClaims(settings, claims)
          ? await readMore(configuration, settings, tokens.access_token, claims.sub)
          : {};
        return provenBy(settings, claims, more);
      } catch (error) {
        throw problemOf(settings, error);
      }
    },
    async endSessionUrl(returnTo) {
      const configuration = await open();
      if (!configuration.serverMetadata().end_session_endpoint) return null;
      return oidc.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
    },
    readLogoutToken: createLogoutTokens(settings, open, now),
  };
}

/** Is there something to ask for that the ID token does not say? Some providers answer only programs of their own. */
function lacksClaims({ newPeople, groups }: SignInProvider, claims: oidc.IDToken): boolean {
  const people = newPeople === null ? [] : ['email', newPeople.verifiedBy, ...Object.keys(newPeople.claims)];
  return [...people, ...(groups === null ? [] : [groups.claim])].some((name) => claims[name] === undefined);
}

/** Some providers put addresses and groups only where they are asked for separately. */
async function readMore(
  configuration: oidc.Configuration,
  { newPeople, groups }: SignInProvider,
  accessToken: string,
  subject: string,
): Promise<Record<string, unknown>> {
  if (!(newPeople || groups) || !configuration.serverMetadata().userinfo_endpoint) return {};
  return { ...(await oidc.fetchUserInfo(configuration, accessToken, subject)) };
}

/** What is said in either place, the token first; an address is verified only by what is said of the same one. */
function joinClaims(verifiedBy: string, claims: oidc.IDToken, more: Record<string, unknown>): Record<string, unknown> {
  const all = { ...more, ...claims };
  const source = claims['email'] === undefined ? more : claims;
  return claims['email'] === more['email'] ? all : { ...all, [verifiedBy]: source[verifiedBy] };
}

function provenBy(
  { multiFactor, newPeople }: SignInProvider,
  claims: oidc.IDToken,
  more: Record<string, unknown>,
): ProvenIdentity {
  const { iss, sub, sid, acr, auth_time: time } = claims;
  const methods: unknown[] = Array.isArray(claims['amr']) ? claims['amr'] : [];
  const isMultiFactor =
    multiFactor.always === true ||
    (typeof acr === 'string' && multiFactor.acr.includes(acr)) ||
    multiFactor.amr.some((name) => methods.includes(name));
  return {
    issuer: iss,
    subject: readName(sub) ?? sub,
    sid: readName(sid),
    assurance: isMultiFactor ? 'multi-factor' : 'single-factor',
    acr: readName(acr),
    authenticatedAt: time === undefined ? null : time * 1000,
    claims: joinClaims(verifiedByOf({ newPeople }), claims, more),
  };
}
