import { toolOfShape } from '#protocol/model/known-tools/known-tools';
import { isObject } from '../frames/frame.ts';
import { annotationsOf, type Annotations, type ToolDefinition } from './definition.ts';

/**
 * The hints that policies judge a tool by, or a call of it with these arguments: those of its server, corrected by what is
 * known of the tool. A known tool that claims to read and does more has no such hint. One that only reads without saying so
 * gets it in exactly the definition that was read from its package, so that another server gains nothing by its name. No call
 * only reads whose arguments some program could take for an option, as `--output=FILE` of git.
 */
export function judgedHints(
  tool: ToolDefinition,
  definition: string,
  args: Readonly<Record<string, unknown>> = {},
): Annotations {
  const claimed = hasOption(args) ? { ...annotationsOf(tool), readOnlyHint: false } : annotationsOf(tool);
  const entry = toolOfShape(tool.name, argumentsOf(tool));
  if (!entry) return claimed;
  const isReading =
    entry.does === 'reads' && !hasOption(args) && !entry.unless?.some((argument) => args[argument] !== undefined);
  if (!isReading) return claimed.readOnlyHint === true ? { ...claimed, readOnlyHint: false } : claimed;
  if (entry.definition !== definition) return claimed;
  const { destructiveHint: _, ...hints } = claimed;
  return { ...hints, readOnlyHint: true };
}

const hasOption = (value: unknown): boolean =>
  typeof value === 'string' ? /^\s*-{1,2}[A-Za-z]/.test(value) : isList(value) && Object.values(value).some(hasOption);

const isList = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Was it looked at when the table of known tools was made? */
export const isKnown = (tool: ToolDefinition): boolean => toolOfShape(tool.name, argumentsOf(tool)) !== undefined;

function argumentsOf({ inputSchema }: ToolDefinition): string[] {
  const properties = isObject(inputSchema) ? inputSchema['properties'] : undefined;
  return isObject(properties) ? Object.keys(properties) : [];
}
