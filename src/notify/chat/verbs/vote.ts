import { withDefaults } from '#platform/form/answer';
import { chatLabel, chatWith, chatMemberForm, type ChatChannel } from '../contract.ts';
import type { VoteAction } from '#requests/asking/contract/elicitation';
import { idFrom } from '#platform/crypto/random';
import type { ElicitationId, Id } from '#platform/model/id';
import { Problem, type ProblemCode } from '#platform/model/problem';
import { chatWords, type ChatWords } from '#messages/chat-words';
import type { Language } from '#platform/text/language';
import type { ChatPlace } from '../store.ts';
import type { ElicitationRow } from '#requests/state/store/row';
import { castVote } from '#requests/voting/verbs';
import type { Engine } from '#platform/nodes/verbs/engine';
import { assertSeen, against, permission, policyTerms } from '#requests/state/verbs/permissions';
import { votingInChat } from './show.ts';
import type { User } from '#people/directory/contract/user';
import { chatToApprovers } from '#policies/terms/chat';
import { provenRow } from '#requests/state/verbs/proven-row';
import { requestersOf } from '#requests/asking/verbs/requester';

/** A click on a message, from the report of its chat. */
export interface ChatVote {
  /** Member who clicked. */
  member: string;
  /** Message that was clicked. */
  place: ChatPlace;
  id: ElicitationId;
  action: VoteAction;
  /** Digest shown by that message. */
  digest: string;
  comment: string | undefined;
  /** Identifies this click. */
  delivery: Uint8Array;
}

/**
 * Casts the vote of the person who clicked, as if in the console. Each delivery counts once: a repeated one returns null and
 * changes nothing, unless a fault or the end of its node stopped it. The vote is its own mark, in the commit that stores it. A
 * click on an unknown message, or by a member not linked to a person, changes nothing. Refusals of chat alone are in this
 * language.
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

/** Passing faults: nothing was decided, so the chat may send the click again. */
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

/** Content of an approval, if it can be given in chat. The digest binds it. */
async function contentOf(engine: Engine, { id, digest, action }: ChatVote, words: ChatWords) {
  const row = await engine.reader.elicitation(id);
  if (row?.status !== 'open') return {}; // the vote itself reports the end
  assertSeen(row, digest);
  const { refusal, schema } = votingInChat(engine, row, words);
  if (refusal !== null) throw new Problem('forbidden', { detail: words.inConsole[refusal] });
  return action === 'accept' && schema ? { content: withDefaults(schema) } : {};
}

/**
 * Makes messages due for changed requests: new ones in these chats for the recipients the policy names, and updates.
 * Safe on any number of nodes at once. Returns how many requests were planned.
 */
export async function planChat(
  engine: Engine,
  { chats, limit }: { chats: readonly ChatChannel[]; limit: number },
): Promise<number> {
  const ids = await engine.chat.unplanned(limit);
  const planned = await Promise.all(ids.map((id) => plan(engine, id, chats)));
  return planned.filter(Boolean).length;
}

async function plan(engine: Engine, id: ElicitationId, chats: readonly ChatChannel[]): Promise<boolean> {
  const row = await provenRow(engine, id);
  if (!row) return false;
  const isOver = row.status !== 'open';
  const all = isOver ? [] : await targetsOf(engine, row).catch(noneIfUnreadable);
  const targets = all.filter((target) => chats.some((name) => name === chatWith(target)));
  await engine.chat.plan({ id, version: row.version, targets, isOver, at: engine.now() });
  return true;
}

/** No targets for an erased request, or one sealed under a missing key: it is announced to no one and blocks no other. */
function noneIfUnreadable(error: unknown): string[] {
  if (error instanceof Problem) return [];
  throw error;
}

/** Targets: a room, or members linked to people who may vote now. */
async function targetsOf(engine: Engine, row: ElicitationRow): Promise<string[]> {
  const { chat } = policyTerms(engine, row);
  if (!chat) return [];
  if (chat.to !== chatToApprovers) return [chat.to];
  const members = [...(await engine.users.inChat())];
  const requesters = requestersOf(engine, row, await engine.rules.users());
  const mayVote = (user: User): boolean => permission(against.vote(user, row, { requesters })).allowed;
  return members.flatMap(([member, user]) => (mayVote(user) ? [member] : []));
}

/**
 * Reader of a message at a target: everyone in a channel, or the person linked to that member now. Null for no one: a person
 * who has left, or a target that the policy no longer names.
 */
export async function readerOf(engine: Engine, row: ElicitationRow, target: string): Promise<User | 'channel' | null> {
  const { chat } = policyTerms(engine, row);
  if (!chatMemberForm.test(target)) return chat?.to === target ? 'channel' : null;
  return chat?.to === chatToApprovers ? engine.users.byChatMember(target) : null;
}

/** The language of the person who is that member, as in their mails; a room gets English. */
export async function languageAt({ users, notifications }: Engine, target: string): Promise<Language> {
  const user = chatMemberForm.test(target) ? await users.byChatMember(target) : null;
  return (user && (await notifications.settingsOf([user.id])).get(user.id)?.language) ?? 'en';
}
