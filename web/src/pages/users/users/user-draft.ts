import type { ChangeUser, UserEntry } from '../../../../../src/contract/users/users.ts';

/** A person as the form has them: texts, with nothing for no one. */
export type UserDraft = ReturnType<typeof startDraft>;

export const startDraft = ({ name, role, managerId, subjects, slackId, mayBreakGlass, disabledAt }: UserEntry) => ({
  name,
  role,
  managerId: managerId ?? '',
  subjects: subjects.join('\n'),
  slackId: slackId ?? '',
  mayBreakGlass,
  disabled: disabledAt !== null,
});

export function readDraft({ managerId, subjects, slackId, ...rest }: UserDraft): ChangeUser {
  const names = subjects
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  return { ...rest, managerId: orNull(managerId), slackId: orNull(slackId), subjects: names };
}
