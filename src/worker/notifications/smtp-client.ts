import { createTransport } from 'nodemailer';
import type { MailServer } from '../../model/notifications/mail-server.ts';
import type { Mail } from './write-mail.ts';

/** A refusal by the mail server, or no answer. No caller sees it: the notification waits and is sent again. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  /** The server's code or the connection's. Never the server's text, which may repeat what was sent. */
  readonly code: string;
  /** Does the server refuse this mail or its receiver for good? */
  readonly isFinal: boolean;

  constructor({ responseCode, code }: { responseCode?: number; code?: string }) {
    const answer = responseCode === undefined ? (code ?? 'unknown') : String(responseCode);
    super(`The mail server answered ${answer}`);
    this.code = answer;
    this.isFinal = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined && responseCode >= 500;
  }
}

export interface SmtpClient {
  /** Resolves when the server has taken the mail. `id` names the mail: sent twice, it is the same one. */
  send(mail: Mail & { to: string; id: string }): Promise<void>;
  close(): void;
}

/** Milliseconds; together much less than the lease of a notification. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const mostConnections = 5;

/** Sends mails, each once; the row of its notification says when to try again. */
export function createSmtpClient({ host, port, isSecure, isLocal, auth, from }: MailServer): SmtpClient {
  const transport = createTransport({
    pool: true,
    maxConnections: mostConnections,
    host,
    port,
    secure: isSecure,
    ...(isLocal ? { ignoreTLS: !isSecure } : { requireTLS: true }),
    ...(auth && { auth }),
    ...patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, id, subject, text }) {
      const headers = { 'Auto-Submitted': 'auto-generated' };
      const messageId = `<${id}@assentry>`;
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
        throw new MailFailure(error as { responseCode?: number; code?: string });
      }
    },
    close: () => transport.close(),
  };
}
