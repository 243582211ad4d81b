import { openWebhook, type WebhookTarget } from '../../webhooks/rules/webhook-box.ts';
import type { NotificationKind } from '../../contract/notification/notification.ts';
import type { WebhookId } from '#platform/model/id';
import { revealAsText } from '#platform/text/visible-text/visible-text';
import type { ElicitationRow } from '#requests/state/store/row/row';
import type { TakenNotification } from '../../store/notifications.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { provenRow } from '#requests/state/verbs/proven-row';
import type { NewsKind } from '../plan/plan-news.ts';

/** What is about no request is its person's alone. */
type EventKind = Exclude<NotificationKind, NewsKind | 'sign-in' | 'link'>;

/** The event that a webhook gets, by the kind of the notification. */
const eventTypes = {
  turn: 'request.waiting',
  reminder: 'request.reminded',
  outcome: 'request.ended',
  test: 'test',
} as const satisfies Record<EventKind, string>;

/** An event in the form of Standard Webhooks: of the request, names that are not sealed in the database, and a link. */
export interface ShownEvent {
  type: (typeof eventTypes)[EventKind];
  /** When it happened. */
  timestamp: string;
  /** The request as it is now; null in a test. */
  data: EventData | null;
}

export type EventData = ReturnType<typeof dataOf>;

interface ShownCall {
  target: WebhookTarget;
  event: ShownEvent;
  /** Of the call that asked. */
  traceparent: string | null;
}

/** What to tell the program now, and where; null if the webhook was removed. */
export async function showEvent(
  engine: Pick<Engine, 'webhooks' | 'reader' | 'ring' | 'publicUrl'>,
  { elicitationId, target: id, kind, createdAt }: TakenNotification,
): Promise<ShownCall | null> {
  const webhook = await engine.webhooks.find(id as WebhookId);
  if (!webhook || !isEvent(kind)) return null;
  const target = openWebhook(engine.ring, id, webhook.sealed);
  const event = { type: eventTypes[kind], timestamp: new Date(createdAt).toISOString() };
  if (elicitationId === null) return { target, event: { ...event, data: null }, traceparent: null };
  const row = await provenRow(engine, elicitationId);
  if (!row) return null;
  const data = dataOf(row, `${engine.publicUrl()}/requests/${elicitationId}`);
  return { target, event: { ...event, data }, traceparent: row.traceparent };
}

const isEvent = (kind: NotificationKind): kind is EventKind => kind in eventTypes;

const dataOf = (
  { id, serverName, tool, policy, risk, status, state, revision, deadlineAt }: ElicitationRow,
  url: string,
) => ({
  request: id,
  server: revealAsText(serverName),
  tool: revealAsText(tool),
  policy,
  risk,
  status,
  revision,
  stage: state.context.stage,
  escalated: state.context.escalated,
  deadlineAt: new Date(deadlineAt).toISOString(),
  url,
});
