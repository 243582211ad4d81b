import type { JWTPayload } from 'jose';
import type { SignInLocation } from '#access/oidc/contract/sign-in-provider';
import { json } from '../json.ts';
import type { HostileProvider } from './hostile-provider.ts';

/** A sign-in at a provider that has begun in one browser. */
export interface Begun {
  /** Where the browser was sent. */
  location: URL;
  /** What it keeps. */
  cookie: string;
}

export interface CameBack {
  status: number;
  /** The path of the console at which it goes on. */
  next: string;
  /** Of a session; undefined if there is none. */
  cookie: string | undefined;
}

const begin = async (response: Promise<Response>): Promise<Begun> => {
  const answer = await response;
  const { location } = await json<SignInLocation>(Promise.resolve(answer));
  return { location: new URL(location), cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
};

/** Begins at this node; `cookie` is that of a session that is proven again or connected. */
export const beginAt = (
  url: string,
  provider: string,
  {
    cookie = '',
    way = '',
    returnTo = '/',
  }: { cookie?: string; way?: '' | '/confirm' | '/connect'; returnTo?: string } = {},
): Promise<Begun> =>
  begin(
    fetch(`${url}/api/sign-in/${provider}${way}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie },
      body: JSON.stringify({ returnTo }),
    }),
  );

/** The browser comes back to this node; `parts` stand over what the provider would send. */
export async function comeBack(
  url: string,
  provider: { key: string; issuer: string },
  { location, cookie }: Begun,
  parts: Record<string, string | null> = {},
): Promise<CameBack> {
  const sent = { code: 'any', state: location.searchParams.get('state'), iss: provider.issuer, ...parts };
  const query = Object.entries(sent).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const address = `${url}/api/sign-in/${provider.key}/callback?${new URLSearchParams(query)}`;
  const answer = await fetch(address, { redirect: 'manual', headers: { cookie } });
  const next = answer.headers.get('location') ?? '';
  const session = answer.headers.getSetCookie().find((set) => /^assentry=[^;]/.test(set));
  return { status: answer.status, next: next.replace(/^https?:\/\/[^/]+/, ''), cookie: session?.split(';')[0] };
}

/** Signs in as the person of these claims, with the nonce of this sign-in. */
export async function signInBy(
  provider: HostileProvider,
  url: string,
  claims: JWTPayload = {},
  begun?: Begun,
): Promise<CameBack> {
  const { key, issuer } = provider.settings();
  const at = begun ?? (await beginAt(url, key));
  const nonce = at.location.searchParams.get('nonce') ?? '';
  provider.answerWith(await provider.sign(provider.claims({ nonce, ...claims })));
  return comeBack(url, { key, issuer }, at);
}
