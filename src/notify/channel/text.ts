import { locales, onFirstUse } from '#platform/text/formats';
import type { Language } from '#platform/text/language';
import type { ShownNotice } from '../verbs/notices.ts';
import type { MailWords } from '../mail/words/mail-words.ts';

/** Format made once, because that takes longer than writing a mail, and only by a process that writes one. */
const formatIn = (language: Language) =>
  onFirstUse(
    () => new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' }),
  );

const formats = { en: formatIn('en'), de: formatIn('de'), fr: formatIn('fr') };

/** A moment in words, in UTC. */
export const timeIn = (at: number, language: Language): string => formats[language]().format(at);

/** Headline of a notice, with the name of the tool. */
export function noticeHeadline({ kind, request, subject, signInChange }: ShownNotice, words: MailWords): string {
  if (signInChange) return words.signIn[signInChange];
  if (subject !== null) return words[isNamedByKind(kind) ? kind : 'changed'](subject);
  if (request === null) return kind === 'link' ? words.link : words.test;
  if (kind === 'turn' || kind === 'reminder') return words[kind](request.tool);
  const { status } = request;
  return words[status === 'accepted' || status === 'declined' ? status : 'expired'](request.tool);
}

const isNamedByKind = (kind: ShownNotice['kind']) =>
  kind === 'review' || kind === 'key' || kind === 'members' || kind === 'report';
