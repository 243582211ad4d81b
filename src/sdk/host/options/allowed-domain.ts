import { Problem } from '#platform/model/problem';

/** `login.example.com` is that host alone; `*.example.com` is every host below it, and not example.com itself. */
export type AllowedDomain = string;

/** Whether people may be sent to this address; ports are not looked at. */
export function isAllowedAddress({ hostname }: URL, domains: readonly AllowedDomain[]): boolean {
  return domains.some((domain) =>
    domain.startsWith(wildcard)
      ? hostname.endsWith(domain.slice(1)) && hostname !== domain.slice(1)
      : hostname === domain,
  );
}

/** The domains unchanged; throws `config-invalid` if one is not a host, or `*.` and a host, in normal form. */
export const readDomains = (domains: readonly AllowedDomain[]): AllowedDomain[] => domains.map(readDomain);

const wildcard = '*.';
/** A name or an IPv6 address in brackets: no scheme, port, path or user. */
const hostAlone = /^(?:\[[\da-f:.]+\]|[^\s./?#@*\\:[\]][^\s/?#@*\\:[\]]*)$/i;

function readDomain(domain: AllowedDomain): AllowedDomain {
  const isWildcard = domain.startsWith(wildcard);
  const host = isWildcard ? domain.slice(wildcard.length) : domain;
  // The URL parser gives lower case and Punycode, so the domains to compare with need the same form.
  const spelled = hostAlone.test(host) && URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`) : null;
  if (!spelled) throw new Problem('config-invalid', { detail: notADomain(domain) });
  if (spelled.hostname !== host)
    throw new Problem('config-invalid', { detail: otherSpelling(domain, spelled.hostname) });
  return domain;
}

const otherSpelling = (domain: string, read: string): string =>
  `allowedDomains holds ${JSON.stringify(domain)}. Write the host in its normal form: ${read}`;

const notADomain = (domain: string): string =>
  `allowedDomains holds ${JSON.stringify(domain)}. Give a host such as login.example.com, or *.example.com.`;
