import { isObject } from '../../frames/frame/frame.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isSchema: Check = (value) => isObject(value) && value['type'] === 'object';

/** What an entry of each list must have. */
const required: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  tools: { name: isText, inputSchema: isSchema },
  prompts: { name: isText },
  resources: { uri: isText, name: isText },
  resourceTemplates: { uriTemplate: isText, name: isText },
  tasks: { taskId: isText, status: isText },
};

/** What it may have. */
const optional: Readonly<Record<string, Check>> = {
  title: isText,
  description: isText,
  mimeType: isText,
  annotations: isObject,
  outputSchema: isSchema,
  execution: isObject,
  arguments: Array.isArray,
  icons: Array.isArray,
  _meta: isObject,
};

/** Can clients read this entry of a list? One that they cannot would make them refuse the entries of all servers. */
export function isValidEntry(list: string, entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const isThere = Object.entries(required[list] ?? {}).every(([name, check]) => check(entry[name]));
  return isThere && Object.entries(optional).every(([name, check]) => entry[name] === undefined || check(entry[name]));
}
