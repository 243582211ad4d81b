import { withDefaults } from '#platform/form/answer/answer';
import { chatLabel, chatWith } from '../../contract/channels.ts';
import type { VoteAction } from '#requests/asking/contract/elicitation';
import { idFrom } from '#platform/crypto/random/random';
import type { ElicitationId, Id } from '#platform/model/id';
import { Problem, type ProblemCode } from '#platform/model/problem/problem';
import { chatWords, type ChatWords } from '#messages/chat-words';
import type { Language } from '#platform/text/language';
import type { ChatPlace } from '../../store.ts';
import type { ElicitationRow } from '#requests/state/store/row/row';
import { castVote } from '#requests/voting/verbs/cast-vote';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { assertSeen } from '#requests/state/verbs/permissions/assert-vote';
import { votingInChat } from '../show/show-in-chat.ts';

/** A click on a message, as its chat reports it. */
export interface ChatVote {
  /** The member who clicked. */
  member: string;
  /** The message that was clicked. */
  place: ChatPlace;
  id: ElicitationId;
  action: VoteAction;
  /** What that message showed. */
  digest: string;
  comment: string | undefined;
  /** Identifies this click. */
  delivery: Uint8Array;
}

/**
 * Casts the vote of the person who clicked, as if in the console. Each delivery counts once: sent again, it gives null
 * and changes nothing, unless a fault or the end of its node has ended it. The vote is its own mark, in the commit that stores
 * it. A click on an unknown message, or by a member not linked to a person, changes nothing. What chat alone refuses is said
 * in this language.
 */
export async function voteInChat(engine: Engine, vote: ChatVote, language: Language): Promise<ElicitationRow | null> {
  const voteId = idFrom('vote', Buffer.from(vote.delivery.subarray(0, 16)));
  if ((await engine.chat.wasRefused(vote.delivery)) || (await isCast(engine, vote, voteId))) return null;
  try {
    return await castClicked(engine, vote, voteId, chatWords[language]);
  } catch (error) {
    if (await isCast(engine, vote, voteId)) return null; // by another node, at the same time
    const isPassing = !(error instanceof Problem) || passingCodes.has(error.code);
    if (!isPassing && !(await engine.chat.noteRefused(vote.delivery, engine.now()))) return null;
    throw error;
  }
}

/** Faults that pass: nothing was decided, so the chat may send the click again. */
const passingCodes = new Set<ProblemCode>(['write-conflict', 'overloaded', 'database-unavailable']);

const isCast = async ({ reader }: Engine, { id }: ChatVote, voteId: Id<'vote'>): Promise<boolean> =>
  (await reader.votes(id)).some((vote) => vote.id === voteId);

async function castClicked(
  engine: Engine,
  vote: ChatVote,
  voteId: Id<'vote'>,
  words: ChatWords,
): Promise<ElicitationRow> {
  if (!(await engine.chat.isPosted(vote.id, vote.place))) {
    throw new Problem('not-found', { detail: words.lostMessage });
  }
  const user = await engine.users.byChatMember(vote.member);
  if (!user) throw new Problem('forbidden', { detail: words.notLinked(chatLabel(vote.member)) });
  const { action, digest, comment } = vote;
  const content = await contentOf(engine, vote, words);
  const chat = chatWith(vote.member);
  return castVote(engine, user, vote.id, { id: voteId, action, digest, comment, ...content, chat });
}

/** What an approval answers, if it can be given in chat. The digest binds it. */
async function contentOf(engine: Engine, { id, digest, action }: ChatVote, words: ChatWords) {
  const row = await engine.reader.elicitation(id);
  if (row?.status !== 'open') return {}; // the vote itself says how it ended
  assertSeen(row, digest);
  const { refusal, schema } = votingInChat(engine, row, words);
  if (refusal !== null) throw new Problem('forbidden', { detail: words.inConsole[refusal] });
  return action === 'accept' && schema ? { content: withDefaults(schema) } : {};
}
