import { createTransport } from 'nodemailer';
import type { MailServer } from '../../contract.ts';
import { DeliveryFailure } from '../../../channel/delivery-failure.ts';
import type { Mail } from './write-mail.ts';

/** Milliseconds; together much less than the lease of a notification. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const maxConnections = 5;

/** Sends mails, each once; the row of its notification says when to try again. */
export function createSmtpClient({ host, port, isSecure, isLocal, auth, from, name = domainOf(from) }: MailServer) {
  const transport = createTransport({
    pool: true,
    maxConnections: maxConnections,
    name, // or it would say EHLO [127.0.0.1] in a container, which strict servers refuse
    host,
    port,
    secure: isSecure,
    ...(isLocal ? { ignoreTLS: !isSecure } : { requireTLS: true }),
    ...(auth && { auth }),
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    /** Resolves when the server has taken the mail. `id` names the mail: sent twice, it is the same one. */
    async send({ to, id, subject, text }: Mail & { to: string; id: string }) {
      const headers = { 'Auto-Submitted': 'auto-generated' };
      const messageId = `<${id}@${name}>`;
      try {
        await transport.sendMail({
          from: { name: 'Assentry', address: from },
          to: { name: '', address: to },
          subject,
          text,
          textEncoding: 'quoted-printable', // so that no line of a link is broken
          messageId,
          headers,
        });
      } catch (error) {
        throw failureOf(error as { responseCode?: number; code?: string });
      }
    },
    /** Signs in at the server and sends nothing; rejects if a mail could not be sent now. */
    async verify(): Promise<void> {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** The server's code or the connection's. The server's refusal of this mail or its receiver stays a refusal. */
function failureOf({ responseCode, code }: { responseCode?: number; code?: string }): DeliveryFailure {
  const answer = responseCode === undefined ? (code ?? 'unknown') : String(responseCode);
  const isFinal = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined && responseCode >= 500;
  return new DeliveryFailure(answer, { isFinal });
}
