import type { WebhookTarget } from '../../rules/webhook-box.ts';
import type { ShownEvent } from '../../../verbs/notices/show-event.ts';

/** What is posted to a webhook. */
export interface Call {
  headers: Record<string, string>;
  body: string;
}

/** Writes an event in the form that its receiver understands; null if the receiver gets no such event. */
export type WriteCall = (event: ShownEvent, target: WebhookTarget, sent: { id: string; at: number }) => Call | null;

/** A call whose address, or a key in its body, says who sends it. */
export const unsigned = (body: object): Call => ({ headers: {}, body: JSON.stringify(body) });
