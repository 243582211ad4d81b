import { signWebhook } from '../../crypto/webhooks/webhook-signature.ts';
import type { ShownCall, ShownEvent } from '../../engine/notifications/show-event.ts';
import { chatMessage, teamsMessage } from './write-chat.ts';

/** What goes to a program. */
export interface Call {
  headers: Record<string, string>;
  body: string;
}

/** An event in the form that its receiver understands; null if the receiver is not told of such an event. */
export function writeCall({ target, event }: ShownCall, { id, at }: { id: string; at: number }): Call | null {
  const secret = target.secret ?? '';
  switch (target.format) {
    case 'standard': {
      const body = JSON.stringify({ ...event, data: event.data ?? {} });
      return { headers: signWebhook(secret, { id, at, body }), body };
    }
    case 'chat':
      return plain(chatMessage(event, target.language));
    case 'msteams':
      return plain(teamsMessage(event, target.language));
    case 'pagerduty':
      return plain(pagerDutyEvent(event, { id, secret }));
  }
}

const plain = (body: object | null): Call | null => body && { headers: {}, body: JSON.stringify(body) };

const severities = { low: 'warning', medium: 'error', high: 'critical' } as const;

/**
 * An incident for each request that was escalated, in version 2 of PagerDuty's Events API; it is resolved when the
 * request ends.
 */
function pagerDutyEvent({ type, data }: ShownEvent, { id, secret }: { id: string; secret: string }): object | null {
  const event = { routing_key: secret, client: 'Assentry' };
  if (data === null) {
    const payload = { summary: 'A test from Assentry', source: 'assentry', severity: 'info' };
    return { ...event, event_action: 'trigger', dedup_key: id, payload };
  }
  const { request, tool, server, risk, policy, status, escalated, url } = data;
  if (type === 'request.waiting' || escalated === 0) return null;
  const incident = { ...event, dedup_key: request };
  if (status !== 'open') return { ...incident, event_action: 'resolve' };
  const payload = {
    summary: `No one has decided yet: ${tool} of ${server}`,
    source: server,
    component: tool,
    class: policy,
    severity: severities[risk],
  };
  return { ...incident, event_action: 'trigger', client_url: url, payload };
}
