import { sha256 } from '#sdk/client/digest/digest';
import { canonicalText } from '#platform/model/hashed-text';
import { isObject } from '../../frames/frame/frame.ts';

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

export interface Annotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** The hints of a definition as MCP has them; what is of another type counts as not said. */
export function annotationsOf({ annotations }: ToolDefinition): Annotations {
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
