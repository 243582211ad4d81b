import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { MailServer } from '#notify/mail/contract';

export interface ReceivedMail {
  to: string;
  subject: string;
  id: string;
  /** As it came over the line, with its soft line breaks undone. */
  source: string;
}

/** A mail server on this machine that keeps what it takes. */
export interface MailBox {
  settings: MailServer;
  received: ReceivedMail[];
  to(address: string): ReceivedMail[];
  /** The next receivers are refused with this code. */
  refuse(code: number, times: number): void;
  /** The next mail arrives, and the sender never hears so. */
  silence(): void;
  stop(): Promise<void>;
}

export async function openMailBox(): Promise<MailBox> {
  const received: ReceivedMail[] = [];
  const refusals: number[] = [];
  let isSilent = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onRcptTo(_address, _session, done) {
      const responseCode = refusals.shift();
      if (responseCode === undefined) return done();
      return done(Object.assign(new Error('a text that no log may repeat'), { responseCode }));
    },
    onData(stream, { envelope }, done) {
      void text(stream).then((line) => {
        const source = line.replaceAll('=\r\n', '');
        const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(source)?.[1]?.trim() ?? '';
        const to = envelope.rcptTo[0]?.address ?? '';
        received.push({ to, subject: header('Subject'), id: header('Message-ID'), source });
        if (!isSilent) done();
        isSilent = false;
      });
    },
  });
  server.on('error', () => {}); // a sender that is killed resets its connection
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    settings: { host: '127.0.0.1', port, isSecure: false, isLocal: true, auth: null, from: 'assentry@example.com' },
    received,
    to: (address) => received.filter((mail) => mail.to === address),
    refuse: (code, times) => void refusals.push(...Array.from({ length: times }, () => code)),
    silence: () => void (isSilent = true),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
