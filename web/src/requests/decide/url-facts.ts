/** Facts that a person must know about an address before anyone is sent there. */
interface UrlFacts {
  /** Host to which the browser would really connect; null if the text is not an address. */
  host: string | null;
  warnings: UrlWarning[];
}

type UrlWarning = 'ambiguous' | 'punycode' | 'not-https' | 'user-info' | 'address-host' | 'port';

export function describeUrl(text: string): UrlFacts {
  const url = parse(text);
  if (url === null) return { host: null, warnings: [] };
  const warnings: [UrlWarning, boolean][] = [
    ['ambiguous', readAddress(text)?.isAmbiguous === true],
    ['punycode', url.hostname.split('.').some((label) => label.startsWith('xn--'))],
    ['not-https', url.protocol !== 'https:'],
    ['user-info', url.username !== '' || url.password !== ''],
    ['address-host', /^[\d.]+$|^\[/.test(url.hostname)],
    ['port', url.port !== ''],
  ];
  return { host: url.host, warnings: warnings.filter(([, applies]) => applies).map(([warning]) => warning) };
}

/** Not by `URL.canParse`: once Node.js 20 has compiled it, it refuses letters such as ü. */
function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

type Deception =
  | { is: Extract<UrlWarning, 'ambiguous' | 'punycode' | 'user-info'> }
  /** Number such as http://2130706433, which is this machine. */
  | { is: 'number-host'; host: string };

/** Parts of an argument that may pass for another host: in an address, in each address of a longer text, or in a mailbox. */
export function deceptionsIn(text: string): Deception[] {
  const addresses = readAddress(text) === null ? (text.match(embedded) ?? []) : [text];
  const deceptions = addresses.flatMap(deceptionsOf);
  if (addresses.length === 0 && /(?:^|[.@/\s])xn--/i.test(text)) deceptions.push({ is: 'punycode' });
  const keys = deceptions.map((deception) => JSON.stringify(deception));
  return deceptions.filter((_, at) => keys.indexOf(keys[at] ?? '') === at);
}

const embedded = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`]+/gi;

function deceptionsOf(text: string): Deception[] {
  const address = readAddress(text);
  if (address === null) return [];
  const { hostname } = address.url;
  const { warnings } = describeUrl(address.url.href);
  const isNumber = warnings.includes('address-host') && !text.toLowerCase().includes(hostname);
  return [
    ...(address.isAmbiguous ? [{ is: 'ambiguous' } as const] : []),
    ...(['punycode', 'user-info'] as const).filter((is) => warnings.includes(is)).map((is) => ({ is })),
    ...(isNumber ? [{ is: 'number-host', host: hostname } as const] : []),
  ];
}

/** An address in three pieces, so that its host is never cut; null for other texts, and for an uncertain host. */
export function splitAddress(text: string): { before: string; host: string; after: string } | null {
  const address = readAddress(text);
  if (address === null || address.isAmbiguous) return null;
  const { before, host, after } = address;
  return { before, host, after };
}

interface Address {
  url: URL;
  before: string;
  /** Host as written, with its port. */
  host: string;
  after: string;
  /** May another program (curl, Python, a proxy) read another host than the browser? */
  isAmbiguous: boolean;
}

/** An address as the browser's parser reads it (WHATWG URL); null if the text is none, or has no host. */
function readAddress(text: string): Address | null {
  const isRelative = /^[\\/]{2}[^\\/\s]+\.[^\s]+$/.test(text);
  const whole = isRelative ? `https:${text}` : text;
  const url = /^\s*[a-z][a-z0-9+.-]*:/i.test(whole) ? parse(whole) : null;
  if (url === null || url.host === '') return null;
  const written = /^(?<scheme>\s*[a-z][a-z0-9+.-]*:\/\/)(?<authority>[^/?#]*)(?<after>.*)$/is.exec(text)?.groups;
  const { scheme = '', authority = '', after = '' } = written ?? {};
  const at = authority.lastIndexOf('@') + 1;
  const host = authority.slice(at);
  return { url, before: scheme + authority.slice(0, at), host, after, isAmbiguous: !isCertain(url, authority, after) };
}

/** Do RFC 3986 and the browser find the same host? Where they differ, an attacker chooses who is right. */
function isCertain(url: URL, authority: string, after: string): boolean {
  const at = authority.lastIndexOf('@');
  const [user, host] = [authority.slice(0, Math.max(0, at)), authority.slice(at + 1)];
  const isWeb = /^(?:https?|wss?|ftp):$/.test(url.protocol);
  if (!/^[\p{L}\p{M}\p{N}._~!$&'()*+,;=:[\]-]+$/u.test(host) || /[@\\]/.test(user)) return false;
  if (isWeb && (user.includes('%') || /^[^?#]*\\/.test(after))) return false;
  if (/[\t\n\r]/.test(authority + after)) return false;
  return parse(`${url.protocol}//${host}`)?.host === url.host;
}
