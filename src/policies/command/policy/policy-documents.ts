import { Problem } from '#platform/model/problem';
import type { PolicyFile } from '../../operator.ts';

/** The texts of all policies, or problem `policy-invalid` with every place. */
export async function documentsIn(places: string[]): Promise<string[]> {
  const files = await read(places);
  const faults = files.flatMap(({ file, faults: errors }) =>
    errors.map(({ line, column, message }) => ({ path: [`${file}:${line}:${column}`], message })),
  );
  if (faults.length > 0)
    throw new Problem('policy-invalid', { detail: 'Correct these errors; nothing was done:', errors: faults });
  return files.flatMap(({ documents }) => documents);
}

/** Every policy in these files and directories, with its faults. */
export async function read(places: string[]): Promise<PolicyFile[]> {
  const { readPolicyFiles } = await import('../../operator.ts'); // so that help does not wait for it
  return readPolicyFiles(places);
}
