import type { ShownNotice } from '../../verbs/notices/show-notice.ts';
import type { MailWords } from '../../mail/words/mail-words/mail-words.ts';

/** What happened, in a few words with the name of the tool. */
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
