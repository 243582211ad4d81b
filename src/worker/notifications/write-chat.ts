import type { ShownEvent } from '../../engine/notifications/show-event.ts';
import type { Language } from '../../model/words/language.ts';
import { callWords } from './words/call-words.ts';
import { mailWords } from './words/mail-words.ts';
import { timeIn } from './write-mail.ts';

/** A message for a chat that takes `{ "text": … }`, such as Mattermost, Rocket.Chat, Google Chat or Slack. */
export const chatMessage = (event: ShownEvent, language: Language): { text: string } => ({
  text: [
    headlineOf(event, language),
    ...factsOf(event, language).map(([label, value]) => `${label}: ${value}`),
    ...(event.data ? [event.data.url] : []),
  ].join('\n'),
});

/** A message for a channel of Microsoft Teams: an adaptive card with a link. */
export function teamsMessage(event: ShownEvent, language: Language): object {
  const title = { type: 'TextBlock', text: headlineOf(event, language), weight: 'Bolder', size: 'Medium', wrap: true };
  const facts = factsOf(event, language).map(([label, value]) => ({ title: label, value }));
  const { open } = mailWords[language];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [title, ...(facts.length > 0 ? [{ type: 'FactSet', facts }] : [])],
    actions: event.data ? [{ type: 'Action.OpenUrl', title: open, url: event.data.url }] : [],
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] };
}

function headlineOf({ type, data }: ShownEvent, language: Language): string {
  const [mail, call] = [mailWords[language], callWords[language]];
  if (data === null) return mail.test;
  const { tool, status } = data;
  if (status === 'open') return type === 'request.reminded' ? call.reminded(tool) : call.waiting(tool);
  return status === 'cancelled' ? call.withdrawn(tool) : mail[status](tool);
}

function factsOf({ data }: ShownEvent, language: Language): [label: string, value: string][] {
  if (data === null) return [];
  const words = mailWords[language];
  const { server, risk, status, deadlineAt } = data;
  return [
    [words.server, server],
    [words.risk, words.risks[risk]],
    ...(status === 'open' ? [[words.until, timeIn(Date.parse(deadlineAt), language)] as [string, string]] : []),
  ];
}
