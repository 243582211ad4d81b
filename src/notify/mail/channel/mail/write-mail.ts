import type { ShownNotice } from '../../../verbs/notices/show-notice.ts';
import type { Language } from '#platform/text/language';
import { noticeHeadline } from '../../../channel/text/notice-headline.ts';
import { timeIn } from '../../../channel/text/time-in.ts';
import { mailWords, type MailWords } from '../../words/mail-words/mail-words.ts';

/** Notices that a mail describes; it counts the others. */
const maxNotices = 50;

export interface Mail {
  subject: string;
  text: string;
}

/** What a person is told in one mail: names, risk, deadline and links, and nothing of what is asked. */
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
