import type { ShownNotice } from '../../engine/notifications/show-notice.ts';
import { locales } from '../../model/words/formats.ts';
import type { Language } from '../../model/words/language.ts';
import { mailWords, type MailWords } from './words/mail-words.ts';

export interface Mail {
  subject: string;
  text: string;
}

/** What a person is told in one mail: names, risk, deadline and links, and nothing of what is asked. */
export function writeMail(notices: readonly ShownNotice[], language: Language): Mail {
  const words = mailWords[language];
  const [first] = notices;
  const parts = notices.map((notice) => [headlineOf(notice, words), ...linesOf(notice, words, language)].join('\n'));
  const subject =
    notices.length === 1 && first ? headlineOf(first, words) : `Assentry: ${words.several(notices.length)}`;
  return { subject, text: `${[...parts, words.footer].join('\n\n')}\n` };
}

/** What happened, in a few words with the name of the tool. */
export function headlineOf({ kind, request, subject }: ShownNotice, words: MailWords): string {
  if (subject !== null) return words[kind === 'review' || kind === 'key' ? kind : 'changed'](subject);
  if (request === null) return kind === 'link' ? words.link : words.test;
  if (kind === 'turn' || kind === 'reminder') return words[kind](request.tool);
  const { status } = request;
  return words[status === 'accepted' || status === 'declined' ? status : 'expired'](request.tool);
}

function linesOf({ request, subject, url, linkUntil }: ShownNotice, words: MailWords, language: Language): string[] {
  if (linkUntil !== null) return [words.linkNote(timeIn(linkUntil, language)), url];
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

/** A moment in words, in UTC. */
export const timeIn = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' }).format(at);
