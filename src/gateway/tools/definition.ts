import { destroying, reading, wordsOfName, writing } from '../known-tools/tool-verbs.ts';
import { toolOfShape } from '../known-tools/known-tools.ts';
import { isObject } from '../frames/frame.ts';
import { sha256 } from '#sdk/client/digest';
import { canonicalText } from '#platform/model/hashed-text';
import type { ToolAnnotations } from '#requests/asking/contract/open';

const denied = /^(?:not|never|no|without|cannot|nor|neither|can['’]t|doesn['’]t|don['’]t|won['’]t)$/;

/**
 * What of a definition contradicts its word that the tool only reads: the verb by which its name or its description says
 * that it writes, sends, deletes or runs something. Null without such a word, or such a claim.
 */
export function doubtfulClaim(tool: ToolDefinition): string | null {
  if (annotationsOf(tool).readOnlyHint !== true) return null;
  const { description } = tool;
  return verbOfName(tool.name) ?? (typeof description === 'string' ? verbOfText(description) : null);
}

function verbOfName(name: string): string | null {
  const words = wordsOfName(name);
  const first = words.find((word) => reading.test(word) || writing.test(word) || destroying.test(word));
  return words.find((word) => destroying.test(word)) ?? (first !== undefined && writing.test(first) ? first : null);
}

