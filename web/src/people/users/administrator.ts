import { SetUp } from '#requests/inbox/contract/inbox';
import { Problem } from '#platform/model/problem';

/** Length in characters, as a person counts them. */
export const minPasswordLength = 15;

export interface Administrator {
  name: string;
  email: string;
  password: string;
}

type AdministratorFaults = Partial<Record<keyof Administrator, string>>;

interface FaultWords {
  name: string;
  email: string;
  password: (length: number) => string;
}

/** Faults to correct before sending, in the order of the form. */
export function checkAdministrator({ name, email, password }: Administrator, words: FaultWords): AdministratorFaults {
  const length = [...password].length;
  return {
    ...(name.trim() === '' && { name: words.name }),
    ...(!SetUp.shape.email.safeParse(email.trim()).success && { email: words.email }),
    ...(length < minPasswordLength && { password: words.password(length) }),
  };
}

/** Faults that the server found, by field. */
export function serverFaults(error: unknown): AdministratorFaults {
  if (!(error instanceof Problem)) return {};
  return Object.fromEntries(error.errors.map(({ path, message }) => [`${path[0]}`, message]));
}
