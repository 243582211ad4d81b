import { Problem } from '#platform/model/problem';

/** Problem `unavailable` of a call that did not reach Assentry; it says what to check, if the runtime says what failed. */
export function connectionFault(cause: unknown): Problem {
  if (isRefusedByProxy(cause)) return new Problem('unavailable', { cause, detail: refusedByProxy });
  const code = codeOf(cause);
  return new Problem('unavailable', { cause, ...(code !== null && { detail: sentenceOf(code) }) });
}

/** What a proxy on the way has answered, and Assentry never does. */
export const refusedByProxy =
  'Ask the operator of this MCP server to check its proxy: the proxy on the way to Assentry wants a name and a password (407). Put them into HTTPS_PROXY or HTTP_PROXY, or the host of Assentry into NO_PROXY.';

/** Was no tunnel opened because the proxy wants a name and a password? The code alone does not say it. */
export function isRefusedByProxy(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { message, cause } = error as { message?: unknown; cause?: unknown };
  return (
    (typeof message === 'string' && /^Proxy response \(407\)|\b407 Proxy Authentication/.test(message)) ||
    isRefusedByProxy(cause)
  );
}

/** Was no connection made, so that nothing was sent? */
export const isUnreached = (error: unknown): boolean =>
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(codeOf(error) ?? '');

/** Node's code is on the error, and in its cause if `fetch` threw it. */
function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z_\d]+$/.test(code) ? code : codeOf(cause);
}

function sentenceOf(code: string): string {
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return `Renew the certificate of Assentry, or name its authority in NODE_EXTRA_CA_CERTS: it is refused (${code}).`;
  if (/^EPROTO$|SSL_WRONG_VERSION|SSL_PACKET_LENGTH/.test(code))
    return `Check the address of Assentry: no TLS is spoken there, so it begins with http:// (${code}).`;
  if (code === 'ENOTFOUND') return `Check the address of Assentry: there is no such host (${code}).`;
  if (code === 'ECONNREFUSED') return `Check that Assentry runs, or try again later: nothing listens there (${code}).`;
  return `Try again later: Assentry cannot be reached (${code}).`;
}
