import { eventFacts, eventHeadline } from '../../../channel/channel/event-text.ts';
import { unsigned, type WriteCall } from '../../../webhooks/channel/webhooks/webhook-format.ts';

/** A message for a chat that takes `{ "text": … }`, such as Mattermost, Rocket.Chat, Google Chat or Slack. */
export const writeChat: WriteCall = (event, { language }) =>
  unsigned({
    text: [
      eventHeadline(event, language),
      ...eventFacts(event, language).map(([label, value]) => `${label}: ${value}`),
      ...(event.data ? [event.data.url] : []),
    ].join('\n'),
  });
