import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { StreamTls } from '../contract.ts';
import { DeliveryFailure } from '#notify/channel/delivery-failure';

/** Milliseconds from the beginning of the connection until the receiver has closed it. */
const timeoutMs = 15_000;
/** Of syslog over TLS (RFC 5425). */
const defaultPort = 6514;

/**
 * Sends the bytes over a connection of their own. Syslog has no receipt; so this closes its side first, and resolves
 * when the receiver, who has then read everything, has closed the other without an error.
 */
export function sendSyslog(address: string, tls: StreamTls, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = open(address, tls);
    const timer = setTimeout(() => socket.destroy(new DeliveryFailure('ETIMEDOUT')), timeoutMs);
    let [isWritten, isAnswered] = [false, false];
    socket.once('secureConnect', () => socket.end(bytes));
    socket.once('finish', () => (isWritten = true));
    socket.once('end', () => (isAnswered = isWritten));
    socket.once('error', (error) => reject(failureOf(error)));
    socket.once('close', () => {
      clearTimeout(timer);
      if (isAnswered) resolve();
      else reject(new DeliveryFailure('closed-early'));
    });
    socket.resume();
  });
}

/** The certificate must be for the name, whatever the environment says. */
function open(address: string, tls: StreamTls): TLSSocket {
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const servername = isIP(host) === 0 ? host : '';
  return connect({ ...tls, host, port: Number(port) || defaultPort, servername, rejectUnauthorized: true });
}

function failureOf(error: NodeJS.ErrnoException): DeliveryFailure {
  return error instanceof DeliveryFailure ? error : new DeliveryFailure(error.code ?? 'unknown');
}
