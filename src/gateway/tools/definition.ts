import { destroying, reading, wordsOfName, writing } from '../known-tools/tool-verbs.ts';
import { toolOfShape } from '../known-tools/known-tools.ts';
import { isObject } from '../frames/frame.ts';
import { fitsSchema } from './fits-schema.ts';
import { sha256 } from '#sdk/client/digest';
import { canonicalText } from '#platform/model/hashed-text';
import type { ToolAnnotations } from '#requests/asking/contract/open';

const denied = /^(?:not|never|no|without|cannot|nor|neither|can['’]t|doesn['’]t|don['’]t|won['’]t)$/;

/**
 * Contradiction in a definition that claims to only read: a verb in its name or description for writing, sending, deleting or
 * running. Null without such a verb, or such a claim.
 */
export function doubtfulClaim(tool: ToolDefinition): string | null {
  if (annotationsOf(tool).readOnlyHint !== true) return null;
  const { description } = tool;
  return verbOfName(tool.name) ?? (typeof description === 'string' ? verbOfText(description) : null);
}

export function verbOfName(name: string): string | null {
  const words = wordsOfName(name);
  const first = words.find((word) => reading.test(word) || writing.test(word) || destroying.test(word));
  return words.find((word) => destroying.test(word)) ?? (first !== undefined && writing.test(first) ? first : null);
}

