import type { ShownInChat } from '../../engine/chat/show-in-chat.ts';
import type { ChatChannel } from '../../model/channels.ts';
import type { ChatPlace } from '../../store/elicitation/chat.ts';

/**
 * A chat with one message for each request and target, which is kept up to date. A refusal is a `DeliveryFailure`,
 * and final if the message to update no longer exists.
 */
export interface Chat {
  name: ChatChannel;
  /** A request as a message of this chat. */
  write(shown: ShownInChat): object;
  /** Posts to a room or a member. If this fails, the message may still have been posted. */
  post(target: string, message: object): Promise<ChatPlace>;
  update(place: ChatPlace, message: object): Promise<void>;
  /** Posts a reminder where the members see it, without content. */
  remind(to: { place: ChatPlace; target: string }, shown: ShownInChat): Promise<void>;
}
