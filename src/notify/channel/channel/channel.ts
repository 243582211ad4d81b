import type { Engine } from '#platform/nodes/verbs/engine/engine';
import type { TakenNotification } from '../../store/notifications.ts';
import type { WebhookClient } from '../../webhooks/channel/webhooks/webhook-client.ts';

/** What a channel works with at its node. */
export interface ChannelParts {
  engine: Engine;
  /** Posts to addresses from outside, and to public machines only. */
  client: WebhookClient;
}

/** How the notifications of one channel are sent. It sends once; when it fails, the dispatcher says when to try again. */
export interface Channel<Shown = unknown> {
  /** Is everything that is due for one place sent at once? */
  isBatched: boolean;
  /** What to send now; null if it no longer applies. */
  show(notification: TakenNotification): Promise<Shown | null>;
  /**
   * Sends all of it to one place, under the id of the first notification; `moot` if the place no longer exists.
   * A refusal is a `DeliveryFailure`.
   */
  send(shown: readonly [Shown, ...Shown[]], id: string): Promise<'sent' | 'moot'>;
  close?(): void;
}
