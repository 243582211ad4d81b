/** Longer ones are no path that a person would have read. */
const maxPathLength = 4_096;
const maxAddressLength = 8_192;

/**
 * Is this path in this folder, or the folder itself? Letter by letter, part by part, and without looking at the disk. A
 * path that readers could take for another one is in no folder: a relative one, one with `..`, or with escapes.
 */
export function inFolder(path: string, folder: string): boolean {
  const parts = partsOf(path);
  return parts !== null && (partsOf(folder) ?? [null]).every((part, at) => parts[at] === part);
}

/** Is this address on this site: of the same scheme, host and port, written as every reader reads them? */
export function onSite(address: string, site: string): boolean {
  if (address.length > maxAddressLength || /[\s\\\p{C}]/u.test(address)) return false;
  const [origin] = /^https?:\/\/[^/?#]*/.exec(address) ?? [];
  return origin === site && originOf(address) === site;
}

/** What to write instead of a folder that is none, or that is everything; null if it can be used. */
export const faultOfFolder = (folder: string): string | null =>
  (partsOf(folder)?.length ?? 0) > 1 && !/.[\\/]$/.test(folder)
    ? null
    : 'Name an absolute folder without a slash at its end, such as "/home/ada/project", and not a whole disk.';

/** What to write instead of a site that could be read differently; null if it can be used. */
export const faultOfSite = (site: string): string | null =>
  /^https?:/.test(site) && originOf(site) === site
    ? null
    : 'Name a site by scheme and host, with nothing behind them: "https://example.com".';

/** The origin of an address; null if it is none. */
export const originOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null);

const windowsRoot = /^[A-Za-z]:[\\/]/;
/**
 * Only dots and spaces, which some systems cut to `..`; what is a separator or a dot for those who decode it; and the short
 * names of Windows, by which `GIT~1` is `.git`.
 */
const misleading = /^[. ]{2,}$|^ +$|%(?:2e|2f|5c|00)|^[^.~]{1,7}~\d/i;
/** Some systems ignore hidden characters in names. */
const unclear = /\p{C}/u;

/** The root, and each part below it; null if readers could differ. */
function partsOf(path: string): string[] | null {
  if (path.length > maxPathLength || unclear.test(path)) return null;
  const isWindows = windowsRoot.test(path);
  if (!isWindows && (!path.startsWith('/') || path.startsWith('//') || path.includes('\\'))) return null;
  const rest = isWindows ? path.slice(3).split(/[\\/]/) : path.slice(1).split('/');
  const parts = rest.filter((part) => part !== '' && part !== '.');
  if (parts.some((part) => misleading.test(part) || (isWindows && /[:. ]$|:/.test(part)))) return null;
  return [isWindows ? path.slice(0, 1).toUpperCase() : '/', ...parts];
}
