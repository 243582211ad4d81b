import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type WebhookTarget, newWebhookSecret } from '#notify/webhooks/rules';
import type { EventData, ShownEvent } from '#notify/verbs/notices';
import { languages } from '#platform/text/language';
import { writeCalls } from '#notify/webhooks/channel/webhook-channel';

const data: EventData = {
  request: 'eli_1' as EventData['request'],
  server: 'payments',
  tool: 'transfer',
  policy: 'transfers@3',
  risk: 'high',
  status: 'open',
  revision: 1,
  stage: 0,
  escalated: 0,
  deadlineAt: '2026-11-22T09:00:00.000Z',
  url: 'https://approvals.example.com/requests/eli_1',
};
const timestamp = '2026-11-22T08:00:00.000Z';
const waiting: ShownEvent = { type: 'request.waiting', timestamp, data };
const url = 'https://hooks.example.com/';
const now = Date.now();

const bodyOf = (event: ShownEvent, target: Partial<WebhookTarget>): unknown => {
  const whole = { url, format: 'chat', language: 'en', secret: null, ...target } as const;
  const call = writeCalls[whole.format](event, whole, { id: 'ntf_1', at: now });
  return call && JSON.parse(call.body);
};

test('a standard webhook is what the reference library verifies', () => {
  const secret = newWebhookSecret();
  const target = { url, format: 'standard', language: 'en', secret } as const;
  const call = writeCalls.standard(waiting, target, { id: 'ntf_1', at: now })!;
  expect(new Webhook(secret).verify(call.body, call.headers)).toEqual(waiting);
});

describe.each(languages)('in %s', (language) => {
  test.each(['open', 'accepted', 'declined', 'expired', 'cancelled'] as const)(
    'a chat is told what is %s',
    (status) => {
      const { text } = bodyOf({ ...waiting, data: { ...data, status } }, { language }) as { text: string };
      for (const part of ['transfer', 'payments', data.url]) expect(text).toContain(part);
      expect(text.includes('2026')).toBe(status === 'open');
    },
  );
});

test('Microsoft Teams gets an adaptive card with the facts and one link', () => {
  expect(bodyOf(waiting, { format: 'msteams' })).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', text: 'Approval needed: transfer', weight: 'Bolder', size: 'Medium', wrap: true },
            {
              type: 'FactSet',
              facts: [
                { title: 'Server', value: 'payments' },
                { title: 'Risk', value: 'high' },
                { title: 'Until', value: expect.stringContaining('2026') },
              ],
            },
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open in Assentry', url: data.url }],
        },
      },
    ],
  });
});

describe('PagerDuty', () => {
  const target = { format: 'pagerduty', secret: 'R0123456789ABCDEF0123456789ABCDE' } as const;
  const escalated = { ...data, escalated: 1 };

  test('has an incident for an escalated request, until that ends', () => {
    const incident = { routing_key: target.secret, client: 'Assentry', dedup_key: 'eli_1' };
    expect(bodyOf({ ...waiting, type: 'request.reminded', data: escalated }, target)).toEqual({
      ...incident,
      event_action: 'trigger',
      client_url: data.url,
      payload: {
        summary: 'No one has decided yet: transfer of payments',
        source: 'payments',
        component: 'transfer',
        class: 'transfers@3',
        severity: 'critical',
      },
    });
    const ended = { ...escalated, status: 'declined' } as const;
    expect(bodyOf({ ...waiting, type: 'request.ended', data: ended }, target)).toEqual({
      ...incident,
      event_action: 'resolve',
    });
  });

  test.each(['request.waiting', 'request.reminded', 'request.ended'] as const)(
    'hears nothing of %s without an escalation',
    (type) => expect(bodyOf({ ...waiting, type }, target)).toBeNull(),
  );
});

test.each(['standard', 'chat', 'msteams', 'pagerduty'] as const)('a test reaches %s', (format) => {
  expect(bodyOf({ type: 'test', timestamp, data: null }, { format, secret: newWebhookSecret() })).not.toBeNull();
});
