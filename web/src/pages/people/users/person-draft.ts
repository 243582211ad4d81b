import type { ChangePerson, PersonEntry } from '../../../../../src/contract/people/people.ts';

/** A person as the form has them: texts, with nothing for nobody. */
export type PersonDraft = ReturnType<typeof startDraft>;

export const startDraft = ({ name, role, managerId, subjects, slackId, mayBreakGlass, disabledAt }: PersonEntry) => ({
  name,
  role,
  managerId: managerId ?? '',
  subjects: subjects.join('\n'),
  slackId: slackId ?? '',
  mayBreakGlass,
  disabled: disabledAt !== null,
});

export function readDraft({ managerId, subjects, slackId, ...rest }: PersonDraft): ChangePerson {
  const names = subjects
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  return { ...rest, managerId: orNull(managerId), slackId: orNull(slackId), subjects: names };
}
