import type { Logger } from 'pino';
import type { Chat } from './channel/channel.ts';
import { planChat, languageAt, readerOf } from './verbs/vote.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { createDispatcher, type DispatchQueue } from '#platform/nodes/loops/dispatcher';
import { createLoop, untilDue, type Loop } from '#platform/nodes/loops/loop';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { DeliveryEvent } from '#audit/entries/rules/events';
import { DeliveryFailure } from '../channel/delivery-failure.ts';
import { equalBytes } from '#platform/crypto/random';
import { lookupHash } from '#platform/crypto/key-ring';
import { showInChat } from './verbs/show.ts';
import { deliveryEntry } from '../verbs/deliveries.ts';
import { provenRow } from '#requests/state/verbs/proven-row';
import { chatWith } from './contract.ts';
import type { ChatMessage } from './store.ts';
import type { ElicitationRow } from '#requests/state/store/row';

/** Milliseconds between two checks without a change. */
const intervalMs = 5000;
/** Milliseconds during which changes share a turn. */
const gatherMs = 500;
/** Requests planned at once. */
const maxPlanned = 100;

/** Keeps messages in chat up to date while the node runs. */
export function createChatLoop({ engine, chats, log }: { engine: Engine; chats: readonly Chat[]; log: Logger }): Loop {
  const names = chats.map(({ name }) => name);
  const dispatcher = createDispatcher(chatQueue(engine, chats), { now: engine.now, log });
  const loop = createLoop(intervalMs, log, 'chat', async () => {
    while ((await planChat(engine, { chats: names, limit: maxPlanned })) === maxPlanned);
    if (!(await dispatcher.poll())) loop.within(gatherMs);
  });
  let forget = (): void => {};
  return {
    ...loop,
    onSigns: ({ chatAt }) => chatAt !== null && loop.within(untilDue(chatAt, engine.now())),
    start() {
      forget = engine.feed.onChange(() => loop.within(gatherMs));
      loop.start();
    },
    async stop() {
      forget();
      await loop.stop();
      await dispatcher.drain();
    },
  };
}

/** Milliseconds after which a message about an ended request is no longer updated. */
const maxAfterEndMs = 86_400_000;

/**
 * Queue of messages in these chats to be posted or updated. If a node dies between posting and recording, a message appears
 * twice; votes count only on the recorded one.
 */
function chatQueue(engine: Engine, chats: readonly Chat[]): DispatchQueue<ChatMessage> {
  const keyOf = ({ elicitationId, target }: ChatMessage): string => `${elicitationId} ${target}`;
  const partsOf = ({ target }: ChatMessage): Parts => {
    const chat = chats.find(({ name }) => name === chatWith(target));
    if (chat) return { engine, chat };
    throw new DeliveryFailure('chat-not-set-up'); // its settings were removed
  };
  return {
    name: 'chat',
    givenUpLine: 'a message in chat is no longer updated',
    concurrency: 20, // chats take about one message a second for each room
    leaseMs: 60_000,
    maxWaitMs: 600_000,
    maxFailures: Infinity, // until the request has ended
    take: (now, lease, limit) => engine.chat.take(now, lease, limit),
    recordKey: keyOf,
    place: ({ target }) => target,
    sendKey: keyOf,
    async send([message]) {
      const row = await provenRow(engine, message.elicitationId);
      if (!row) return [];
      try {
        await bring(partsOf(message), message, row);
      } catch (error) {
        throw finalIfLongOver(engine, row, error);
      }
      return [];
    },
    async record() {}, // each message is recorded with its content
    retry: (message, _code, at) => engine.chat.postpone(message, at),
    giveUp: (message, code) => giveUp(engine, message, code),
    describe: ({ elicitationId }) => ({ elicitation: elicitationId }),
  };
}

interface Parts {
  engine: Engine;
  chat: Chat;
}

/** Updates the message to the current request. */
async function bring({ engine, chat }: Parts, message: ChatMessage, row: ElicitationRow): Promise<void> {
  const { version } = row;
  const { target } = message;
  const reader = row.status === 'open' ? await readerOf(engine, row, target) : null;
  const remindedAt = row.state.context.remindedAt ?? null;
  if (message.place === null && reader === null) {
    return engine.chat.settle(message, { version, place: null, postedAt: null, hash: null, remindedAt }, null);
  }
  const shown = await showInChat(engine, row, { reader, language: await languageAt(engine, target) });
  const body = chat.write(shown);
  const hash = lookupHash(engine.ring, 'chat', JSON.stringify(body));
  const isShown = message.shownHash !== null && equalBytes(message.shownHash, hash);
  if (message.place && !isShown) await chat.update(message.place, body);
  const isReminded = message.place !== null && shown.isWaiting && (remindedAt ?? 0) > (message.remindedAt ?? 0);
  if (message.place && isReminded) await chat.remind({ place: message.place, target }, shown);
  const place = message.place ?? (await chat.post(target, body));
  const postedAt = message.place ? null : engine.now();
  const kind = message.place === null ? 'turn' : isReminded ? 'reminder' : null;
  const user = reader === 'channel' ? null : (reader?.id ?? null);
  const event = kind && ({ type: 'notification.sent', kind, user, fault: null } as const);
  const entry = event && (await entryOf(engine, message, event));
  await engine.chat.settle(message, { version, place, postedAt, hash, remindedAt }, entry);
}

/** Entry of a message that appeared, or never did. A change of its text notifies no one. */
async function entryOf(
  engine: Engine,
  { elicitationId: elicitation, target, failures }: ChatMessage,
  parts: Pick<DeliveryEvent, 'type' | 'kind' | 'user' | 'fault'>,
): Promise<AuditEntry | null> {
  const channel = chatWith(target);
  return channel && deliveryEntry(engine, { elicitation, notification: null, channel, target, failures, ...parts });
}

/** Makes an error final for a request that ended a day ago. */
function finalIfLongOver({ now }: Engine, { closedAt }: ElicitationRow, error: unknown): unknown {
  if (closedAt === null || closedAt + maxAfterEndMs >= now()) return error;
  return new DeliveryFailure(error instanceof DeliveryFailure ? error.code : 'unknown', { isFinal: true });
}

/** Gives a message up: it is no longer updated. */
async function giveUp(engine: Engine, message: ChatMessage, fault: string): Promise<void> {
  const row = await provenRow(engine, message.elicitationId);
  if (!row) return;
  const remindedAt = row.state.context.remindedAt ?? null;
  const event = { type: 'notification.given-up', kind: 'turn', user: null, fault } as const;
  const entry = message.place === null ? await entryOf(engine, message, event) : null;
  await engine.chat.settle(
    message,
    { version: row.version, place: null, postedAt: null, hash: null, remindedAt },
    entry,
  );
}
