import { type ShownNotice, showPush, type PushedNotice } from '../verbs/notices.ts';
import type { Language } from '#platform/text/language';
import { noticeHeadline } from '../channel/text.ts';
import { mailWords, pushWords } from '../mail/words/mail-words.ts';
import { encryptPush } from './rules.ts';
import { pushKeys } from './verbs.ts';
import type { DeviceId } from '#platform/model/id';
import type { Channel, ChannelParts } from '../channel/channel.ts';
import { DeliveryFailure } from '../channel/delivery-failure.ts';

/** Payload for the console's service worker: as brief as a mail, with the page that it opens. */
export interface PushPayload {
  title: string;
  body: string;
  /** The page that a tap opens. */
  path: string;
  /** Tag; a later message with the same one replaces it. */
  tag: string;
  lang: Language;
}

/** Seconds for which a push service keeps messages that are not about a waiting request. */
const day = 86_400;
/** Headlines that one message names. */
const maxHeadlines = 5;

/** One message for a browser, and its lifetime in seconds. */
function writePush(
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

/** Lifetime of a notice: until no one can decide any longer. */
const secondsOf = ({ request }: ShownNotice, now: number): number =>
  request?.status === 'open' ? Math.max(0, Math.ceil((request.deadlineAt - now) / 1000)) : day;

/** Cuts a text, because a push service accepts about four thousand bytes. */
const cut = (text: string, most: number): string => {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
};

/** One message for each browser, with all due notices. A browser removed by its push service is forgotten. */
export const createPushChannel = ({ engine, client }: ChannelParts): Channel<PushedNotice & { device: DeviceId }> => ({
  isBatched: true,
  async show(notification) {
    const shown = await showPush(engine, notification);
    return shown && { ...shown, device: notification.target as DeviceId };
  },
  async send(shown) {
    const [{ to, language, device }] = shown;
    const sender = { ...(await pushKeys(engine)), subject: subjectOf(engine.publicUrl()) };
    const { payload, seconds } = writePush(
      shown.map(({ notice }) => notice),
      language,
      engine.now(),
    );
    const { headers, body } = encryptPush(to, { payload, seconds, sender });
    return client.post(to.endpoint, headers, body).then(
      () => 'sent' as const,
      async (error: unknown) => {
        if (!isGone(error)) throw error;
        await engine.devices.forget(device);
        return 'moot' as const;
      },
    );
  },
});

/** Has the push service no such browser (RFC 8030), or no longer? */
const isGone = (error: unknown): boolean =>
  error instanceof DeliveryFailure && (error.code === '404' || error.code === '410');

/** Contact for a push service, which does not accept the address of a console without TLS. */
const subjectOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? publicUrl : 'mailto:operator@assentry.invalid';
