import type { Logger } from 'pino';
import type { AuditEntry } from '../audit/entry.ts';
import type { DeliveryEvent } from '../audit/events/delivery-event.ts';
import { equalBytes } from '../crypto/compare.ts';
import { lookupHash } from '../crypto/lookup-hash.ts';
import type { Engine } from '../engine/engine.ts';
import { deliveryEntry } from '../engine/notifications/delivery-entry.ts';
import { provenRow } from '../engine/proven-row.ts';
import { planChat, readerOf } from '../engine/chat/plan-chat.ts';
import { showInChat } from '../engine/chat/show-in-chat.ts';
import type { ChatMessage } from '../store/elicitation/chat.ts';
import type { ElicitationRow } from '../store/elicitation/row.ts';
import { SlackFailure, type SlackClient } from './slack-client.ts';
import { slackMessage, slackReminder } from './slack-message.ts';

export interface ChatTeller {
  engine: Engine;
  slack: SlackClient;
  log: Logger;
}

/** Milliseconds for which a node holds a message it took; after that others may post it. */
const lease = 60_000;
/** Messages in one turn: Slack accepts about one a second for each channel. */
const together = 20;
const requestsAtOnce = 100;
/** Milliseconds. */
const longestWait = 600_000;
/** Milliseconds after which a message about an ended request is no longer updated. */
const longestAfterEnd = 86_400_000;

/**
 * Posts and updates due messages. One node at a time takes a message. If it dies in between, the message is due again
 * and may appear twice; votes count only on the recorded one.
 */
export async function tellChat(teller: ChatTeller): Promise<void> {
  const { engine } = teller;
  while ((await planChat(engine, requestsAtOnce)) === requestsAtOnce);
  for (let count = together; count === together;) {
    const now = engine.now();
    const messages = await engine.chat.take(now, now + lease, together);
    await Promise.all(messages.map((message) => tell(teller, message)));
    count = messages.length;
  }
}

async function tell(teller: ChatTeller, message: ChatMessage): Promise<void> {
  const row = await provenRow(teller.engine, message.elicitationId);
  if (!row) return;
  try {
    await bring(teller, message, row);
  } catch (error) {
    await postpone(teller, message, row, error);
  }
}

/** Updates the message to the current request. */
async function bring({ engine, slack }: ChatTeller, message: ChatMessage, row: ElicitationRow): Promise<void> {
  const { version } = row;
  const { target } = message;
  const reader = row.status === 'open' ? await readerOf(engine, row, target) : null;
  const remindedAt = row.state.context.remindedAt ?? null;
  if (message.place === null && reader === null) {
    return engine.chat.settle(message, { version, place: null, postedAt: null, hash: null, remindedAt }, null);
  }
  const shown = await showInChat(engine, row, reader);
  const body = slackMessage(shown);
  const hash = lookupHash(engine.ring, 'chat', JSON.stringify(body));
  const isShown = message.shownHash !== null && equalBytes(message.shownHash, hash);
  if (message.place && !isShown) await slack.update(message.place, body);
  const isReminded = message.place !== null && shown.isWaiting && (remindedAt ?? 0) > (message.remindedAt ?? 0);
  if (message.place && isReminded) {
    const reminder = slackReminder(shown);
    // A person gets a new message, a channel a reply to the existing one.
    await (reader === 'channel' ? slack.reply(message.place, reminder) : slack.post(target, reminder));
  }
  const place = message.place ?? (await slack.post(target, body));
  const postedAt = message.place ? null : engine.now();
  const kind = message.place === null ? 'turn' : isReminded ? 'reminder' : null;
  const user = reader === 'channel' ? null : (reader?.id ?? null);
  const entry = kind && (await entryOf(engine, message, { type: 'notification.sent', kind, user, fault: null }));
  await engine.chat.settle(message, { version, place, postedAt, hash, remindedAt }, entry);
}

/** Of a message that appeared, or never did. A change of what it says tells no one. */
const entryOf = (
  engine: Engine,
  { elicitationId: elicitation, target, failures }: ChatMessage,
  parts: Pick<DeliveryEvent, 'type' | 'kind' | 'user' | 'fault'>,
): Promise<AuditEntry> =>
  deliveryEntry(engine, { elicitation, notification: null, channel: 'slack', target, failures, ...parts });

/** Slack's codes for a message that no longer exists. */
const gone = new Set([
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
  'channel_not_found',
  'thread_not_found',
  'cannot_reply_to_message',
]);

async function postpone({ engine, log }: ChatTeller, message: ChatMessage, row: ElicitationRow, error: unknown) {
  const failure = error instanceof SlackFailure ? error : null;
  const isGone = message.place !== null && failure !== null && gone.has(failure.word);
  const now = engine.now();
  const line = { elicitation: row.id, err: failure?.word ?? error };
  if (isGone || (row.closedAt !== null && row.closedAt + longestAfterEnd < now)) {
    log.warn(line, 'a message in chat is no longer updated');
    const remindedAt = row.state.context.remindedAt ?? null;
    const fault = failure?.word ?? 'unknown';
    const unseen = { type: 'notification.given-up', kind: 'turn', user: null, fault } as const;
    const entry = message.place === null ? await entryOf(engine, message, unseen) : null;
    const unchanged = { version: row.version, place: null, postedAt: null, hash: null, remindedAt };
    return engine.chat.settle(message, unchanged, entry);
  }
  log.warn(line, 'could not post to chat; will try again');
  const wait = Math.min(1000 * 2 ** message.failures, longestWait);
  await engine.chat.postpone(message, now + Math.max(wait, (failure?.retryAfter ?? 0) * 1000));
}
