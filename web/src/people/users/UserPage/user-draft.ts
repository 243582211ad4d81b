import type { ChangeUser, UserEntry } from '#people/users/contract';

/** A person as the form has them: texts, with nothing for no one. */
export type UserDraft = ReturnType<typeof startDraft>;

export const startDraft = ({ name, role, managerId, subjects, chatMember, mayBreakGlass, disabledAt }: UserEntry) => ({
  name,
  role,
  managerId: managerId ?? '',
  subjects: subjects.join('\n'),
  chatMember: chatMember ?? '',
  mayBreakGlass,
  disabled: disabledAt !== null,
});

export function readDraft({ managerId, subjects, chatMember, ...rest }: UserDraft): ChangeUser {
  const names = subjects
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  return { ...rest, managerId: orNull(managerId), chatMember: orNull(chatMember), subjects: names };
}
