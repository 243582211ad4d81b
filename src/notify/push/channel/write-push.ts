import type { ShownNotice } from '../../verbs/notices/show-notice.ts';
import type { Language } from '#platform/text/language';
import { noticeHeadline } from '../../channel/text/notice-headline.ts';
import { mailWords, pushWords } from '../../mail/words/mail-words/mail-words.ts';

/** What the service worker of the console shows: as thin as a mail, with the page that it opens. */
export interface PushPayload {
  title: string;
  body: string;
  /** The page that a tap opens. */
  path: string;
  /** A later one with the same tag replaces it. */
  tag: string;
  lang: Language;
}

/** Seconds for which a push service keeps what is not about a request that waits. */
const day = 86_400;
/** Headlines that one message names. */
const maxHeadlines = 5;

/** What a browser is told in one message, and for how many seconds it is worth telling. */
export function writePush(
  notices: readonly ShownNotice[],
  language: Language,
  now: number,
): { payload: string; seconds: number } {
  const [first] = notices;
  const content = notices.length === 1 && first ? single(first, language) : several(notices, language);
  const payload: PushPayload = { ...content, lang: language };
  return { payload: JSON.stringify(payload), seconds: Math.max(...notices.map((notice) => secondsOf(notice, now))) };
}

function single(notice: ShownNotice, language: Language): Omit<PushPayload, 'lang'> {
  const words = mailWords[language];
  const { request } = notice;
  const { pathname: path } = new URL(notice.url);
  const title = cut(noticeHeadline(notice, words), 200);
  if (notice.signInChange) return { title, body: words.signInNote, path, tag: notice.signInChange };
  if (notice.subject !== null) return { title, body: notice.subject, path, tag: path };
  if (request === null) return { title, body: pushWords[language].testNote, path: '/account', tag: 'test' };
  const lines = [`${words.server}: ${cut(request.server, 200)}`, `${words.risk}: ${words.risks[request.risk]}`];
  return { title, body: lines.join('\n'), path, tag: path };
}

function several(notices: readonly ShownNotice[], language: Language): Omit<PushPayload, 'lang'> {
  const words = mailWords[language];
  const headlines = notices.slice(0, maxHeadlines).map((notice) => cut(noticeHeadline(notice, words), 100));
  return {
    title: `Assentry: ${words.several(notices.length)}`,
    body: headlines.join('\n'),
    path: '/inbox',
    tag: 'several',
  };
}

/** Until no one can decide any more. */
const secondsOf = ({ request }: ShownNotice, now: number): number =>
  request?.status === 'open' ? Math.max(0, Math.ceil((request.deadlineAt - now) / 1000)) : day;

/** A push service takes about four thousand bytes. */
const cut = (text: string, most: number): string => {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
};
