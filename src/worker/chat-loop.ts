import { createLoop, untilDue, type Loop } from './loop.ts';
import { tellChat, type ChatTeller } from './tell-chat.ts';

/** Milliseconds between two checks without a change. */
const every = 5000;
/** Milliseconds during which changes share a turn. */
const gather = 500;

/** Keeps messages in chat up to date while the node runs. */
export function createChatLoop(teller: ChatTeller): Loop {
  const { engine, log } = teller;
  const loop = createLoop(every, log, 'chat', () => tellChat(teller));
  let forget = (): void => {};
  return {
    ...loop,
    heed: ({ chatAt }) => chatAt !== null && loop.within(untilDue(chatAt, engine.now())),
    start() {
      forget = engine.feed.onChange(() => loop.within(gather));
      loop.start();
    },
    async stop() {
      forget();
      await loop.stop();
    },
  };
}