/** Finds a verb: in the first sentence, a destroying one that is not denied; else one that begins a sentence. */
export function verbOfText(text: string): string | null {
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

/** The third person tells what the tool does; the imperative may tell what to do with the result. */
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
 * Hints by which policies judge a tool, or a call of it with these arguments: the server's own, corrected by the table of known
 * tools. A known tool that claims to read and does more loses that hint. A known reading tool without the hint gets it in
 * exactly the definition of its package, so that another server gains nothing by its name. No call only reads if an argument
 * could be taken for an option, as `--output=FILE` of git, or is missing in the definition. For an unknown tool, the server's
 * claim does not count in a call with a free-form argument.
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

/** A tool in the form that policies judge. */
export interface JudgedTool {
  annotations: ToolAnnotations;
  /** Only the server claims that it reads; its definition is not accepted. */
  unaccepted?: true;
  /** The arguments are as the definition says. */
  fits?: true;
}

/** As `judgedHints`, and whether the reading hint is the server's own claim without an accepted definition (`isAccepted`). */
export async function judgeTool(
  tool: ToolDefinition,
  definition: string,
  isAccepted: (tool: ToolDefinition) => Promise<boolean>,
  args?: Readonly<Record<string, unknown>>,
): Promise<JudgedTool> {
  const annotations = judgedHints(tool, definition, args);
  const judged = { annotations, ...(args && fitsDefinition(tool, args) && { fits: true as const }) };
  if (annotations.readOnlyHint !== true || isTabled(tool, definition) || (await isAccepted(tool))) return judged;
  return { ...judged, unaccepted: true };
}

/** Are the arguments as the definition says, and could none be taken for an option of a program? */
export const fitsDefinition = (tool: ToolDefinition, args: Readonly<Record<string, unknown>>): boolean =>
  !hasOption(args) &&
  Object.keys(args).every((name) => argumentsOf(tool).includes(name)) &&
  fitsSchema(tool['inputSchema'], args);

const hasOption = (value: unknown): boolean =>
  typeof value === 'string' ? /^\s*-{1,2}[A-Za-z]/.test(value) : isList(value) && Object.values(value).some(hasOption);

const isList = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Arguments of a minimal call: the required ones. */
export function requiredArguments({ inputSchema }: ToolDefinition): Record<string, unknown> {
  const required = isObject(inputSchema) ? inputSchema['required'] : undefined;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return Object.fromEntries(names.map((name) => [name, '']));
}

/** Is it in the table of known tools? */
export const isKnown = (tool: ToolDefinition): boolean => toolOfShape(tool.name, argumentsOf(tool)) !== undefined;

/** Does the table of known tools list it as reading, in exactly this definition? */
export function isTabled(tool: ToolDefinition, definition: string): boolean {
  const entry = toolOfShape(tool.name, argumentsOf(tool));
  return entry?.does === 'reads' && entry.definition === definition;
}

export function argumentsOf({ inputSchema }: ToolDefinition): string[] {
  const properties = isObject(inputSchema) ? inputSchema['properties'] : undefined;
  return isObject(properties) ? Object.keys(properties) : [];
}

/** A tool as its server describes it, with all its members. */
export interface ToolDefinition {
  name: string;
  [member: string]: unknown;
}

/** Pinned members of a definition: all that a model or a policy uses. */
const pinned = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** The pinned parts of a definition. */
export const pinnedPart = (tool: ToolDefinition): ToolDefinition => {
  const entries = pinned.flatMap((member) => (tool[member] === undefined ? [] : [[member, tool[member]] as const]));
  return { ...Object.fromEntries(entries), name: tool.name };
};

/** The digest of the pinned parts: the same for equal definitions, different for different ones. */
export const digestTool = (tool: ToolDefinition): Promise<string> =>
  sha256(`assentry/tool/v1\n${canonicalText(pinnedPart(tool))}`);

/** The tools of a list's answer; entries without a name are left out. */
export function toolsIn(result: unknown): ToolDefinition[] {
  if (!isObject(result) || !Array.isArray(result['tools'])) return [];
  return result['tools'].filter(isTool);
}

export const isTool = (value: unknown): value is ToolDefinition => isObject(value) && typeof value['name'] === 'string';

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** The hints of a definition as MCP has them; values of other types are ignored. */
export function annotationsOf({ annotations }: ToolDefinition): ToolAnnotations {
  if (!isObject(annotations)) return {};
  const facts = hints.flatMap((hint) => {
    const value = annotations[hint];
    return typeof value === 'boolean' ? [[hint, value] as const] : [];
  });
  return { ...titled(annotations['title']), ...Object.fromEntries(facts) };
}

/** Title and description for approvers, cut at the orchestrator's limits. */
export const describeTool = (tool: ToolDefinition): { title?: string; description?: string } => ({
  ...titled(tool['title']),
  ...(typeof tool['description'] === 'string' && { description: cut(tool['description'], 8_000) }),
});

const titled = (title: unknown): { title?: string } =>
  typeof title === 'string' && title !== '' ? { title: cut(title, 200) } : {};

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/**
 * Arguments by which a tool that claims to read can do anything: programs and statements, destinations to read or write, and
 * contents sent there. For such a call no claim of a server counts.
 */
const whole =
  /^(?:pipeline|quer(?:y|ies)|sql|graphql|mutation|statements?|codes?|scripts?|commands?|cmd|expr(?:ession)?s?|function|program|eval|where|filter|body|payload|headers?|template|webhook|callback|endpoint|host(?:name)?|address|domain|server|connection|connection ?string|dsn|path(?:name)?s?|files?|file ?names?|folder|dir|directory|destination|dest|output|bucket|recipients?)$/;
/** Such words at the end of a longer name. */
const ending =
  /(?:^| )(?:url|uri|link|href|path|paths|file|files|filename|folder|dir|directory|query|sql|script|code|command|string|endpoint|host|hostname|expression|pipeline|webhook|template)s?$/;
const beginning = /^(?:file|output|destination|callback|webhook|connection|target url|local) /;

/** Can an argument of this name do anything, or reach anywhere? */
export const isFreeForm = (name: string): boolean => {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join(' ');
  return whole.test(words) || ending.test(words) || beginning.test(words);
};

/** Is an argument, at any depth, free-form? A value that is an address counts under any name. */
const hasFreeForm = (args: unknown): boolean =>
  Array.isArray(args)
    ? args.some(hasFreeForm)
    : typeof args === 'object' && args !== null
      ? Object.entries(args).some(([name, value]) => isFreeForm(name) || hasFreeForm(value))
      : typeof args === 'string' && /^[a-z][a-z0-9+.-]*:\/\//i.test(args.trim());
