import { serverPinName } from '#platform/model/names';
import type { ToolDefinition } from '../definition/definition.ts';

/** What a server reaches, as it is pinned: as the definition of a tool is. */
export const serverPin = (reaches: string): ToolDefinition => ({ name: serverPinName, description: reaches });

/** Is it what the server reaches that is pinned or has changed, and no tool? */
export const isServerPin = ({ name }: Pick<ToolDefinition, 'name'>): boolean => name === serverPinName;

/** What a server reaches by its pin. */
export const reachIn = ({ description }: ToolDefinition): string =>
  typeof description === 'string' ? description : '';
