import type { ServerId } from './id.ts';

/** MCP's grammar of tool names. Names of servers follow it too: policies match both letter by letter. */
export const namePattern = /^[A-Za-z0-9_.-]{1,128}$/;
export const nameRule = 'Use 1 to 128 letters A to Z, digits, dots, dashes and underscores, as in MCP.';

/** The name of a space. Some letters are blank. */
export const spaceNamePattern = /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;
export const spaceNameRule = 'Use 1 to 64 letters, digits, spaces, dots, dashes and underscores.';

/** Limit in characters of a group's name. */
export const maxGroupName = 256;
/**
 * The name of a group in policies, as identity providers write them: `R&D`, `Finance (EU)`. It stands in commands that people copy, between
 * quotes, so it has no sign that ends them or that a shell reads there. Some letters are blank, and some marks cover other lines.
 */
export const groupNamePattern =
  /^(?!.*(?:\p{Default_Ignorable_Code_Point}|\p{M}{5}))(?![ -])(?:(?!["`$\\!])[\p{L}\p{M}\p{N}\p{P}\p{S} ]){1,256}$/u;
export const groupNameRule = 'Use 1 to 256 visible characters and spaces, without " ` $ \\ and !, and no dash first.';

/** The name of a tool in which `*` stands for any characters. */
export const toolPattern = /^[A-Za-z0-9_.*-]{1,128}$/;
export const toolRule = `${nameRule.slice(0, -1)}, and * for any characters.`;

/** The shape of a network; whether its address exists is checked where it is used. */
export const networkPattern = /^[0-9A-Fa-f:.]{2,45}\/\d{1,3}$/;
export const networkRule =
  'Give networks such as 10.0.0.0/8 or 2001:db8::/32; one address is 192.0.2.7/32, and IPv4 is written as IPv4.';

/** Prefix of the gateway's own tools; no server behind it has one. */
const ofGateway = 'assentry.';

export const isReservedTool = (name: string): boolean => name.startsWith(ofGateway);

/** Names in policies for the requests that read resources, prompts and completions of a server. */
export const readingTools = {
  'resources/read': 'assentry.resource',
  'prompts/get': 'assentry.prompt',
  'completion/complete': 'assentry.completion',
} as const;

/** The name in policies for the result of a call, before the client gets it. */
export const releasingTool = 'assentry.result';

/** The name in policies for the request to accept a tool's changed definition. */
export const definitionTool = 'assentry.definition';

/** Name of the pin of a server's reach; no tool has it. */
export const serverPinName = 'assentry.server';

/** Limit in characters of the text about a server's reach. */
export const maxReachLength = 8_000;

/** The name in policies for a call that was refused because it leads into Assentry's own files. */
export const refusalTool = 'assentry.refusal';

/** The name in policies for sending a person to an outside address, as a server asks. */
export const connectingTool = 'assentry.connect';

/** Is it closed to requesters, whatever the policies say? */
export const isForApprovers = (name: string): boolean => [releasingTool, definitionTool, refusalTool].includes(name);

/** Is it allowed if no policy names it? */
export const isUsuallyAllowed = (name: string): boolean =>
  [releasingTool, ...Object.values<string>(readingTools)].includes(name);

/** Do only policies that name tools judge it? A client reads with every typed letter. */
export const isJudgedByName = (name: string): boolean => isUsuallyAllowed(name) || name === connectingTool;

/** Is it a reading that may do more, by the gateway's hint? */
export const isOtherReading = (name: string, annotations: Readonly<Record<string, unknown>>): boolean =>
  name === readingTools['resources/read'] && annotations['readOnlyHint'] === false;

/** Remedy for an address that parsers may read differently; null if all read it alike. */
export function faultOfAddress(address: string): string | null {
  if (!URL.canParse(address)) return 'Give an absolute address, such as https://example.com/.';
  const url = new URL(address);
  url.hostname = url.hostname.replace(/\.+$/, ''); // else a policy that names the host could miss it
  return url.href === address ? null : `Write the address in its normal form: ${url.href}`;
}

/** Assentry itself as an MCP server: it asks administrators about changes of power. It has no key. */
export const ownServer: Readonly<{ id: ServerId; name: string }> = {
  id: 'srv_assentry-itself-000000',
  name: 'assentry',
};

/** Server of newcomers' test requests. It has no key either, and nothing runs when one is approved. */
export const testServer: typeof ownServer = { id: 'srv_assentry-test-00000000', name: 'assentry-test' };

const builtIn = [ownServer, testServer];

/** The first policy of a new installation. */
export const firstPolicy = 'reading-tools';

/** Is it one of Assentry's own servers, which no one owns? */
export const isBuiltIn = (id: ServerId): boolean => builtIn.some((server) => server.id === id);

/** Is it a spelling of a built-in name, which would be taken for Assentry? */
export const isReservedName = (name: string): boolean => builtIn.some((server) => server.name === name.toLowerCase());

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Does this address lead to the machine it is opened on? */
export const isLoopback = (url: string): boolean => loopback.test(new URL(url).hostname);

/** Is it safe from readers on the way: over https, or on this machine? */
export function isPrivateAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(url));
}

/** Is it the name of a time zone, such as Europe/Berlin? */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Can it stand in a header of HTTP? */
export const isCredential = (text: string): boolean => text.length <= 4096 && /^[!-~](?:[ -~]*[!-~])?$/.test(text);
export const credentialRule =
  'Enter 1 to 4096 letters, digits and signs of ASCII, without a line end, or a space at the beginning or the end.';
