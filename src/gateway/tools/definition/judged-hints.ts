import { toolOfShape } from '../../known-tools/known-tools.ts';
import { isObject } from '../../frames/frame/frame.ts';
import { hasFreeForm } from './free-form.ts';
import { annotationsOf, type Annotations, type ToolDefinition } from './definition.ts';

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
): Annotations {
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
  annotations: Annotations;
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
