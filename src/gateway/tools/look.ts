import { reading, sending, wordsOfName, writing, destroying } from '../known-tools/tool-verbs.ts';
import { toolOfShape } from '../known-tools/known-tools.ts';
import { isObject } from '../frames/frame.ts';
import {
  annotationsOf,
  argumentsOf,
  isFreeForm,
  isTabled,
  pinnedPart,
  verbOfText,
  type ToolDefinition,
} from './definition.ts';
import type { LookedTool } from '#policies/contract/look';

/** Why a tool is in its group: what it is judged by, and the word found there. */
type Judged = Pick<LookedTool, 'group' | 'because' | 'word'>;

/**
 * What a definition says that its tool does, as people read it before they believe it. Doubt is `unsure`: a claim alone makes no
 * reading tool, and a free-form argument can do anything. What writes or sends by any sign is told first.
 */
export function groupTool(tool: ToolDefinition, digest: string): Judged {
  const entry = toolOfShape(tool.name, argumentsOf(tool));
  if (entry && (entry.does !== 'reads' || isTabled(tool, digest))) {
    const { does } = entry;
    return { group: does === 'destroys' ? 'writes' : does, because: 'table', word: '' };
  }
  const { readOnlyHint, destructiveHint } = annotationsOf(tool);
  if (destructiveHint === true && readOnlyHint !== true) return { group: 'writes', because: 'hint', word: '' };
  const words = wordsOfName(tool.name);
  const first = words.find((word) => [reading, writing, destroying, sending].some((verbs) => verbs.test(word)));
  const destroyed = words.find((word) => destroying.test(word));
  if (destroyed !== undefined) return { group: 'writes', because: 'name', word: destroyed };
  if (first !== undefined && !reading.test(first))
    return { group: sending.test(first) ? 'sends' : 'writes', because: 'name', word: first };
  const text = typeof tool['description'] === 'string' ? verbOfText(tool['description']) : null;
  if (text !== null) return { group: 'unsure', because: 'description', word: text };
  const free = freeFormIn(tool['inputSchema']);
  if (free !== null) return { group: 'unsure', because: 'argument', word: free };
  if (readOnlyHint === false) return { group: 'writes', because: 'hint', word: '' };
  if (first !== undefined) return { group: 'reads', because: readOnlyHint === true ? 'hint' : 'name', word: first };
  return { group: 'unsure', because: readOnlyHint === true ? 'claim' : 'nothing', word: '' };
}

/** The name of a free-form argument at any depth; null if there is none. A schema that is not written out may have one. */
function freeFormIn(schema: unknown, depth = 16): string | null {
  if (depth === 0) return '…';
  if (Array.isArray(schema)) return firstOf(schema, (part) => freeFormIn(part, depth - 1));
  if (!isObject(schema)) return null;
  const { properties } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const own = names.find(isFreeForm);
  if (own !== undefined) return own;
  const parts = [
    ...(isObject(properties) ? Object.values(properties) : []),
    ...(isObject(schema['$defs']) ? Object.values(schema['$defs']) : []),
    ...['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'].map((part) => schema[part]),
  ];
  return firstOf(parts, (part) => freeFormIn(part, depth - 1));
}

function firstOf<T>(parts: T[], find: (part: T) => string | null): string | null {
  for (const part of parts) {
    const first = find(part);
    if (first !== null) return first;
  }
  return null;
}

/** The tool as people look at it, with its whole definition. */
export const lookedAt = (tool: ToolDefinition, digest: string): LookedTool => {
  const judged = groupTool(tool, digest);
  return { name: tool.name, ...judged, definition: pinnedPart(tool), digest };
};

/** May people believe that it only reads? Not if it says itself that it destroys. */
const isBelievable = ({ definition }: LookedTool): boolean => {
  const { readOnlyHint, destructiveHint } = annotationsOf(definition as ToolDefinition);
  return destructiveHint !== true || readOnlyHint === true;
};

/** The form of the answer: what is in neither list is held. Only what clearly reads is chosen beforehand. */
export function lookForm(tools: LookedTool[]) {
  const believable = tools.filter(isBelievable);
  const list = (title: string, of: LookedTool[], chosen: LookedTool[]) => ({
    type: 'array' as const,
    title,
    items: { type: 'string' as const, enum: of.map(({ name }) => name) },
    default: chosen.map(({ name }) => name),
  });
  const reads = believable.filter(({ group }) => group === 'reads');
  return {
    type: 'object' as const,
    properties: {
      ...(believable.length > 0 && { believe: list('Believe that these only read', believable, reads) }),
      block: list('Block these', tools, []),
    },
  };
}
