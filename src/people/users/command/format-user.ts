import type { Operator } from '#server/operator';
import { chatLabel } from '#notify/chat/contract';

export type Directory = Awaited<ReturnType<Operator['directory']>>;
type ShownUser = Directory['users'][number];

/** One person in one line, for `user list`; managers by address, because names may be equal. */
export function formatUser(user: ShownUser, { users }: Pick<Directory, 'users'>): string {
  const { name, email, role, disabledAt, hasPassword, mayBreakGlass, subjects, chatMember, managerId, groups } = user;
  const manager = users.find(({ id }) => id === managerId);
  const parts = [
    role,
    ...(disabledAt === null ? [] : ['disabled: cannot sign in or vote']),
    ...(hasPassword ? [] : ['no password set yet']),
    ...(mayBreakGlass ? ['may use the emergency override'] : []),
    ...(manager ? [`reports to ${manager.email}`] : []),
    ...(groups.length > 0 ? [`in ${groups.map((group) => group.name).join(', ')}`] : []),
    ...(subjects.length > 0 ? [`MCP clients know them as ${subjects.join(', ')}`] : []),
    ...(chatMember === null ? [] : [`${chatMember} in ${chatLabel(chatMember)}`]),
  ];
  return `${name} <${email}>: ${parts.join('; ')}`;
}

/** One group in one line. */
export function formatGroup(group: Directory['groups'][number], { users }: Pick<Directory, 'users'>): string {
  const members = users.filter(({ id }) => group.members.some((member) => member.id === id));
  const purpose = group.description === '' ? '' : ` (${group.description})`;
  const people = members.map(({ name, email }) => `${name} <${email}>`).join(', ') || 'no one';
  const waits = group.provisioned?.isAdopted === false ? '; made by SCIM, not adopted: counts for nothing yet' : '';
  return `${group.name}${purpose}: ${people}${formatConfirmation(group)}${waits}`;
}

function formatConfirmation({ confirmation, owners }: Directory['groups'][number]): string {
  if (confirmation === null) return '';
  const { days, dueAt, lapsesAt } = confirmation;
  const by = owners.map(({ name }) => name).join(', ') || 'administrators';
  const date = new Date(lapsesAt ?? dueAt).toISOString().slice(0, 10);
  return `; confirmed every ${days} days by ${by}, ${lapsesAt === null ? 'next' : 'members leave unless confirmed'} by ${date}`;
}
