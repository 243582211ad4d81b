import type { Variables } from '../shell-words.ts';

/** What a call is judged by, besides its arguments. */
export interface FileFacts {
  /** The directories that no call may lead into: absolute, as they are named and as they really are. */
  own: readonly string[];
  /** Where the tool runs. */
  cwd: string;
  /** Folders that the server was started for: names may begin there, too. */
  roots: readonly string[];
  home: string;
  variables: Variables;
  isWindows: boolean;
  /** Are `A` and `a` one name here? */
  ignoresCase: boolean;
  /** Where a path really leads, as far as it exists. */
  realPath(path: string): string;
}