/** Of the first sentence every verb counts that is not denied, of the others the one that they begin with. */
function verbOfText(text: string): string | null {
  const [first = [], ...rest] = text
    .split(/[.!?:;\n]+/)
    .map((sentence) => sentence.toLowerCase().match(/[a-z]+(?:['’]t)?/g) ?? [])
    .filter((words) => words.length > 0);
  const destroyed = first.find(
    (word, at) =>
      destroying.test(plainVerb(word)) && !first.slice(Math.max(0, at - 4), at).some((near) => denied.test(near)),
  );
  const begins = [first, ...rest].map(([word = '']) => word).find((word) => isSaid(word));
  return destroyed ?? begins ?? (writing.test(plainVerb(first[0] ?? '')) ? (first[0] ?? null) : null);
}

/** In the third person it says what the tool does; in the imperative it may say what to do with the result. */
const isSaid = (word: string): boolean =>
  word.endsWith('s') && (writing.test(plainVerb(word)) || destroying.test(plainVerb(word)));

const plainVerb = (word: string): string =>
  [word.replace(/ies$/, 'y'), word.replace(/s$/, ''), word.replace(/es$/, '')].find(
    (stem) => writing.test(stem) || destroying.test(stem),
  ) ?? word;

/** The same definition without the claim. */
export function withoutClaim(tool: ToolDefinition): ToolDefinition {
  const { readOnlyHint: _, ...annotations } = tool['annotations'] as Record<string, unknown>;
  return { ...tool, annotations };
}

/**
 * The hints that policies judge a tool by, or a call of it with these arguments: those of its server, corrected by what is
 * known of the tool. A known tool that claims to read and does more has no such hint. One that only reads without saying so
 * gets it in exactly the definition that was read from its package, so that another server gains nothing by its name. No call
 * only reads whose arguments some program could take for an option, as `--output=FILE` of git, or that its definition does not
 * have. What a server claims of a tool
 * that is not known is not believed of a call with a free-form argument.
 */
export function judgedHints(
  tool: ToolDefinition,
  definition: string,
  args: Readonly<Record<string, unknown>> = {},
): ToolAnnotations {
  const takes = argumentsOf(tool);
  const isOdd = hasOption(args) || Object.keys(args).some((name) => !takes.includes(name));
  const own = annotationsOf(tool);
  const entry = toolOfShape(tool.name, takes);
  const isDoubted = own.readOnlyHint === true && (isOdd || (!entry && hasFreeForm(args)));
  const claimed = isDoubted || hasOption(args) ? { ...own, readOnlyHint: false } : own;
  if (!entry) return claimed;
  const isReading = entry.does === 'reads' && !isOdd && !entry.unless?.some((argument) => args[argument] !== undefined);
  if (!isReading) return claimed.readOnlyHint === true ? { ...claimed, readOnlyHint: false } : claimed;
  if (entry.definition !== definition) return claimed;
  const { destructiveHint: _, ...hints } = claimed;
  return { ...hints, readOnlyHint: true };
}

/** A tool as policies judge a call of it. */
export interface JudgedTool {
  annotations: ToolAnnotations;
  /** The server alone says that it reads, and no one has accepted its definition. */
  unaccepted?: true;
}

/** The same, with whether the hint that it reads is the own claim of a server and `isAccepted` does not vouch for it. */
export async function judgeTool(
  tool: ToolDefinition,
  definition: string,
  isAccepted: (tool: ToolDefinition) => Promise<boolean>,
  args?: Readonly<Record<string, unknown>>,
): Promise<JudgedTool> {
  const annotations = judgedHints(tool, definition, args);
  if (annotations.readOnlyHint !== true || isTabled(tool, definition) || (await isAccepted(tool)))
    return { annotations };
  return { annotations, unaccepted: true };
}

const hasOption = (value: unknown): boolean =>
  typeof value === 'string' ? /^\s*-{1,2}[A-Za-z]/.test(value) : isList(value) && Object.values(value).some(hasOption);

const isList = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Arguments of a call that gives only what it must. */
export function requiredArguments({ inputSchema }: ToolDefinition): Record<string, unknown> {
  const required = isObject(inputSchema) ? inputSchema['required'] : undefined;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return Object.fromEntries(names.map((name) => [name, '']));
}

/** Was it looked at when the table of known tools was made? */
export const isKnown = (tool: ToolDefinition): boolean => toolOfShape(tool.name, argumentsOf(tool)) !== undefined;

/** Does the table of known tools say that it reads, in exactly this definition? */
export function isTabled(tool: ToolDefinition, definition: string): boolean {
  const entry = toolOfShape(tool.name, argumentsOf(tool));
  return entry?.does === 'reads' && entry.definition === definition;
}

function argumentsOf({ inputSchema }: ToolDefinition): string[] {
  const properties = isObject(inputSchema) ? inputSchema['properties'] : undefined;
  return isObject(properties) ? Object.keys(properties) : [];
}

/** A tool as its server describes it, with all its members. */
export interface ToolDefinition {
  name: string;
  [member: string]: unknown;
}

/** What of a definition is pinned: all that a model or a policy goes by. */
const pinned = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** The parts of a definition that are pinned. */
export const pinnedPart = (tool: ToolDefinition): ToolDefinition => {
  const entries = pinned.flatMap((member) => (tool[member] === undefined ? [] : [[member, tool[member]] as const]));
  return { ...Object.fromEntries(entries), name: tool.name };
};

/** The digest of what is pinned: the same for equal definitions, different for different ones. */
export const digestTool = (tool: ToolDefinition): Promise<string> =>
  sha256(`assentry/tool/v1\n${canonicalText(pinnedPart(tool))}`);

/** The tools of a list's answer; entries without a name are left out. */
export function toolsIn(result: unknown): ToolDefinition[] {
  if (!isObject(result) || !Array.isArray(result['tools'])) return [];
  return result['tools'].filter(isTool);
}

export const isTool = (value: unknown): value is ToolDefinition => isObject(value) && typeof value['name'] === 'string';

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** The hints of a definition as MCP has them; what is of another type counts as not said. */
export function annotationsOf({ annotations }: ToolDefinition): ToolAnnotations {
  if (!isObject(annotations)) return {};
  const facts = hints.flatMap((hint) => {
    const value = annotations[hint];
    return typeof value === 'boolean' ? [[hint, value] as const] : [];
  });
  return { ...titled(annotations['title']), ...Object.fromEntries(facts) };
}

/** Title and description as approvers read them: cut where the orchestrator's limits are. */
export const describeTool = (tool: ToolDefinition): { title?: string; description?: string } => ({
  ...titled(tool['title']),
  ...(typeof tool['description'] === 'string' && { description: cut(tool['description'], 8_000) }),
});

const titled = (title: unknown): { title?: string } =>
  typeof title === 'string' && title !== '' ? { title: cut(title, 200) } : {};

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/**
 * Arguments by which a tool that claims to read can do anything: programs and statements, places that it goes to or writes to,
 * and what it sends there. Of such a call no claim of a server is believed.
 */
const whole =
  /^(?:pipeline|quer(?:y|ies)|sql|graphql|mutation|statements?|codes?|scripts?|commands?|cmd|expr(?:ession)?s?|function|program|eval|where|filter|body|payload|headers?|template|webhook|callback|endpoint|host(?:name)?|address|domain|server|connection|connection ?string|dsn|path(?:name)?s?|files?|file ?names?|folder|dir|directory|destination|dest|output|bucket|recipients?)$/;
/** At the end of a name of several words. */
const ending =
  /(?:^| )(?:url|uri|link|href|path|paths|file|files|filename|folder|dir|directory|query|sql|script|code|command|string|endpoint|host|hostname|expression|pipeline|webhook|template)s?$/;
const beginning = /^(?:file|output|destination|callback|webhook|connection|target url|local) /;

const isFreeForm = (name: string): boolean => {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join(' ');
  return whole.test(words) || ending.test(words) || beginning.test(words);
};

/** Is one of these, at any depth, an argument of that kind? An address as a value is one under any name. */
const hasFreeForm = (args: unknown): boolean =>
  Array.isArray(args)
    ? args.some(hasFreeForm)
    : typeof args === 'object' && args !== null
      ? Object.entries(args).some(([name, value]) => isFreeForm(name) || hasFreeForm(value))
      : typeof args === 'string' && /^[a-z][a-z0-9+.-]*:\/\//i.test(args.trim());
