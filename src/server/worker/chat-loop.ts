import type { Logger } from 'pino';
import type { Chat } from '../channels/parts/chat.ts';
import { planChat } from '../engine/chat/plan-chat.ts';
import type { Engine } from '../engine/engine.ts';
import { chatQueue } from './chat-queue.ts';
import { createDispatcher } from './dispatcher.ts';
import { createLoop, untilDue, type Loop } from './loop.ts';

/** Milliseconds between two checks without a change. */
const intervalMs = 5000;
/** Milliseconds during which changes share a turn. */
const gatherMs = 500;
/** Requests that are planned at once. */
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
