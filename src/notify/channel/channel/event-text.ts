import type { ShownEvent } from '../../verbs/notices/show-event.ts';
import type { Language } from '#platform/text/language';
import { callWords } from '../../mail/words/mail-words/call-words.ts';
import { mailWords } from '../../mail/words/mail-words/mail-words.ts';
import { timeIn } from '../text/time-in.ts';

/** What happened, in a few words with the name of the tool. */
export function eventHeadline({ type, data }: ShownEvent, language: Language): string {
  const [mail, call] = [mailWords[language], callWords[language]];
  if (data === null) return mail.test;
  const { tool, status } = data;
  if (status === 'open') return type === 'request.reminded' ? call.reminded(tool) : call.waiting(tool);
  return status === 'cancelled' ? call.withdrawn(tool) : mail[status](tool);
}

/** Server, risk and deadline, with their labels; none in a test. */
export function eventFacts({ data }: ShownEvent, language: Language): [label: string, value: string][] {
  if (data === null) return [];
  const words = mailWords[language];
  const { server, risk, status, deadlineAt } = data;
  return [
    [words.server, server],
    [words.risk, words.risks[risk]],
    ...(status === 'open' ? [[words.until, timeIn(Date.parse(deadlineAt), language)] as [string, string]] : []),
  ];
}
