import { readFile } from 'node:fs/promises';
import { Problem } from '#platform/model/problem/problem';

/** The text of a file that an option names; problem INVALID_INPUT with its path if it cannot be read. */
export const readText = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((cause: unknown) => {
    const message = 'Check the path: it cannot be read.';
    throw new Problem('INVALID_INPUT', { errors: [{ path: [file], message }], cause });
  });
