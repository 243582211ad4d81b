import { createLoop, type Loop } from './loop.ts';
import { tellChat, type ChatTeller } from './tell-chat.ts';

/** Milliseconds between two looks at what changed. */
const every = 1000;

/** Keeps the messages in chat as the requests are, for as long as the node runs. */
export const createChatLoop = (teller: ChatTeller): Loop =>
  createLoop(every, teller.log, 'chat', () => tellChat(teller));
