import type { ShownInChat } from '../verbs/show.ts';
import type { ChatVote } from '../verbs/vote.ts';
import type { ChatChannel } from '../contract.ts';
import type { ChatPlace } from '../store.ts';
import { z } from 'zod';
import { digest } from '#platform/http/contract/problem';
import { ElicitationId } from '#requests/asking/contract/open';

/**
 * A chat with one message for each request and target, which is kept up to date, and clicks on these messages. A refusal
 * to post is a `DeliveryFailure`, and final if the message to update no longer exists.
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
  /** Media type of the chat's calls about clicks. */
  clickType: string;
  /** Problem `unauthenticated` if the call does not come from the chat; null if it reports no click. */
  readClick(call: ChatCall, now: number): Promise<ChatClick | null>;
  /** Body that shows the member an answer in the response to the call; null if `replyPrivately` does. */
  writeAnswer(text: string): object | null;
  /** Posts a message that only the member who clicked can see. */
  replyPrivately(vote: ChatVote, text: string): Promise<void>;
}

/** A call of the chat, as received. */
export interface ChatCall {
  header(name: string): string | undefined;
  body: Buffer;
}

interface ChatClick {
  /** Null for a button that is no vote, such as the one that opens the console. */
  vote: ChatVote | null;
  /** Does the member belong to the workspace that the settings name? Problem `unavailable` if that can't be checked. */
  isOurs(): Promise<boolean>;
}

/** Value of a button for a vote: the request, and the digest shown by its message. */
export const VoteButton = z.strictObject({ id: ElicitationId, digest });
