import path from 'node:path';

/** Where a command is started, and what is there. */
export interface Place {
  cwd: string;
  home: string;
  /** The real path of a file or folder; null if nothing is there. */
  realPath(file: string): string | null;
}

/** The file that a word names, in full; a package that is installed in a folder has no version in its path. */
export function fileOf(word: string, place: Place): string {
  const full = path.resolve(place.cwd, word.replace(/^~(?=$|[\\/])/, place.home));
  const real = place.realPath(full) ?? full;
  return real.replace(/([\\/]node_modules)[\\/]\.pnpm[\\/][^\\/]+[\\/]node_modules(?=[\\/])/, '$1');
}

/** By its ending, or because it is there. */
export const namesFile = (value: string, { cwd, realPath }: Place): boolean =>
  /^[\w.-][\w./-]*$/.test(value) && (ofFiles.test(value) || realPath(path.resolve(cwd, value)) !== null);

const ofFiles =
  /\.(?:db|sqlite3?|duckdb|json[c5l]?|ya?ml|toml|ini|cfg|conf|env|pem|crt|key|csv|txt|[cm]?[jt]s|jar|dll)$/;

/** Is it written as a path is? */
export const isPathLike = (word: string): boolean =>
  /^(?:\.{1,2}(?:$|[\\/])|~(?:$|[\\/])|[\\/]|[A-Za-z]:[\\/])/.test(word);

/** So are secrets, now and then: of a path, the end says more. */
export const isFileName = (value: string): boolean =>
  /^(?:\.{1,2}|~|[A-Za-z]:)[\\/]/.test(value) || /^(?:[\\/][\w .-]+)+\.[A-Za-z]\w{1,4}$/.test(value);

/** Paths on another machine, or in a container, are what they are. */
export const elsewhere = (place: Place): Place => ({ ...place, cwd: '/', realPath: () => null });
