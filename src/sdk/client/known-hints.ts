import { ToolAnnotations, type OpenElicitation } from '#requests/asking/contract/open';

type Hints = NonNullable<OpenElicitation['tool']['annotations']>;

const names = ToolAnnotations.keyof().options;

/** The hints of MCP: others are in no request and in no run digest. */
export const knownHints = (annotations: Hints): Hints =>
  Object.fromEntries(names.filter((name) => annotations[name] !== undefined).map((name) => [name, annotations[name]]));
