import type { UserEntry } from '#people/users/contract';
import { words } from '../../settings/words/words.ts';

interface Choices {
  users: UserEntry[];
  /** Anyone who was chosen already stays a choice, also when disabled. */
  chosen?: string | null;
  /** Who chooses: no one chooses themselves, and the list says so. */
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
