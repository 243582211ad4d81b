import { sha256 } from '#platform/crypto/digest/digest';

/** More characters than this are not readable as a name, and policies allow 64. */
const maxNameLength = 50;

/**
 * The name of the policy for one tool of a server, which no other tool has: both names, and a few digits of a digest if
 * something of them is lost.
 */
export function toolPolicyName(server: string, tool: string): string {
  const plain = `${server}-${tool}`;
  const name = plain
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxNameLength);
  const isWhole = name === plain && !server.includes('-');
  return isWhole ? name : `${name}-${sha256(`${server}\n${tool}`).subarray(0, 4).toString('hex')}`;
}
