import type { PersonEntry } from '../../../../src/contract/people/people.ts';
import { words } from './words.ts';

interface Choices {
  people: PersonEntry[];
  /** Whoever was chosen already stays a choice, also when disabled. */
  chosen?: string | null;
  /** Who chooses: nobody chooses themselves, and the list says so. */
  me: string | undefined;
}

/** People to choose from in a list, by name and address. */
export const personChoices = ({ people, chosen, me }: Choices) =>
  people
    .filter(({ id, disabledAt }) => disabledAt === null || id === chosen)
    .map(({ id, name, email }) => {
      const isMine = id === me && id !== chosen;
      return { value: id, label: isMine ? words.notYourself(name) : `${name} (${email})`, disabled: isMine };
    });
