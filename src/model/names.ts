/** MCP's grammar of tool names. Names of servers follow it too: policies match both letter by letter. */
export const namePattern = /^[A-Za-z0-9_.-]{1,128}$/;
export const nameRule = 'Use 1 to 128 letters A to Z, digits, dots, dashes and underscores, as MCP has names.';

/** What to write instead of an address that one parser reads as another does not; null for one that all read alike. */
export function faultOfAddress(address: string): string | null {
  if (!URL.canParse(address)) return 'This is not an absolute address.';
  const { href } = new URL(address);
  return href === address ? null : `Write the address as it is read: ${href}`;
}
