import type { UserEntry } from '#people/users/contract';
import { words } from '../../settings/words/words.ts';

interface Choices {
  users: UserEntry[];
  /** Person already chosen, who stays a choice even when disabled. */
  chosen?: string | null;
  /** Person who chooses: they cannot choose themselves, and the list tells so. */
  me: string | undefined;
}

/** People to choose from in a list, by name and address. */
export const userChoices = ({ users, chosen, me }: Choices) =>
  users
    .filter(({ id, disabledAt }) => disabledAt === null || id === chosen)
    .map(({ id, name, email }) => {
      const isMine = id === me && id !== chosen;
      return { value: id, label: isMine ? words.notYourself(name) : `${name} (${email})`, disabled: isMine };
    });
