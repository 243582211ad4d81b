import type { Engine } from '#platform/nodes/verbs/engine';
import type { TakenNotification } from '../store.ts';
import type { WebhookClient } from '../webhooks/channel/webhooks.ts';
import type { ShownEvent } from '../verbs/notices.ts';
import type { Language } from '#platform/text/language';
import { callWords, mailWords } from '../mail/words/mail-words.ts';
import { timeIn } from './text.ts';

/** Parts that a channel uses at its node. */
export interface ChannelParts {
  engine: Engine;
  /** Posts to outside addresses, on public machines only. */
  client: WebhookClient;
}

/** Sends the notifications of one channel. It tries once; after a failure, the dispatcher decides when to try again. */
export interface Channel<Shown = unknown> {
  /** Are all due notifications for one place sent at once? */
  isBatched: boolean;
  /** Content to send now; null if it no longer applies. */
  show(notification: TakenNotification): Promise<Shown | null>;
  /**
   * Sends all of it to one place, under the id of the first notification; `moot` if the place no longer exists.
   * A refusal is a `DeliveryFailure`.
   */
  send(shown: readonly [Shown, ...Shown[]], id: string): Promise<'sent' | 'moot'>;
  close?(): void;
}

/** Headline of an event, with the name of the tool. */
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

/** The value of a JSON text; null if it is none. */
export function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
