import { eventFacts, eventHeadline } from '../../../channel/channel/event-text.ts';
import { unsigned, type WriteCall } from '../../../webhooks/channel/webhooks/webhook-format.ts';
import { mailWords } from '../../../mail/words/mail-words/mail-words.ts';

/** An adaptive card with a button that opens the request, for a workflow of Microsoft Teams that posts it. */
export const writeTeamsCard: WriteCall = (event, { language }) => {
  const title = {
    type: 'TextBlock',
    text: eventHeadline(event, language),
    weight: 'Bolder',
    size: 'Medium',
    wrap: true,
  };
  const facts = eventFacts(event, language).map(([label, value]) => ({ title: label, value }));
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [title, ...(facts.length > 0 ? [{ type: 'FactSet', facts }] : [])],
    actions: event.data ? [{ type: 'Action.OpenUrl', title: mailWords[language].open, url: event.data.url }] : [],
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return unsigned({ type: 'message', attachments: [{ contentType, content }] });
};
