import { showNotice, type AddressedNotice, type ShownNotice } from '../../verbs/notices.ts';
import type { MailServer } from '../contract.ts';
import type { Channel, ChannelParts } from '../../channel/channel.ts';
import { createTransport } from 'nodemailer';
import { DeliveryFailure } from '../../channel/delivery-failure.ts';
import type { Language } from '#platform/text/language';
import { noticeHeadline, timeIn } from '../../channel/text.ts';
import { mailWords, type MailWords } from '../words/mail-words.ts';

/** One mail for each person, with all due notices; a second one to a former address. */
export function createEmailChannel(
  { engine }: Pick<ChannelParts, 'engine'>,
  server: MailServer,
): Channel<AddressedNotice> {
  const smtp = createSmtpClient(server);
  return {
    isBatched: true,
    show: (notification) => showNotice(engine, notification),
    async send(shown, id) {
      const [{ language }] = shown;
      for (const [at, to] of [...new Set(shown.map(({ email }) => email))].entries()) {
        const notices = shown.filter(({ email }) => email === to).map(({ notice }) => notice);
        await smtp.send({ to, id: at === 0 ? id : `${id}-${at}`, ...writeMail(notices, language) });
      }
      return 'sent';
    },
    close: smtp.close,
  };
}

/** Milliseconds, together much less than the lease of a notification. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const maxConnections = 5;

/** Sends mails, each once; the row of its notification holds the time of the next try. */
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
    /** Resolves when the server has taken the mail. `id` names the mail: a repeated one is the same. */
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

/** Failure with the server's code or the connection's. The server's refusal of this mail or its receiver stays a refusal. */
function failureOf({ responseCode, code }: { responseCode?: number; code?: string }): DeliveryFailure {
  const answer = responseCode === undefined ? (code ?? 'unknown') : String(responseCode);
  const isFinal = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined && responseCode >= 500;
  return new DeliveryFailure(answer, { isFinal });
}

/** Limit of notices described in a mail; it counts the others. */
const maxNotices = 50;

export interface Mail {
  subject: string;
  text: string;
}

/** One mail for a person: names, risk, deadline and links, and nothing of the content. */
export function writeMail(notices: readonly ShownNotice[], language: Language): Mail {
  const words = mailWords[language];
  const [first] = notices;
  const parts = notices
    .slice(0, maxNotices)
    .map((notice) => [noticeHeadline(notice, words), ...linesOf(notice, words, language)].join('\n'));
  const more = notices.length > maxNotices ? [words.more(notices.length - maxNotices)] : [];
  const subject =
    notices.length === 1 && first ? noticeHeadline(first, words) : `Assentry: ${words.several(notices.length)}`;
  return { subject, text: `${[...parts, ...more, words.footer].join('\n\n')}\n` };
}

function linesOf(notice: ShownNotice, words: MailWords, language: Language): string[] {
  const { request, subject, url, linkUntil, resetsFactors, signInChange } = notice;
  if (signInChange) return [words.signInNote, url];
  if (linkUntil !== null)
    return [words.linkNote(timeIn(linkUntil, language)), ...(resetsFactors ? [words.resetNote] : []), url];
  if (subject !== null) return [`${words.open}: ${url}`];
  if (request === null) return [words.testNote, url];
  const isOpen = request.status === 'open';
  return [
    `${words.server}: ${request.server}`,
    `${words.tool}: ${request.tool}`,
    `${words.risk}: ${words.risks[request.risk]}`,
    ...(isOpen ? [`${words.until}: ${timeIn(request.deadlineAt, language)}`] : []),
    `${words.open}: ${url}`,
  ];
}
