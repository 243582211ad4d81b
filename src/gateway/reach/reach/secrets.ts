/** Stands for a secret: it is not shown, and another one in its place is the same server. */
export const mask = '•••';

/** Words that say of what is named by them that it is a secret. */
const secretWords = new Set(
  'password passwd passphrase pwd pass pw secret secrets token tokens apikey credential credentials authorization bearer cookie jwt pat otp signature sig sas privatekey accesskey secretkey'.split(
    ' ',
  ),
);
const endsAsSecret = /(?:password|passwd|passphrase|secret|token|apikey)$/;
/** Before `key`, these make a secret of it. */
const publicKeys = new Set('public primary partition sort foreign cache project issue row object sort'.split(' '));
/** At the end of a name, these say where a secret is, or something else about it. */
const placeWords = new Set(
  'url uri dsn host hostname endpoint domain address addr server file path dir folder id ids name names type mode region profile store provider prefix user username length ttl expiry scope scopes issuer audience method port env'.split(
    ' ',
  ),
);

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** Is a secret given under this name of an option, a variable, a header or a parameter? */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (placeWords.has(last)) return false;
  if (last === 'key') return !publicKeys.has(words.at(-2) ?? '');
  return last === 'auth' || words.some((word) => secretWords.has(word) || endsAsSecret.test(word));
}

/** What services give out as secrets, by its beginning. */
const tokens =
  /^(?:[sprw]k[-_]|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|xapp-|AKIA|ASIA|eyJ[\w-]+\.|AIza|ya29\.|npm_|pypi-|dop_v1_|shp[a-z]{2}_|lin_api_|secret_|ntn_|figd_|hf_|sq0[a-z]{3}-|SG\.|asn_)[\w.=/+-]{12,}$/;
/** Which of two worlds the secret belongs to is no secret, and decides what is reached. */
const world = /^[sprw]k_(?:live|test)_/;

export const isSecretValue = (value: string): boolean =>
  tokens.test(value) || /^(?:Bearer|Basic|Token)\s+\S/i.test(value);

/** A secret that says to which of two worlds it belongs. */
export const hasWorld = (value: string): boolean => isSecretValue(value) && world.test(value);

/** In place of a secret. */
export const maskOf = (secret: string): string => `${world.exec(secret)?.[0] ?? ''}${mask}`;

const address = /[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi;

/** Does it say where something is, whatever its name? */
export const isAddress = (value: string): boolean => /^(?:jdbc:)?[a-z][a-z0-9+.-]*:\/\/[^\s]/i.test(value);

/** The text with its addresses in one spelling, and without the secrets in it. */
export function withoutSecrets(text: string): string {
  const plain = text.replaceAll(address, plainAddress);
  const value = plain.includes(';') ? /(["']?)([\w.-]+)\1(\s*[=:]\s*)("[^"]*"|'[^']*'|[^;"'{}]+)/g : pairs;
  return plain.replaceAll(value, (pair, quote: string, name: string, sign: string, secret: string) => {
    if (secret.includes('://') || !isSecretName(name)) return pair;
    const [, scheme = ''] = /^["']?((?:Bearer|Basic|Token)\s+)/i.exec(secret) ?? [];
    const end = /^["']/.exec(secret)?.[0] ?? '';
    return `${quote}${name}${quote}${sign}${end}${scheme}${maskOf(secret)}${end}`;
  });
}

const pairs = /(["']?)([\w.-]+)\1(\s*=\s*|\s*:\s*(?!\/\/))("[^"]*"|'[^']*'|(?:Bearer |Basic |Token )?[^\s&;,"'{}]+)/gi;

/** One address: scheme and host in small letters, without the usual port, the password and secret parameters. */
function plainAddress(text: string): string {
  const [, scheme = '', authority = '', rest = ''] = /^([^:]+:\/\/)([^/?#]*)(.*)$/s.exec(text) ?? [];
  const at = authority.lastIndexOf('@');
  const place = plainHost(scheme.toLowerCase(), authority.slice(at + 1).toLowerCase());
  const person = at < 0 ? '' : `${personOf(scheme, authority.slice(0, at))}@`;
  const query = rest.replaceAll(/([?&;#])([^=&;#]+)=([^&;#]*)/g, (pair, sign: string, name: string, value: string) =>
    isSecretName(name) || isSecretValue(value) ? `${sign}${name}=${maskOf(value)}` : pair,
  );
  const path = query
    .split('/')
    .map((step) => (isSecretValue(step) ? maskOf(step) : step))
    .join('/');
  return `${scheme.toLowerCase()}${person}${place}${path === '/' ? '' : path}`;
}

const plainHost = (scheme: string, host: string): string =>
  host.replace(scheme === 'https://' ? /:443$/ : scheme === 'http://' ? /:80$/ : /(?!)/, '');

/** Over HTTP a name alone is a token. */
function personOf(scheme: string, userinfo: string): string {
  const colon = userinfo.indexOf(':');
  if (colon >= 0) return `${userinfo.slice(0, colon)}:${mask}`;
  return /^(?:git\+)?https?:/i.test(scheme) ? mask : userinfo;
}
