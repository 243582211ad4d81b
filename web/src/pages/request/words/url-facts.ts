/** What a person must know of an address before anyone is sent there. */
export interface UrlFacts {
  /** The host the browser would really connect to; null if the text is not an address. */
  host: string | null;
  warnings: UrlWarning[];
}

export type UrlWarning = 'punycode' | 'not-https' | 'user-info' | 'address-host' | 'port';

export function describeUrl(text: string): UrlFacts {
  if (!URL.canParse(text)) return { host: null, warnings: [] };
  const url = new URL(text);
  const warnings: [UrlWarning, boolean][] = [
    ['punycode', url.hostname.split('.').some((label) => label.startsWith('xn--'))],
    ['not-https', url.protocol !== 'https:'],
    ['user-info', url.username !== '' || url.password !== ''],
    ['address-host', /^[\d.]+$|^\[/.test(url.hostname)],
    ['port', url.port !== ''],
  ];
  return { host: url.host, warnings: warnings.filter(([, applies]) => applies).map(([warning]) => warning) };
}
