import { Problem } from '#platform/model/problem';
import type { Faults } from '../../../ui/form-draft.ts';

/** What the server found wrong, sorted to where it is shown. */
export interface ServerFaults {
  fields: Faults;
  comment: string | null;
  /** What belongs to no control, said above them. */
  rest: string[];
}

export const noServerFaults: ServerFaults = { fields: {}, comment: null, rest: [] };

/** The first sentence for each place counts. */
export function sortServerErrors(error: unknown): ServerFaults {
  if (!(error instanceof Problem)) return noServerFaults;
  const fields = new Map<string, string>();
  const rest: string[] = [];
  let comment: string | null = null;
  for (const { path, message } of error.errors) {
    const [root, name] = path;
    if (root === 'content' && name !== undefined) fields.set(`${name}`, fields.get(`${name}`) ?? message);
    else if (root === 'comment') comment ??= message;
    else rest.push(message);
  }
  return { fields: Object.fromEntries(fields), comment, rest };
}
