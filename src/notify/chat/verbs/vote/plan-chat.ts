import type { ElicitationId } from '#platform/model/id';
import { chatMemberForm, chatWith, type ChatChannel } from '../../contract/channels.ts';
import type { User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem/problem';
import type { Language } from '#platform/text/language';
import { chatToApprovers } from '#policies/terms/chat';
import type { ElicitationRow } from '#requests/state/store/row/row';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { provenRow } from '#requests/state/verbs/proven-row';
import { against, permission } from '#requests/state/verbs/permissions/permissions';
import { policyTerms } from '#requests/state/verbs/permissions/policy-terms';
import { requestersOf } from '#requests/asking/verbs/requester/requesters';

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

/** A request that was erased, or sealed under a missing key, is announced to no one and holds up no other. */
function noneIfUnreadable(error: unknown): string[] {
  if (error instanceof Problem) return [];
  throw error;
}

/** A room, or the members who are people that may vote now. */
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
 * Who reads a message at a target: everyone in a channel, or the person linked to that member now. Null for no one: a
 * person who has left, or a target that the policy no longer names.
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
