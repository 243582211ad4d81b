import { isIP } from 'node:net';
import type { RequestHandler } from 'express';

/**
 * Reads `X-Forwarded-For` in the dialects of proxies: some write the port of each connection, which would make every connection
 * an address of its own for limits and networks. What is no address counts as one address that is in no network.
 */
export const readForwardedFor: RequestHandler = ({ headers }, _response, next) => {
  const header = headers['x-forwarded-for'];
  if (header !== undefined) headers['x-forwarded-for'] = [header].flat().join(',').split(',').map(addressIn).join(', ');
  next();
};

/** The address of an entry such as `1.2.3.4:5678`, `[::1]:80` or `"[::1]"`. */
export function addressIn(entry: string): string {
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  const [, inBrackets, before] = /^\[([^\]]*)\](?::\d{1,5})?$|^([^:]*):\d{1,5}$/.exec(text) ?? [];
  const address = inBrackets ?? before ?? text;
  return isIP(address) === 0 ? 'unknown' : address;
}
