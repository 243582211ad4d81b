/** What a person must know of an address before anyone is sent there. */
interface UrlFacts {
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

const isAddress = (text: string): boolean => /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text) && URL.canParse(text);

type Deception = Extract<UrlWarning, 'punycode' | 'user-info'> | 'number-host';

/** What in an argument may pass for another host: in an address, or in a name such as that of a mailbox. */
export function deceptionsIn(text: string): Deception[] {
  if (!isAddress(text)) return /(?:^|[.@/\s])xn--/i.test(text) ? ['punycode'] : [];
  const { warnings } = describeUrl(text);
  const isNumber = warnings.includes('address-host') && !text.toLowerCase().includes(new URL(text).hostname);
  return [
    ...warnings.filter((warning) => warning === 'punycode' || warning === 'user-info'),
    // Such as http://2130706433, which is this machine.
    ...(isNumber ? (['number-host'] as const) : []),
  ];
}

/** An address in three pieces, so that its host is never cut; null for other texts. */
export function splitAddress(text: string): { before: string; host: string; after: string } | null {
  if (!isAddress(text)) return null;
  const [, before = '', host = '', after = ''] =
    /^(\s*[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is.exec(text) ?? [];
  return { before, host, after };
}
