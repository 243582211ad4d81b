import type { OwnConfig, OwnTool } from '../own-tools/own-tool.ts';

/** A registered tool, as both SDKs hand it out for changes. */
export interface UpdatableTool extends Pick<OwnConfig, 'title' | 'description' | 'annotations'> {
  inputSchema?: unknown;
  outputSchema?: unknown;
  update(updates: { name?: string | null; paramsSchema?: unknown; callback?: OwnTool<unknown>['handler'] }): void;
}

/**
 * After the SDK's `update`, approvers see what the tool has become, and another callback asks as the first one did. A
 * tool that is removed is no longer there for calls that wait.
 */
export function followUpdates<Config extends OwnConfig>(
  tools: Map<string, OwnTool<Config>>,
  tool: OwnTool<Config>,
  registered: UpdatableTool,
  readInput: (schema: unknown) => Pick<OwnTool<Config>, 'schemaDigest' | 'read'>,
): void {
  const update = registered.update.bind(registered);
  registered.update = ({ callback, ...updates }) => {
    update(updates);
    if (callback !== undefined) tool.handler = callback;
    const { title, description, annotations, inputSchema, outputSchema } = registered;
    tool.config = { ...tool.config, title, description, annotations, outputSchema };
    if (updates.paramsSchema !== undefined) Object.assign(tool, readInput(inputSchema));
    if (updates.name !== undefined) rename(tools, tool, updates.name);
  };
}

function rename<Config>(tools: Map<string, OwnTool<Config>>, tool: OwnTool<Config>, name: string | null): void {
  tools.delete(tool.name);
  if (name === null) return;
  tool.name = name;
  tools.set(name, tool);
}
