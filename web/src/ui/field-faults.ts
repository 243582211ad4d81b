import { Problem } from '#platform/model/problem';

/** Faults of fields, by name. */
export type Faults = Partial<Record<string, string>>;

/** The server's first sentence for each field of a form, by the field's name. */
export function fieldFaults(error: unknown): Faults {
  if (!(error instanceof Problem)) return {};
  return Object.fromEntries([...error.errors].reverse().map(({ path, message }) => [`${path[0]}`, message]));
}

/** The first sentence about any item of a list. */
export const faultIn = (faults: Faults, list: string): string | undefined =>
  Object.entries(faults).find(([name]) => name.startsWith(list))?.[1];

type TextName<Draft> = { [Name in keyof Draft]: Draft[Name] extends string ? Name : never }[keyof Draft] & string;

/** Properties of each text field of a form: its value, its fault, and its change. */
export const textFields =
  <Draft extends object>(draft: Draft, change: (part: Partial<Draft>) => void, faults: Faults = {}) =>
  (name: TextName<Draft>) => ({
    value: draft[name] as string,
    error: faults[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      change({ [name]: value } as Partial<Draft>),
  });
