import { readPastedCall, type PasteFault } from '#requests/facts/contract/confirmation';
import type { PolicyFixture } from '#policies/contract/documents';

/** What the tool says of itself, as MCP's annotations. */
const annotationsOf = {
  none: {},
  reads: { readOnlyHint: true },
  adds: { readOnlyHint: false, destructiveHint: false },
  destroys: { readOnlyHint: false, destructiveHint: true },
} as const;

export const isHint = (text: string): text is CallDraft['hint'] => Object.hasOwn(annotationsOf, text);

export interface CallDraft {
  text: string;
  server: string;
  /** Only if the text does not name it. */
  tool: string;
  hint: keyof typeof annotationsOf;
  requester: string;
}

type CallFault = PasteFault | 'server' | 'tool';
export type CallFaults = Partial<Record<'text' | 'server' | 'tool', CallFault>>;

/** What must be put right before it can be tried. */
export function faultsOf({ text, server, tool }: CallDraft): CallFaults {
  const call = readPastedCall(text);
  if (typeof call === 'string') return { text: call };
  return {
    ...(server.trim() === '' && { server: 'server' as const }),
    ...(call.tool === null && tool.trim() === '' && { tool: 'tool' as const }),
  };
}

/** The request that such a call would be. Anyone who is named counts as checked. */
export function requestOf({ text, server, tool, hint, requester }: CallDraft): PolicyFixture {
  const call = readPastedCall(text);
  const { tool: name, arguments: values } = typeof call === 'string' ? { tool: null, arguments: {} } : call;
  const subject = requester.trim();
  return {
    name: 'call',
    server: server.trim(),
    tool: name ?? tool.trim(),
    arguments: values,
    annotations: annotationsOf[hint],
    ...(subject !== '' && { requester: { subject, verified: true } }),
  };
}
