import { createRemoteJWKSet, customFetch } from 'jose';
import { Problem } from '../../model/problem/problem.ts';
import { sendRequest } from '../../http/client/outgoing-request.ts';
import { traceHeaders } from '../../http/client/current-request.ts';

/** Milliseconds an issuer has to answer. */
export const issuerTimeoutMs = 5_000;

/** Who asks. */
interface IssuerClient {
  clientId: string;
  clientSecret: string;
}

export interface IssuerAnswer {
  isOk: boolean;
  status: number;
  body: unknown;
}

/** The public keys of an issuer at this address. */
export const issuerKeys = (address: string) =>
  createRemoteJWKSet(new URL(address), {
    timeoutDuration: issuerTimeoutMs,
    [customFetch]: sendRequest,
  });

/** Posts a form to an issuer as this client; problem `unavailable` if it gives no JSON. No redirect is followed. */
export async function askIssuer(
  address: string,
  { clientId, clientSecret }: IssuerClient,
  form: Record<string, string>,
): Promise<IssuerAnswer> {
  const credentials = Buffer.from([clientId, clientSecret].map(encodeURIComponent).join(':')).toString('base64');
  try {
    const headers = { authorization: `Basic ${credentials}`, accept: 'application/json', ...traceHeaders() };
    const request = { method: 'POST', headers, body: new URLSearchParams(form) };
    const response = await sendRequest(address, request, { timeoutMs: issuerTimeoutMs });
    return { isOk: response.ok, status: response.status, body: await response.json() };
  } catch (error) {
    throw issuerUnavailable(error);
  }
}

export const issuerUnavailable = (cause: unknown): Problem =>
  new Problem('unavailable', { detail: 'Try again later: the issuer of the access tokens cannot be reached.', cause });
