import type { Logger } from 'pino';
import type { Chat } from '../channel/channel/chat.ts';
import { planChat } from '../verbs/vote/plan-chat.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { chatQueue } from './chat-queue.ts';
import { createDispatcher } from '#platform/nodes/loops/dispatcher/dispatcher';
import { createLoop, untilDue, type Loop } from '#platform/nodes/loops/loop/loop';

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
