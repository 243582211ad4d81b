import { readingTools } from '#platform/model/names';
import { isObject } from '../../frames/frame/frame.ts';
import type { ToolDefinition } from '../definition/definition.ts';
import type { Change, Pins, Proposed } from '../pins/pins.ts';

/** Under these names they are pinned and asked about; no tool of a server has one. */
const instructionsName = 'assentry.instructions';
const promptName = (name: string): string => `${readingTools['prompts/get']}.${name}`;

/** Does this result say what models read of a server before they call anything: its instructions, or its prompts? */
export const hasWords = (result: unknown): result is Record<string, unknown> =>
  isObject(result) && (typeof result['instructions'] === 'string' || Array.isArray(result['prompts']));

interface ShownWords {
  result: Record<string, unknown>;
  /** What is kept from the client, because it has changed. */
  blocked: Change[];
}

/** The same result without instructions and prompts that say something else than what was accepted. They are pinned as tools are. */
export async function showWords(result: Record<string, unknown>, pins: Pins): Promise<ShownWords> {
  const { instructions, prompts, ...rest } = result;
  const greeting = typeof instructions === 'string' ? await pins.changeOf(asInstructions(instructions)) : null;
  const all: unknown[] = Array.isArray(prompts) ? prompts : [];
  const changes = await Promise.all(all.map((prompt) => changeOfPrompt(prompt, pins)));
  const shown = all.filter((_prompt, at) => changes[at] === null);
  return {
    result: {
      ...rest,
      ...(instructions !== undefined && !greeting && { instructions }),
      ...(prompts !== undefined && { prompts: Array.isArray(prompts) ? shown : prompts }),
    },
    blocked: [greeting, ...changes].filter((change) => change !== null),
  };
}

const asInstructions = (text: string): ToolDefinition => ({ name: instructionsName, description: text });

/** The notification for clients after such a change was accepted; new instructions take effect with the next connection. */
export const listOf = (proposed: Proposed): string | null => {
  if ('tools' in proposed) return 'notifications/tools/list_changed';
  const { name } = proposed.definition;
  if (name === instructionsName) return null;
  return name.startsWith(promptName('')) ? 'notifications/prompts/list_changed' : 'notifications/tools/list_changed';
};

/** Null also for what is no prompt: no client reads it. */
async function changeOfPrompt(prompt: unknown, pins: Pins): Promise<Change | null> {
  if (!isObject(prompt) || typeof prompt['name'] !== 'string') return null;
  const { title, description, arguments: args } = prompt;
  return pins.changeOf({ name: promptName(prompt['name']), title, description, inputSchema: args });
}
