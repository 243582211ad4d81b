import { createLoop, type Loop } from './loop.ts';
import { tellChat, type ChatTeller } from './tell-chat.ts';

/** Milliseconds between two checks for changes. */
const every = 1000;

/** Keeps messages in chat up to date while the node runs. */
export const createChatLoop = (teller: ChatTeller): Loop =>
  createLoop(every, teller.log, 'chat', () => tellChat(teller));
