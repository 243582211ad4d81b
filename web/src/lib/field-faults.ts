import { Problem } from '#protocol/model/problem';

/** The server's first sentence for each field of a form, by the field's name. */
export function fieldFaults(error: unknown): Partial<Record<string, string>> {
  if (!(error instanceof Problem)) return {};
  return Object.fromEntries([...error.errors].reverse().map(({ path, message }) => [`${path[0]}`, message]));
}

/** The first sentence of those about any item of a list. */
export const faultIn = (faults: Partial<Record<string, string>>, list: string): string | undefined =>
  Object.entries(faults).find(([name]) => name.startsWith(list))?.[1];
